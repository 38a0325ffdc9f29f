import { readdir, readFile, stat } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { judge, judgeJson } from './support/command-line.ts'
import {
  listCredentials,
  readFirstAccount,
  readId,
  readLock,
  useContestApplier,
} from './support/contest-applier.ts'
import { makeContestFolder, writePackage } from './support/contest-folder.ts'
import { startLossyProxy } from './support/lossy-proxy.ts'

const applier = useContestApplier()
const { apply, readEvent, readProblems, readPeople, logIn } = applier

describe('an apply', () => {
  it('creates the contest with its problems and people', async () => {
    const folder = await makeContestFolder('first')
    const { exitCode, stdout, stderr } = await apply(folder, '--yes')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout.split('\n').slice(0, 5)).toEqual([
      '+ contest "The first", 2100-12-01 09:00 to 2100-12-01 12:00 Europe/Berlin',
      '+ problem A (sum)',
      '+ problem B (rain)',
      '+ participant Nora first <Nora-first@example.org> (new account)',
      '+ participant Omar first <Omar-first@example.org> (new account)',
    ])
    expect(await readEvent(folder)).toMatchObject({
      ...{ title: 'The first', start_time: '2100-12-01T08:00:00Z', end_time: '2100-12-01T11:00:00Z' },
    })
    expect(await readProblems(folder)).toMatchObject([
      { label: 'A', color: 'red', position: 0, problem: { title: 'The sum', public: false } },
      { label: 'B', position: 1, problem: { title: 'The rain', public: false } },
    ])
    expect(await readPeople(folder)).toEqual(['Nora first', 'Omar first'])
    const [first] = (await readLock(folder)).split('\n')
    expect(first).toBe(
      '# Written by `judge contest apply`: the ids at the service. Keep it with the contest file.',
    )
  })

  it('writes passwords that work into a file that only its owner can read', async () => {
    const folder = await makeContestFolder('secret')
    await apply(folder, '--yes', '--slips', folder.at('slips.html'))
    const [file = ''] = await listCredentials(folder)
    expect((await stat(folder.at(file))).mode & 0o777).toBe(0o600)
    const { email, password } = await readFirstAccount(folder)
    expect(email).toBe('Nora-secret@example.org')
    expect(await logIn(email, password)).toBe(200)
    expect(await readFile(folder.at('slips.html'), 'utf8')).toContain(password)
    expect((await stat(folder.at('slips.html'))).mode & 0o777).toBe(0o600)
  })

  it('names the page of the contest on the slips, at the address of the file or else of the service', async () => {
    for (const [name, address] of [
      ['own', 'https://judge.example.org/'],
      ['plain', undefined],
    ] as const) {
      const folder = await makeContestFolder(name)
      await folder.writeContest({ address })
      await apply(folder, '--yes', '--slips', folder.at('slips.html'))
      const [, id] = /^contest: (\d+)$/m.exec(await readLock(folder)) ?? []
      const origin = address === undefined ? applier.service.url : 'https://judge.example.org'
      const slips = await readFile(folder.at('slips.html'), 'utf8')
      expect(slips.match(new RegExp(`>${origin}/v1/contest/${id}<`, 'g'))).toHaveLength(2)
      expect((await stat(folder.at('slips.html'))).mode & 0o777).toBe(0o600)
    }
  })

  it('without a change writes nothing, neither at the service nor here', async () => {
    const folder = await makeContestFolder('same')
    await apply(folder, '--yes')
    const lock = await readLock(folder)
    const { mtimeMs } = await stat(folder.at('contest.lock'))
    const proxy = await startLossyProxy(applier.service.url)
    await folder.write('contest.lock', lock.replace(applier.service.url, proxy.url))
    const before = await stat(folder.at('contest.lock'))
    expect(await apply(folder, '--url', proxy.url)).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: 'No changes.\n',
    })
    expect(proxy.writes).toEqual([])
    expect((await stat(folder.at('contest.lock'))).mtimeMs).toBe(before.mtimeMs)
    expect(before.mtimeMs).toBeGreaterThanOrEqual(mtimeMs)
    expect(await listCredentials(folder)).toHaveLength(1)
  })

  it('prints the differences, asks and changes the contest', async () => {
    const folder = await makeContestFolder('changed')
    await apply(folder, '--yes')
    const problems = '[{package: rain, label: B}, {package: sum, label: A, color: blue, hidden: true}]'
    await folder.writeContest({
      duration: '4h',
      freeze: '1h',
      penalty_minutes: '10',
      languages: '[Python]',
      problems,
    })
    await writePackage(folder, 'sum', '4\n')
    await folder.write(
      'people.csv',
      'name,email,extra_minutes\nNora changed,Nora-changed@example.org,30\nOmar changed,omar-changed@EXAMPLE.org,\n',
    )
    const ask = (stdin: string) =>
      judge(['contest', 'apply', folder.path], { env: applier.env, stdin, terminals: ['stdin'] })
    const no = await ask('n\r')
    expect(no.exitCode).toBe(2)
    expect(no.stderr).toContain('error: Stopped: nothing was changed.')
    expect(no.stdout.trim().split('\n')).toEqual([
      '~ end: 2100-12-01 12:00 -> 2100-12-01 13:00',
      '~ freeze: none -> 2100-12-01 12:00',
      '~ penalty_minutes: none -> 10',
      '~ languages: all -> Python',
      '~ enforce_languages: none -> true',
      '~ problem A (sum): its package is replaced',
      '~ problem B (rain): position 2 -> 1',
      '~ problem A (sum): color red -> blue, position 1 -> 2, hidden false -> true',
      '~ participant Nora changed <Nora-changed@example.org>: extra_minutes 30',
    ])
    expect(await readEvent(folder)).not.toHaveProperty('penalty_minutes')
    const former = await readProblems(folder)
    expect(await ask('y\r')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(' 9 changes made.'),
    })
    expect(await readEvent(folder)).toMatchObject({
      penalty_minutes: 10,
      freeze_time: '2100-12-01T11:00:00Z',
    })
    const [rain, sum] = await readProblems(folder)
    expect([rain, sum]).toMatchObject([{ label: 'B' }, { label: 'A', color: 'blue', hidden: true }])
    expect(sum.problem_id).toBe(former[0].problem_id)
    const tests = await applier.root.get(`/v1/problem_description/${sum.problem_id}/tests`)
    expect(tests.test_cases).toMatchObject([{ expected_output: '4\n' }])
    expect(await apply(folder)).toMatchObject({ stdout: 'No changes.\n' })
  })

  it('shows only ten of many people', async () => {
    const folder = await makeContestFolder('many')
    const people = Array.from({ length: 30 }, (_, i) => `Many ${i},many${i}@example.org\n`)
    await folder.write('people.csv', `name,email\n${people.join('')}`)
    const { stdout } = await apply(folder, '--dry-run')
    const lines = stdout.split('\n')
    expect(lines.filter((line) => line.startsWith('+ participant'))).toHaveLength(10)
    expect(lines).toContain('  … and 20 more')
    const { changes } = await judgeJson(['contest', 'apply', folder.path, '--dry-run'], { env: applier.env })
    expect(changes).toHaveLength(33)
  })

  it('knows an account by another form of its address, as the service does', async () => {
    const folder = await makeContestFolder('forms')
    const mia = { name: 'Mia forms', email: 'mia-forms@example.org', password: 'the own password' }
    await applier.service.connect().POST('/v1/basic_register', { body: mia })
    await folder.write('people.csv', 'name,email\nMia forms,\uff2di\u200da-FORMS@example.org\n')
    const { exitCode, stdout } = await apply(folder, '--yes')
    expect(exitCode).toBe(0)
    expect(stdout).not.toContain('new account')
    expect(await listCredentials(folder)).toEqual([])
    expect(await readPeople(folder)).toEqual(['Mia forms'])
    expect(await apply(folder)).toMatchObject({ stdout: 'No changes.\n' })
    const imported = await judgeJson(['users', 'import', folder.at('people.csv')], { env: applier.env })
    expect(imported.users).toMatchObject([{ outcome: 'exists' }])
  })

  it('whose accounts are refused creates nothing and leaves no file with passwords', async () => {
    const folder = await makeContestFolder('short')
    await folder.write('people.csv', 'name,email,password\nNora short,nora-short@example.org,abc\n')
    const { exitCode, stderr } = await apply(folder, '--yes', '--slips', folder.at('slips.html'))
    expect(exitCode).toBe(1)
    expect(stderr).toContain('nora-short@example.org')
    expect((await readdir(folder.path)).sort()).toEqual([
      ...['contest.lock', 'contest.yaml', 'people.csv', 'rain', 'sum'],
    ])
    expect(await applier.root.get('/v1/events')).not.toContainEqual(
      expect.objectContaining({ title: 'The short' }),
    )
  })

  it('by a user who is no admin is refused', async () => {
    const folder = await makeContestFolder('denied')
    const { token } = await applier.service.createPerson()
    const argv = ['contest', 'apply', folder.path, '--yes']
    expect(await judge(argv, { env: { ...applier.env, JUDGE_USER_TOKEN: token } })).toMatchObject({
      exitCode: 1,
    })
    expect(await readdir(folder.path)).not.toContain('contest.lock')
  })

  it('needs --yes without a terminal', async () => {
    const folder = await makeContestFolder('quiet')
    const { exitCode, stderr } = await apply(folder)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Without a terminal, give --yes, or --dry-run')
    expect(await readdir(folder.path)).not.toContain('contest.lock')
  })

  it('with --dry-run prints the differences and writes nothing', async () => {
    const folder = await makeContestFolder('dry')
    const { exitCode, stdout } = await apply(folder, '--dry-run')
    expect(exitCode).toBe(0)
    expect(stdout).toContain('+ contest "The dry"')
    expect(stdout).toContain('Nothing was changed: --dry-run.')
    expect(await readdir(folder.path)).not.toContain('contest.lock')
    const document = await judgeJson(['contest', 'apply', folder.path, '--dry-run'], { env: applier.env })
    expect(document).toMatchObject({ dry_run: true, changes: [{ change: 'add' }, {}, {}, {}, {}], kept: [] })
    expect(await applier.root.get('/v1/users?username=dry')).toEqual([])
  })

  it('prints one document with --json', async () => {
    const folder = await makeContestFolder('json')
    const document = await judgeJson(['contest', 'apply', folder.path, '--yes'], { env: applier.env })
    expect(document).toMatchObject({
      contest_id: await readId(folder),
      changes: expect.arrayContaining([{ change: 'add', text: 'problem A (sum)' }]),
      problems: { sum: expect.any(Number), rain: expect.any(Number) },
      credentials_files: [expect.stringContaining('credentials-')],
    })
  })

  it('puts people on teams and names the staff', async () => {
    const folder = await makeContestFolder('teams')
    const people =
      'name,email,team\nNora teams,Nora-teams@example.org,Red\nOmar teams,Omar-teams@example.org,Blue\n'
    await folder.write('people.csv', people)
    await folder.write('staff.csv', 'name,email\nTina teams,tina-teams@example.org\n')
    await folder.writeContest({ teams: 'true', staff: 'staff.csv' })
    expect(await apply(folder, '--yes')).toMatchObject({ exitCode: 0 })
    expect(await applier.root.get(`/v1/events/${await readId(folder)}/teams`)).toEqual([
      expect.objectContaining({ name: 'Red' }),
      expect.objectContaining({ name: 'Blue' }),
    ])
    const [tina] = await applier.root.get('/v1/users?username=tina%20teams')
    expect(await readEvent(folder)).toMatchObject({ staff: [tina.id] })
    expect(await readPeople(folder)).not.toContain('Tina teams')
    expect(await apply(folder)).toMatchObject({ stdout: 'No changes.\n' })
    await folder.write('people.csv', people.replace('Blue', 'Red'))
    const refused = await apply(folder, '--yes')
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain('is on the team Blue, and nobody can leave a team.')
  })
})
