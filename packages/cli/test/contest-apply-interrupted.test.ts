import { readFile, stat } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { judgeJson } from './support/command-line.ts'
import {
  listCredentials,
  readFirstAccount,
  readId,
  readLock,
  useContestApplier,
} from './support/contest-applier.ts'
import { makeContestFolder } from './support/contest-folder.ts'
import { startLossyProxy } from './support/lossy-proxy.ts'

const applier = useContestApplier()
const { apply, readPeople, readProblems, logIn } = applier

describe('an interrupted apply', () => {
  const WRITES = 6 // accounts, two packages, the contest, two people

  it.each(
    Array.from({ length: WRITES }, (_, i) => i + 1).flatMap((n) => [
      [n, 'before'] as const,
      [n, 'after'] as const,
    ]),
  )('at request %i, %s the service has it, is completed by the next one', async (n, when) => {
    const folder = await makeContestFolder(`cut${n}${when}`)
    const proxy = await startLossyProxy(applier.service.url)
    proxy.loseWrite(n, when)
    const first = await apply(folder, '--yes', '--url', proxy.url)
    expect(first.exitCode).toBe(3)
    expect(first.stderr).toContain('Run the same command again')
    expect(await apply(folder, '--yes', '--url', proxy.url)).toMatchObject({ exitCode: 0, stderr: '' })
    const title = `The cut${n}${when}`
    const events: { title: string }[] = await applier.root.get('/v1/events')
    expect(events.filter((event) => event.title === title)).toHaveLength(1)
    const mine = Object.values(
      Object(
        await judgeJson(['contest', 'apply', folder.path, '--url', proxy.url, '--dry-run'], {
          env: applier.env,
        }),
      ).problems,
    )
    expect((await readProblems(folder)).map((one: { problem_id: number }) => one.problem_id)).toEqual(mine)
    expect(await applier.root.get(`/v1/users?username=cut${n}${when}`)).toHaveLength(2)
    expect(await listCredentials(folder)).toHaveLength(1)
    const { email, password } = await readFirstAccount(folder)
    expect(await logIn(email, password)).toBe(200)
    expect(await apply(folder, '--url', proxy.url)).toEqual({
      exitCode: 0,
      stdout: 'No changes.\n',
      stderr: '',
    })
  })

  it.each([
    [2, 'before'],
    [4, 'before'],
    [4, 'after'],
  ] as const)(
    'at request %i, %s the service has it, gets slips with the page of the contest',
    async (n, when) => {
      const folder = await makeContestFolder(`slips${n}${when}`)
      const proxy = await startLossyProxy(applier.service.url)
      proxy.loseWrite(n, when)
      const argv = ['--yes', '--url', proxy.url, '--slips', folder.at('slips.html')]
      expect(await apply(folder, ...argv)).toMatchObject({ exitCode: 3 })
      const { password } = await readFirstAccount(folder)
      const readSlips = () => readFile(folder.at('slips.html'), 'utf8')
      expect(await readSlips()).toContain(`>${proxy.url}<`)
      const { exitCode, stdout } = await apply(folder, ...argv)
      expect(exitCode).toBe(0)
      expect(stdout).toContain(`Passwords: ${folder.at('slips.html')}`)
      const slips = await readSlips()
      expect(slips.match(/>http[^<]*</g)).toEqual(
        Array(2).fill(`>${proxy.url}/v1/contest/${await readId(folder)}<`),
      )
      expect(slips).toContain(password)
      expect((await stat(folder.at('slips.html'))).mode & 0o777).toBe(0o600)
      expect(await readLock(folder)).not.toContain('credentials')
    },
  )
})

describe('an account that somebody else creates during an apply', () => {
  it('keeps its password, is named, and is in no file of passwords', async () => {
    const folder = await makeContestFolder('race')
    const proxy = await startLossyProxy(applier.service.url)
    const omar = { name: 'Omar race', email: 'omar-race@example.org', password: 'the own password' }
    proxy.beforeWrite(1, () => applier.service.connect().POST('/v1/basic_register', { body: omar }))
    const slips = folder.at('slips.html')
    const { exitCode, stdout } = await apply(folder, '--yes', '--url', proxy.url, '--slips', slips)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^Omar-race@example\.org has an account already, which keeps its password\.$/m)
    const [credentials = ''] = await listCredentials(folder)
    for (const file of [folder.at(credentials), slips]) {
      const text = await readFile(file, 'utf8')
      expect(text).toContain('Nora-race@example.org')
      expect(text.toLowerCase()).not.toContain(omar.email)
    }
    expect(await logIn(omar.email, omar.password)).toBe(200)
    expect(await readPeople(folder)).toEqual(['Nora race', 'Omar race'])
  })

  it('leaves no file of passwords if it is the only one', async () => {
    const folder = await makeContestFolder('alone')
    await folder.write('people.csv', 'name,email\nOmar alone,omar-alone@example.org\n')
    const proxy = await startLossyProxy(applier.service.url)
    const omar = { name: 'Omar alone', email: 'omar-alone@example.org', password: 'the own password' }
    proxy.beforeWrite(1, () => applier.service.connect().POST('/v1/basic_register', { body: omar }))
    const { exitCode, stdout } = await apply(folder, '--yes', '--url', proxy.url)
    expect(exitCode).toBe(0)
    expect(stdout).not.toContain('Passwords:')
    expect(await listCredentials(folder)).toEqual([])
    expect(await readLock(folder)).not.toContain('credentials')
    expect(await readPeople(folder)).toEqual(['Omar alone'])
  })
})
