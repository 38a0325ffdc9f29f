import { readdir, readFile, stat } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { until } from '../../../test/support/until.ts'
import {
  type ContestFolder,
  listCredentials,
  makeContestFolder,
  readFirstAccount,
  readId,
  readLock,
  useContestAdmin,
  writePackage,
} from './support/admin.ts'
import { fails, prints, startInTerminal } from './support/command-line.ts'
import { startLossyProxy } from './support/lossy-proxy.ts'

const admin = await useContestAdmin()
const { apply, startContest, readEvent, readProblems, readPeople, logIn } = admin

const edit = async (folder: ContestFolder, part: string | RegExp, by: string) =>
  folder.write('contest.yaml', (await readFile(folder.at('contest.yaml'), 'utf8')).replace(part, by))

async function moveToProxy(folder: ContestFolder) {
  const proxy = await startLossyProxy(admin.service.url)
  await folder.write('contest.lock', (await readLock(folder)).replace(admin.service.url, proxy.url))
  return proxy
}

const readParticipants = async (folder: ContestFolder) =>
  admin.root.get(`/v1/events/${await readId(folder)}/participants`)

const readAnswer = async ({ problem_id }: { problem_id: number }): Promise<string> =>
  (await admin.root.get(`/v1/problem_description/${problem_id}/tests`)).test_cases[0].expected_output

describe('persons and problems that are no longer in the file', () => {
  it('stay without --force; with it they leave, but their records stay and come back with the file', async () => {
    const folder = await makeContestFolder('kept')
    await apply(folder, '--yes')
    const people = await readFile(folder.at('people.csv'), 'utf8')
    const [, rain] = await readProblems(folder)
    await folder.writeContest({ problems: '[{package: sum, label: A, color: red}]' })
    await folder.write('people.csv', 'name,email\nNora kept,Nora-kept@example.org\n')
    const kept =
      '  kept: problem B "The rain": not in the file; --force removes\n' +
      '  kept: participant Omar kept <Omar-kept@example.org>: not in the file; --force removes\n'
    expect(await apply(folder, '--yes')).toMatchObject({ exitCode: 0, stdout: `${kept}No changes.\n` })
    expect([(await readPeople(folder)).length, (await readProblems(folder)).length]).toEqual([2, 2])
    const forced = await apply(folder, '--yes', '--force')
    expect(forced.stdout).toContain('- problem B "The rain"\n- participant Omar kept <Omar-kept@example.org>')
    expect(await readPeople(folder)).toEqual(['Nora kept'])
    expect(await readProblems(folder)).toMatchObject([{ label: 'A' }])
    expect(await admin.root.get(`/v1/problems/${rain.problem_id}`)).toMatchObject({ title: 'The rain' })
    expect(await admin.root.get('/v1/users?username=omar%20kept')).toHaveLength(1)
    await folder.writeContest()
    await folder.write('people.csv', people)
    expect(await apply(folder, '--yes')).toMatchObject({ exitCode: 0 })
    expect(await readProblems(folder)).toMatchObject([{ label: 'A' }, { problem_id: rain.problem_id }])
    expect(await readPeople(folder)).toHaveLength(2)
  })

  it('are hidden with --force if they have submissions', async () => {
    const { folder, submit } = await startContest('tried')
    await submit(0, 1, 'WRONG_ANSWER')
    await edit(folder, ', {package: rain, label: B}', '')
    const hidden = prints('"The rain" has submissions: it is hidden, not removed.')
    expect(await apply(folder, '--yes', '--force')).toMatchObject(hidden)
    expect(await readProblems(folder)).toMatchObject([{ hidden: false }, { hidden: true, label: 'B' }])
    const again = await apply(folder, '--force')
    expect(again.stdout).toBe('  kept: problem B "The rain": not in the file, and hidden\nNo changes.\n')
  })
})

it('a contest that has started takes other changes, and keeps its tests and its end without --force', async () => {
  const { folder } = await startContest('running')
  await edit(folder, 'color: red', 'color: gold')
  expect(await apply(folder, '--yes')).toMatchObject({ exitCode: 0 })
  expect(await readProblems(folder)).toMatchObject([{ color: 'gold' }, {}])
  const { end_time } = await readEvent(folder)
  await writePackage(folder, 'sum', '5\n')
  await edit(folder, /end: .*/, 'duration: 9h')
  const proxy = await moveToProxy(folder)
  const { exitCode, stderr } = await apply(folder, '--yes', '--url', proxy.url)
  expect({ exitCode, writes: proxy.writes }).toEqual({ exitCode: 2, writes: [] })
  for (const text of ['its end at the service is ', 'judge contest extend', 'judge rejudge'])
    expect(stderr).toContain(text)
  expect(stderr).toContain('the package of problem A (sum) has changed')
  expect(await apply(folder, '--yes', '--url', proxy.url, '--force')).toMatchObject({ exitCode: 0 })
  expect((await readEvent(folder)).end_time).not.toBe(end_time)
  const [sum] = await readProblems(folder)
  expect(await readAnswer(sum)).toBe('5\n')
})

it('extra minutes of staff stay without a number in the file, and go after the start only with --force', async () => {
  const { folder, id } = await startContest('minutes')
  const [nora] = await readParticipants(folder)
  const minutesOf = async () => (await readParticipants(folder))[0].extra_minutes
  const give = (extra_minutes: number) =>
    admin.root.put(`/v1/events/${id}/participants/${nora.id}`, { extra_minutes })
  const write = (cell: string) =>
    folder.write('people.csv', `name,email,extra_minutes,Seat\n${nora.name},${nora.email},${cell},7\n`)
  await give(30)
  await write('')
  const ignored = `  warning: ${folder.at('people.csv')}: the column Seat is ignored\n`
  expect((await apply(folder, '--yes')).stdout).toContain(`${ignored}No changes.\n`)
  expect(await minutesOf()).toBe(30)
  await write('20')
  expect(await apply(folder, '--yes')).toMatchObject(fails(2, '--force takes 10 away.'))
  expect(await minutesOf()).toBe(30)
  const { stdout } = await apply(folder, '--yes', '--force')
  expect(stdout).toContain(`${nora.name} <${nora.email}> loses 10 extra minutes of 30\n`)
  expect(await minutesOf()).toBe(20)
})

describe('a contest that starts during an apply', () => {
  const start = async (folder: ContestFolder) =>
    admin.root.put(`/v1/events/${await readId(folder)}`, { start_time: '2020-01-01T00:00:00Z' })

  /** Applies a contest, whose file then has another end; the next apply goes through the proxy. */
  async function prepare(name: string) {
    const folder = await makeContestFolder(name)
    await apply(folder, '--yes')
    await folder.writeContest({ duration: '4h' })
    return { folder, proxy: await moveToProxy(folder) }
  }

  it('keeps its tests and times if it starts while the question waits', async () => {
    const { folder, proxy } = await prepare('asking')
    await writePackage(folder, 'sum', '4\n')
    await folder.write('people.csv', 'name,email\nPia asking,pia-asking@example.org\n')
    const argv = ['contest', 'apply', folder.path, '--url', proxy.url]
    const { printed, stdin, exitCode } = startInTerminal(argv, admin.env)
    await until(() => expect(printed.stderr).toContain('[y/N]'))
    await start(folder)
    stdin.write('y\r')
    expect(await exitCode).toBe(2)
    expect(printed.stderr).toContain('The contest has started in the meantime.')
    expect(printed.stderr).not.toContain('does only the rest')
    expect(proxy.writes).toEqual([])
  })

  it('keeps its times if it starts while a new package is sent', async () => {
    const { folder, proxy } = await prepare('sending')
    await writePackage(folder, 'snow', '5\n')
    await edit(folder, ', label: B}', ', label: B}, {package: snow}')
    proxy.beforeWrite(1, () => start(folder))
    const failed = fails(2, 'The contest has started in the meantime.')
    expect(await apply(folder, '--yes', '--url', proxy.url)).toMatchObject(failed)
    expect(proxy.writes).toHaveLength(1)
    expect(await readEvent(folder)).toMatchObject({ end_time: '2100-12-01T11:00:00Z' })
    expect(await readProblems(folder)).toHaveLength(2)
    const again = await apply(folder, '--yes', '--url', proxy.url)
    expect(again).toMatchObject(fails(2, 'its end at the service is '))
    expect(await apply(folder, '--yes', '--force', '--url', proxy.url)).toMatchObject({ exitCode: 0 })
    expect(await readEvent(folder)).toMatchObject({ end_time: '2100-12-01T12:00:00Z' })
  })

  it('keeps the extra minutes of people', async () => {
    const folder = await makeContestFolder('people')
    const write = (cell: string) =>
      folder.write('people.csv', `name,email,extra_minutes\nNora people,nora-people@example.org,${cell}\n`)
    await write('30')
    await apply(folder, '--yes')
    const proxy = await moveToProxy(folder)
    await write('20')
    await writePackage(folder, 'snow', '5\n')
    await edit(folder, ', label: B}', ', label: B}, {package: snow}')
    proxy.beforeWrite(1, () => start(folder))
    const failed = fails(2, 'The contest has started in the meantime.')
    expect(await apply(folder, '--yes', '--url', proxy.url)).toMatchObject(failed)
    expect(await readParticipants(folder)).toMatchObject([{ extra_minutes: 30 }])
  })

  it.each([
    ['keeps the tests that are not replaced yet', [], 2, ['9\n', '7\n'], '2100-12-01T11:00:00Z'],
    ['is changed all the same with --force', ['--force'], 0, ['9\n', '9\n'], '2100-12-01T12:00:00Z'],
  ])('%s', async (_, options, exitCode, answers, end_time) => {
    const { folder, proxy } = await prepare(`replacing${exitCode}`)
    for (const name of ['sum', 'rain']) await writePackage(folder, name, '9\n')
    proxy.beforeWrite(1, () => start(folder))
    expect(await apply(folder, '--yes', '--url', proxy.url, ...options)).toMatchObject({ exitCode })
    expect(await Promise.all((await readProblems(folder)).map(readAnswer))).toEqual(answers)
    expect(await readEvent(folder)).toMatchObject({ end_time })
  })
})

it('a contest file whose end has passed creates and moves no contest without --force', async () => {
  const folders = { late: await makeContestFolder('late'), moved: await makeContestFolder('moved') }
  await apply(folders.moved, '--yes')
  const over = 'The contest would be over already: its end, 2020-12-01 12:00 Europe/Berlin, has passed.'
  for (const folder of Object.values(folders)) {
    await folder.writeContest({ start: '2020-12-01 09:00' })
    expect(await apply(folder, '--yes')).toMatchObject(fails(2, over))
  }
  expect(await readdir(folders.late.path)).not.toContain('contest.lock')
  expect(await readEvent(folders.moved)).toMatchObject({ end_time: '2100-12-01T11:00:00Z' })
  const warning = '  warning: the contest would be over already: its end, 2020-12-01'
  for (const folder of Object.values(folders)) {
    expect(await apply(folder, '--yes', '--force')).toMatchObject(prints(warning))
    expect(await readEvent(folder)).toMatchObject({ end_time: '2020-12-01T11:00:00Z' })
  }
  // It is over: without a change of the times there is nothing to say.
  expect(await apply(folders.moved)).toMatchObject({ exitCode: 0, stdout: 'No changes.\n' })
})

// Accounts, two packages, the contest, two people.

it.each([1, 2, 3, 4, 5, 6].flatMap((n) => [[n, 'before'] as const, [n, 'after'] as const]))(
  'an apply that is interrupted at request %i, %s the service has it, is completed by the next one',
  async (n, when) => {
    const folder = await makeContestFolder(`cut${n}${when}`)
    const proxy = await startLossyProxy(admin.service.url)
    const slips = folder.at('slips.html')
    const applyAgain = () => apply(folder, '--yes', '--url', proxy.url, '--slips', slips)
    proxy.loseWrite(n, when)
    expect(await applyAgain()).toMatchObject(fails(3, 'Run the same command again'))
    if (n <= 4) expect(await readFile(slips, 'utf8')).toContain(`>${proxy.url}<`)
    expect(await applyAgain()).toMatchObject({ exitCode: 0, stderr: '' })
    const events: { title: string }[] = await admin.root.get('/v1/events')
    expect(events.filter(({ title }) => title === `The cut${n}${when}`)).toHaveLength(1)
    const argv = ['contest', 'apply', folder.path, '--url', proxy.url, '--dry-run']
    const known = Object.values(Object((await admin.runJson(argv)).problems))
    const problems: { problem_id: number }[] = await readProblems(folder)
    expect(problems.map(({ problem_id }) => problem_id)).toEqual(known)
    expect(await admin.root.get(`/v1/users?username=cut${n}${when}`)).toHaveLength(2)
    expect(await listCredentials(folder)).toHaveLength(1)
    const { email, password } = await readFirstAccount(folder)
    expect(await logIn(email, password)).toBe(200)
    const page = `>${proxy.url}/v1/contest/${await readId(folder)}<`
    const html = await readFile(slips, 'utf8')
    expect(html.match(/>http[^<]*</g)).toEqual([page, page])
    expect(html).toContain(password)
    expect((await stat(slips)).mode & 0o777).toBe(0o600)
    expect(await readLock(folder)).not.toContain('credentials')
    const again = await apply(folder, '--url', proxy.url)
    expect(again).toEqual({ exitCode: 0, stdout: 'No changes.\n', stderr: '' })
  },
)

it.each([
  ['race', ['Nora-race@example.org'], ['Nora race', 'omar-race']],
  ['alone', [], ['omar-alone']],
])(
  'an account that somebody else creates during an apply keeps its password, is named, and is in no file of passwords: %s',
  async (name, others, people) => {
    const folder = await makeContestFolder(name)
    const omar = `omar-${name}`
    const rows = [...others.map((email) => `Nora ${name},${email}`), `${omar},Omar-${name}@example.org`]
    await folder.write('people.csv', `name,email\n${rows.join('\n')}\n`)
    const proxy = await startLossyProxy(admin.service.url)
    proxy.beforeWrite(1, () => admin.register(omar, 'the own password'))
    const slips = folder.at('slips.html')
    const named = `Omar-${name}@example.org has an account already, which keeps its password.\n`
    const { stdout, ...rest } = await apply(folder, '--yes', '--url', proxy.url, '--slips', slips)
    expect({ stdout, ...rest }).toMatchObject(prints(named))
    const files = (await listCredentials(folder)).map((file) => folder.at(file))
    expect(files).toHaveLength(others.length)
    for (const file of others.length > 0 ? [...files, slips] : []) {
      const text = await readFile(file, 'utf8')
      expect(text).toContain(others[0])
      expect(text.toLowerCase()).not.toContain(`${omar}@example.org`)
    }
    expect(stdout.includes('Passwords:')).toBe(others.length > 0)
    expect(await readLock(folder)).not.toContain('credentials')
    expect(await logIn(`${omar}@example.org`, 'the own password')).toBe(200)
    expect(await readPeople(folder)).toEqual(people)
  },
)
