import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { useService } from '../../client/test/support/listening-app.ts'
import {
  respondBadGateway,
  startTroubledServer,
  type Trouble,
} from '../../client/test/support/troubled-server.ts'
import { run } from '../src/run.ts'
import { judge, judgeJson } from './support/command-line.ts'
import { type ContestFolder, makeContestFolder } from './support/contest-folder.ts'

const setup = useService()

let env: Record<string, string>
let root: ReturnType<typeof setup.service.as>
beforeAll(async () => {
  const { token } = await setup.service.createPerson({ admin: true })
  env = { JUDGE_URL: setup.service.url, JUDGE_USER_TOKEN: token, TZ: 'UTC' }
  root = setup.service.as(token)
})

const HOUR_MS = 3_600_000
const later = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()

interface Contest {
  readonly id: number
  readonly folder: ContestFolder
  /** Submits as a participant, with this verdict. */
  submit(participant: number, problem: number, status: string): Promise<void>
}

/** Applies a contest, and moves it so that it has run for an hour. */
async function startContest(
  name: string,
  fields: Record<string, string> = {},
  hoursLeft = 1,
): Promise<Contest> {
  const folder = await makeContestFolder(name)
  await folder.writeContest(fields)
  const { contest_id: id } = await judgeJson(['contest', 'apply', folder.path, '--yes'], { env })
  await root.put(`/v1/events/${id}`, { start_time: later(-1), end_time: later(hoursLeft) })
  const [people, problems, [language]] = await Promise.all([
    root.get(`/v1/public/events/${id}/participants`),
    root.get(`/v1/events/${id}/problems`),
    root.get('/v1/languages'),
  ])
  // They join in any order.
  people.sort((one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1))
  const submit = async (participant: number, problem: number, status: string) => {
    const { id: submission } = await root.post('/v1/submissions', {
      ...{ user_id: people[participant].id, event_id: id, problem_id: problems[problem].problem_id },
      ...{ language_id: language.id, source_code: 'print(7)' },
    })
    await root.patch(`/v1/submissions/${submission}`, { status })
  }
  return { id, folder, submit }
}

const contest = (argv: readonly string[], options = {}) => judge(['contest', ...argv], { env, ...options })

describe('the list of contests', () => {
  it('shows times, states and people', async () => {
    const { id } = await startContest('listed')
    const { exitCode, stdout } = await contest(['list'])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^ID +TITLE +START +END +STATE +PEOPLE\n/)
    expect(stdout).toMatch(new RegExp(`^${id} +The listed .* running +2$`, 'm'))
    const listed = await judgeJson(['contest', 'list'], { env })
    expect(listed).toContainEqual(expect.objectContaining({ id, title: 'The listed' }))
  })
})

describe('a contest', () => {
  it('is shown in the time zone of its file, with its rules and problems', async () => {
    const folder = await makeContestFolder('shown')
    await folder.writeContest({
      freeze: '1h',
      penalty_minutes: '10',
      admission: 'invited',
      languages: '[Python]',
    })
    const { contest_id } = await judgeJson(['contest', 'apply', folder.path, '--yes'], { env })
    const { exitCode, stdout } = await contest(['show', folder.at('contest.yaml')])
    expect(exitCode).toBe(0)
    for (const line of [
      /^State +scheduled$/m,
      /^Now .*\(Europe\/Berlin\)$/m,
      /^Start +2100-12-01 09:00$/m,
      /^Freeze +2100-12-01 11:00$/m,
      /^Penalty +10 min$/m,
      /^Admission +invited$/m,
      /^Languages +Python$/m,
      /^People +2 participants$/m,
      /^A +The sum +red +\d+$/m,
    ])
      expect(stdout).toMatch(line)
    expect(await judgeJson(['contest', 'show', String(contest_id)], { env })).toMatchObject({
      ...{ id: contest_id, clock: { state: 'scheduled' }, open_questions: 0 },
    })
  })

  it('is named by contest.lock in the current folder if it is left out', async () => {
    const folder = await makeContestFolder('here')
    await contest(['apply', folder.path, '--yes'])
    const home = process.cwd()
    process.chdir(folder.path)
    try {
      expect((await contest(['show'])).stdout).toMatch(/^Title +The here$/m)
    } finally {
      process.chdir(home)
    }
  })

  it('shows no control characters of its title', async () => {
    const { id } = await root.post('/v1/events', {
      ...{ title: 'Evil \u001b[31m', start_time: later(1), end_time: later(2) },
    })
    expect((await contest(['show', String(id)])).stdout).toMatch(/^Title +Evil \ufffd\[31m$/m)
    expect((await contest(['list'])).stdout).not.toContain('\u001b')
  })

  it.each([
    [[], 'Which contest? This folder has no contest.lock.'],
    [['/nowhere/contest.yaml'], '/nowhere/contest.yaml: there is no such file or folder.'],
    [['99999999999'], 'is not the id of a contest'],
  ])('that %j does not name is exit code 2', async (argv, message) => {
    const { exitCode, stderr } = await contest(['show', ...argv])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
  })

  it('whose lock belongs to another service, or is damaged, is exit code 2', async () => {
    const folder = await makeContestFolder('other')
    expect((await contest(['show', folder.path])).stderr).toContain('so the contest is not created yet')
    await folder.write('contest.lock', 'service: https://judge.example.org\ncontest: 1\nproblems: {}\n')
    for (const argv of [
      ['show', folder.path],
      ['apply', folder.path, '--yes'],
    ]) {
      const { exitCode, stderr } = await contest(argv)
      expect(exitCode).toBe(2)
      expect(stderr).toContain('Use --url https://judge.example.org.')
    }
    await folder.write('contest.lock', 'contest: x\n')
    expect(await contest(['show', folder.path])).toMatchObject({ exitCode: 2 })
    await folder.write('contest.lock', `service: ${setup.service.url}\ncontest: 987654\nproblems: {}\n`)
    const deleted = await contest(['apply', folder.path, '--yes'])
    expect(deleted.exitCode).toBe(2)
    expect(deleted.stderr).toContain('remove the line "contest: 987654"')
  })
})

describe('the end of a contest', () => {
  it('moves by minutes and to a time', async () => {
    const { id, folder } = await startContest('longer')
    const { end_time } = await root.get(`/v1/public/events/${id}`)
    const { exitCode, stdout } = await contest(['extend', folder.path, '15'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('into the contest file')
    const moved = await root.get(`/v1/public/events/${id}`)
    expect(Date.parse(moved.end_time) - Date.parse(end_time)).toBe(15 * 60_000)
    await contest(['extend', folder.path, '--to', '2100-01-01 12:00'])
    expect(await root.get(`/v1/public/events/${id}`)).toMatchObject({ end_time: '2100-01-01T11:00:00Z' })
    const document = await judgeJson(['contest', 'extend', String(id), '1h'], { env })
    expect(document).toMatchObject({ contest_id: id, end_time: '2100-01-01T12:00:00Z' })
  })

  it('moves for one person', async () => {
    const { id, folder } = await startContest('extra')
    const argv = ['extend', folder.path, '--person', 'nora-extra@example.org', '30']
    const { exitCode, stdout } = await contest(argv)
    expect(exitCode).toBe(0)
    expect(stdout).toContain('Nora extra has 30 extra minutes')
    expect((await contest(['show', String(id)])).stdout).toMatch(
      /^People +2 participants, 1 with extra time$/m,
    )
    const unknown = await contest(['extend', folder.path, '--person', 'x@example.org', '30'])
    expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is x@example.org.') })
  })

  it.each([
    [['7', 'soon'], 'soon: must be a number of minutes'],
    [['7', '--to', '2026-02-30 10:00'], '--to 2026-02-30 10:00 is not in the calendar.'],
    [['1', '2', '3'], 'The arguments must be: [contest] <minutes>.'],
    [['7', '10', '--to', '2100-01-01 10:00'], 'Give either minutes or --to.'],
  ])('%j is a wrong command line', async (argv, message) => {
    const { exitCode, stderr } = await contest(['extend', ...argv])
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) })
  })

  it('is now after a question', async () => {
    const { id, folder } = await startContest('ended')
    expect(await contest(['end', folder.path])).toMatchObject({
      ...{ exitCode: 2, stderr: 'error: Without a terminal, give --yes.\n' },
    })
    const no = await contest(['end', folder.path], { stdin: 'n\r', terminals: ['stdin'] })
    expect(no).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('the contest goes on') })
    expect(await root.get(`/v1/events/${id}/clock`)).toMatchObject({ state: 'running' })
    expect(await contest(['end', folder.path, '--yes'])).toMatchObject({ exitCode: 0 })
    expect(await root.get(`/v1/events/${id}/clock`)).toMatchObject({ state: 'ended' })
    const late = await contest(['extend', folder.path, '--to', '2020-01-01 10:00'])
    expect(late).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('which has passed') })
  })
})

describe('a thaw', () => {
  it('goes step by step, and back, and then shows everything', async () => {
    const { id, folder, submit } = await startContest('frozen')
    await root.put(`/v1/events/${id}`, { freeze_time: later(-0.5) })
    await submit(0, 0, 'ACCEPTED')
    await submit(1, 1, 'WRONG_ANSWER')
    await root.post(`/v1/events/${id}/end`, {}, 200)
    const next = await contest(['thaw', folder.path, '--next'])
    expect(next.stdout).toMatch(/^Revealed: \w+ frozen, problem [AB]\. \d steps? left\.\n$/)
    expect((await contest(['thaw', folder.path, '--undo'])).stdout).toMatch(/^Hidden again: /)
    expect(await contest(['thaw', folder.path])).toMatchObject({ exitCode: 2 })
    const yes = await contest(['thaw', folder.path, '--all'], { stdin: 'y\r', terminals: ['stdin'] })
    expect(yes).toMatchObject({ exitCode: 0, stdout: 'The standings are thawed.\n' })
    expect(await contest(['thaw', folder.path, '--next', '--undo'])).toMatchObject({ exitCode: 2 })
  })
})

describe('questions', () => {
  it('are listed and answered, and announcements are made', async () => {
    const { id, folder } = await startContest('asked', { clarifications: 'staff' })
    const { token } = await setup.service.createPerson()
    const asker = setup.service.as(token)
    await asker.post(`/v1/public/events/${id}/register`)
    const { id: question } = await asker.post(`/v1/events/${id}/questions`, {
      question: 'Is n\u0007 large?\nReally?',
    })
    const open = await contest(['questions', folder.path, '--open'])
    expect(open.stdout).toContain(`${question.slice(-8)}  `)
    expect(open.stdout).toContain('open\n  Is n\ufffd large?\n  Really?\n')
    expect((await contest(['show', folder.path])).stdout).toMatch(/^Questions +1, 1 open$/m)
    const answered = await contest(['answer', folder.path, question.slice(-8), 'Yes.', '--public'])
    expect(answered).toMatchObject({
      exitCode: 0,
      stdout: 'Answered: Is n\ufffd large? Really?\n',
    })
    expect((await contest(['questions', folder.path, '--open'])).stdout).toBe('No open questions.\n')
    expect((await contest(['questions', folder.path])).stdout).toContain('\n  > (public) Yes.\n')
    await contest(['announce', folder.path, '-'], { stdin: 'Lunch is at one.\n' })
    const notices: { type?: string }[] = await asker.get('/v1/user/notifications')
    expect(JSON.stringify(notices)).toContain('Lunch is at one.')
    const unknown = await contest(['answer', folder.path, 'ffffffffffff', 'Yes.'])
    expect(unknown.exitCode).toBe(1)
    expect(await contest(['announce', folder.path, ' '])).toMatchObject({ exitCode: 2 })
    expect(await judgeJson(['contest', 'questions', folder.path], { env })).toEqual([
      expect.objectContaining({ id: question, answer: 'Yes.' }),
    ])
    expect((await contest(['show', folder.path])).stdout).toMatch(/^Questions +1$/m)
  })
})

describe('the standings', () => {
  it('have a row for each person and a column for each problem', async () => {
    const { folder, submit } = await startContest('ranked')
    await submit(1, 0, 'WRONG_ANSWER')
    await submit(1, 0, 'ACCEPTED')
    await submit(1, 1, 'WRONG_ANSWER')
    const { exitCode, stdout } = await contest(['standings', folder.path])
    expect(exitCode).toBe(0)
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^PLACE +NAME +SOLVED +TIME +A +B$/),
      expect.stringMatching(/^1 +Omar ranked +1 +8\d +2\/6\d\* +1\/-$/),
      expect.stringMatching(/^2 +Nora ranked +0 +0$/),
    ])
    expect(await judgeJson(['contest', 'standings', folder.path], { env })).toMatchObject({
      state: 'running',
    })
    expect(await contest(['standings', folder.path, '--by', 'team'])).toMatchObject({ exitCode: 1 })
  })

  it('show frozen cells as question marks to participants', async () => {
    const { id, folder, submit } = await startContest('hidden')
    await root.put(`/v1/events/${id}`, { freeze_time: later(-0.5) })
    await submit(0, 0, 'ACCEPTED')
    const { token } = await setup.service.createPerson()
    const { stdout } = await contest(['standings', folder.path], { env: { ...env, JUDGE_USER_TOKEN: token } })
    expect(stdout).toMatch(/^1 +Nora hidden +0 +0 +\?$/m)
    expect(stdout).toContain('State: frozen.')
  })

  it('are watched until Ctrl-C, also while the service is away', async () => {
    const { id, submit } = await startContest('watched')
    const troubles: Trouble[] = []
    const proxy = await startTroubledServer(setup.service.url, troubles)
    onTestFinished(() => proxy.close())
    const interrupts = new EventEmitter()
    const open = () => Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
    const io = { stdin: open(), stdout: open(), stderr: open(), env, interrupts }
    const seen = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      io[name].on('data', (chunk: Buffer) => {
        seen[name] += chunk.toString()
      })
    const finished = run(['contest', 'standings', String(id), '--watch', '--url', proxy.url], io)
    const see = (name: 'stdout' | 'stderr', pattern: RegExp) =>
      vi.waitFor(() => expect(seen[name]).toMatch(pattern), { timeout: 20_000 })
    await see('stdout', /Nora watched/)
    expect(seen.stdout.startsWith('\u001b[H\u001b[2J')).toBe(true)
    troubles.push(respondBadGateway)
    await see('stderr', /No response from .*; trying again\.\n(.*\n)*.*The service is back\.\n/)
    await submit(0, 0, 'ACCEPTED')
    await see('stdout', /1 +Nora watched +1 /)
    const draws = seen.stdout.split('\u001b[H').length - 1
    interrupts.emit('SIGINT')
    expect(await finished).toBe(130)
    expect(draws).toBe(2)
    expect(seen.stderr).toContain(`Stopped.\nWatch again: judge contest standings ${id} --watch`)
  })
})

describe('the help', () => {
  it.each([
    [['contest']],
    ...[
      ...['apply', 'list', 'show', 'extend', 'end', 'thaw', 'announce', 'questions', 'answer', 'standings'],
    ].map((name) => [['contest', name]]),
  ])('of %s teaches by examples', async (names) => {
    const { exitCode, stdout } = await judge([...names, '--help'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`  $ judge ${names.join(' ')}`)
    expect(stdout).toContain('--json')
  })
})
