import { readdir, readFile, stat } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import {
  listCredentials,
  makeContestFolder,
  readFirstAccount,
  readId,
  readLock,
  useContestAdmin,
  writePackage,
} from './support/admin.ts'
import { fails, prints } from './support/command-line.ts'
import { startLossyProxy } from './support/lossy-proxy.ts'

const admin = await useContestAdmin()
const { apply, contest, readEvent, readProblems, readPeople, logIn } = admin

const NO_CHANGES = { exitCode: 0, stdout: 'No changes.\n', stderr: '' }

describe('an apply', () => {
  it('creates the contest, and saves passwords and slips that only their owner can read', async () => {
    const folder = await makeContestFolder('first')
    const slips = folder.at('slips.html')
    const { exitCode, stdout, stderr } = await apply(folder, '--yes', '--slips', slips)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout.split('\n').slice(0, 5)).toEqual([
      '+ contest "The first", 2100-12-01 09:00 to 2100-12-01 12:00 Europe/Berlin',
      '+ problem A (sum)',
      '+ problem B (rain)',
      '+ participant Nora first <Nora-first@example.org> (new account)',
      '+ participant Omar first <Omar-first@example.org> (new account)',
    ])
    const times = { start_time: '2100-12-01T08:00:00Z', end_time: '2100-12-01T11:00:00Z' }
    expect(await readEvent(folder)).toMatchObject({ title: 'The first', ...times })
    expect(await readProblems(folder)).toMatchObject([
      { label: 'A', color: 'red', position: 0, problem: { title: 'The sum', public: false } },
      { label: 'B', position: 1, problem: { title: 'The rain', public: false } },
    ])
    expect(await readPeople(folder)).toEqual(['Nora first', 'Omar first'])
    expect((await readLock(folder)).split('\n')[0]).toBe(
      '# Written by `judge contest apply`: the ids at the service. Keep it with the contest file.',
    )
    const [credentials = ''] = await listCredentials(folder)
    for (const file of [folder.at(credentials), slips]) expect((await stat(file)).mode & 0o777).toBe(0o600)
    const { email, password } = await readFirstAccount(folder)
    expect(email).toBe('Nora-first@example.org')
    expect(await logIn(email, password)).toBe(200)
    expect(await readFile(slips, 'utf8')).toContain(password)
  })

  it('prints one document with --json; the slips name the page at the address of the file', async () => {
    const folder = await makeContestFolder('json')
    await folder.writeContest({ address: 'https://judge.example.org/' })
    const argv = ['contest', 'apply', folder.path, '--yes', '--slips', folder.at('slips.html')]
    const document = await admin.runJson(argv)
    expect(document).toMatchObject({
      contest_id: await readId(folder),
      changes: expect.arrayContaining([{ change: 'add', text: 'problem A (sum)' }]),
      problems: { sum: expect.any(Number), rain: expect.any(Number) },
      credentials_files: [expect.stringContaining('credentials-'), folder.at('slips.html')],
    })
    const page = `>https://judge.example.org/v1/contest/${document.contest_id}<`
    expect((await readFile(folder.at('slips.html'), 'utf8')).match(/>http[^<]*</g)).toEqual([page, page])
  })

  it('without a change writes nothing, neither at the service nor here', async () => {
    const folder = await makeContestFolder('same')
    await apply(folder, '--yes')
    const proxy = await startLossyProxy(admin.service.url)
    await folder.write('contest.lock', (await readLock(folder)).replace(admin.service.url, proxy.url))
    const before = await stat(folder.at('contest.lock'))
    expect(await apply(folder, '--url', proxy.url)).toEqual(NO_CHANGES)
    expect(proxy.writes).toEqual([])
    expect((await stat(folder.at('contest.lock'))).mtimeMs).toBe(before.mtimeMs)
    expect(await listCredentials(folder)).toHaveLength(1)
  })

  it('prints the differences, asks and changes the contest', async () => {
    const folder = await makeContestFolder('changed')
    await apply(folder, '--yes')
    await folder.writeContest({
      ...{ duration: '4h', freeze: '1h', penalty_minutes: '10', languages: '[Python]' },
      problems:
        '[{package: rain, label: B}, {package: sum, label: A, color: blue, points: 30.5, hidden: true}]',
    })
    await writePackage(folder, 'sum', '4\n')
    const people = 'Nora changed,Nora-changed@example.org,30\nOmar changed,omar-changed@EXAMPLE.org,\n'
    await folder.write('people.csv', `name,email,extra_minutes\n${people}`)
    const ask = (stdin: string) => contest(['apply', folder.path], { stdin, terminals: ['stdin'] })
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
      '~ problem A (sum): color red -> blue, position 1 -> 2, points none -> 30.5, hidden false -> true',
      '~ participant Nora changed <Nora-changed@example.org>: extra_minutes 30',
    ])
    expect(await readEvent(folder)).not.toHaveProperty('penalty_minutes')
    const former = await readProblems(folder)
    expect(await ask('y\r')).toMatchObject(prints(' 9 changes made.'))
    const rules = { penalty_minutes: 10, freeze_time: '2100-12-01T11:00:00Z' }
    expect(await readEvent(folder)).toMatchObject(rules)
    const [rain, sum] = await readProblems(folder)
    expect([rain, sum]).toMatchObject([
      { label: 'B' },
      { label: 'A', color: 'blue', points: 30.5, hidden: true },
    ])
    expect(sum.problem_id).toBe(former[0].problem_id)
    const tests = await admin.root.get(`/v1/problem_description/${sum.problem_id}/tests`)
    expect(tests.test_cases).toMatchObject([{ expected_output: '4\n' }])
    expect(await apply(folder)).toMatchObject(NO_CHANGES)
  })

  it('with --dry-run shows ten of many people and writes nothing; without a terminal it needs --yes', async () => {
    const folder = await makeContestFolder('many')
    const people = Array.from({ length: 30 }, (_, i) => `Many ${i},many${i}@example.org\n`)
    await folder.write('people.csv', `name,email\n${people.join('')}`)
    const { exitCode, stdout } = await apply(folder, '--dry-run')
    expect(exitCode).toBe(0)
    const lines = stdout.split('\n')
    expect(lines.filter((line) => line.startsWith('+ participant'))).toHaveLength(10)
    expect(lines).toContain('  … and 20 more')
    expect(stdout).toContain('+ contest "The many"')
    expect(stdout).toContain('Nothing was changed: --dry-run.')
    const document = await admin.runJson(['contest', 'apply', folder.path, '--dry-run'])
    expect(document).toMatchObject({ dry_run: true, kept: [] })
    expect(document.changes).toHaveLength(33)
    expect(await apply(folder)).toMatchObject(fails(2, 'Without a terminal, give --yes, or --dry-run'))
    expect(await readdir(folder.path)).not.toContain('contest.lock')
    expect(await admin.root.get('/v1/users?username=many')).toEqual([])
  })

  it('knows an account by another form of its address, as the service does', async () => {
    const folder = await makeContestFolder('forms')
    await admin.register('mia-forms')
    await folder.write('people.csv', 'name,email\nmia-forms,\uff2di\u200da-FORMS@example.org\n')
    const { exitCode, stdout } = await apply(folder, '--yes')
    expect(exitCode).toBe(0)
    expect(stdout).not.toContain('new account')
    expect(await listCredentials(folder)).toEqual([])
    expect(await readPeople(folder)).toEqual(['mia-forms'])
    expect(await apply(folder)).toMatchObject(NO_CHANGES)
    const imported = await admin.runJson(['users', 'import', folder.at('people.csv')])
    expect(imported.users).toMatchObject([{ outcome: 'exists' }])
  })

  it('whose accounts are refused creates nothing and leaves no file with passwords', async () => {
    const folder = await makeContestFolder('short')
    await folder.write('people.csv', 'name,email,password\nNora short,nora-short@example.org,abc\n')
    const finished = await apply(folder, '--yes', '--slips', folder.at('slips.html'))
    expect(finished).toMatchObject(fails(1, 'nora-short@example.org'))
    const files = ['contest.lock', 'contest.yaml', 'people.csv', 'rain', 'sum']
    expect((await readdir(folder.path)).sort()).toEqual(files)
    const events: { title: string }[] = await admin.root.get('/v1/events')
    expect(events.map(({ title }) => title)).not.toContain('The short')
  })

  it('puts people on teams and names the staff', async () => {
    const folder = await makeContestFolder('teams')
    const people =
      'name,email,team\nNora teams,Nora-teams@example.org,Red\nOmar teams,Omar-teams@example.org,Blue\n'
    await folder.write('people.csv', people)
    await folder.write('staff.csv', 'name,email\nTina teams,tina-teams@example.org\n')
    await folder.writeContest({ teams: 'true', staff: 'staff.csv' })
    expect(await apply(folder, '--yes')).toMatchObject({ exitCode: 0 })
    const teams = await admin.root.get(`/v1/events/${await readId(folder)}/teams`)
    expect(teams).toMatchObject([{ name: 'Red' }, { name: 'Blue' }])
    const [tina] = await admin.root.get('/v1/users?username=tina%20teams')
    expect(await readEvent(folder)).toMatchObject({ staff: [tina.id] })
    expect(await readPeople(folder)).not.toContain('Tina teams')
    expect(await apply(folder)).toMatchObject(NO_CHANGES)
    await folder.write('people.csv', people.replace('Blue', 'Red'))
    const refused = fails(2, 'is on the team Blue, and nobody can leave a team.')
    expect(await apply(folder, '--yes')).toMatchObject(refused)
  })
})

it('a second contest says that people who have accounts get no passwords and no slips, and makes those of new people', async () => {
  const first = await makeContestFolder('monday')
  await apply(first, '--yes')
  const people = await readFile(first.at('people.csv'), 'utf8')
  const [head = '', nora = '', omar = ''] = people.split('\n')
  const second = await makeContestFolder('tuesday')
  await second.write('people.csv', people)
  const slips = second.at('slips.html')
  const NOT_WRITTEN = `${slips} was not written: all accounts exist already.\n`
  const { stdout, ...rest } = await apply(second, '--yes', '--slips', slips)
  const all =
    `2 accounts exist already: no new passwords and no slips for them.\n${NOT_WRITTEN}` +
    'To set a new password: judge users password EMAIL --generate\nContest '
  expect({ stdout, ...rest }).toMatchObject(prints(all))
  expect(stdout).not.toContain('Passwords: ')
  expect(await listCredentials(second)).toEqual([])
  expect((await apply(second, '--slips', slips)).stdout).toContain(NOT_WRITTEN)
  expect(await readdir(second.path)).not.toContain('slips.html')

  const third = await makeContestFolder('autumn')
  await third.write('people.csv', `${head}\n${nora}\nPia autumn,pia-autumn@example.org\n`)
  await third.write('staff.csv', `${head}\n${omar}\n`)
  await third.writeContest({ staff: 'staff.csv' })
  const mixed = await apply(third, '--yes', '--slips', third.at('slips.html'))
  expect(mixed.stdout).toContain('\n2 accounts exist already: no new passwords and no slips for them.\n')
  expect(mixed.stdout).not.toContain('was not written')
  expect((await readFile(third.at('slips.html'), 'utf8')).match(/class="slip"/g)).toHaveLength(1)
  // Nobody joins with the next change.
  await third.writeContest({ staff: 'staff.csv', duration: '4h' })
  expect((await apply(third, '--yes')).stdout).not.toContain('exist')
})
