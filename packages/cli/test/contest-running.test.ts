import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../../test/support/until.ts'
import {
  respondBadGateway,
  startTroubledServer,
  type Trouble,
} from '../../client/test/support/troubled-server.ts'
import { run } from '../src/run.ts'
import { judgeJson } from './support/command-line.ts'
import { later, useContestAdmin } from './support/running-contest.ts'

const admin = useContestAdmin()
const { contest, startContest } = admin

describe('the end of a contest', () => {
  it('moves by minutes and to a time', async () => {
    const { id, folder } = await startContest('longer')
    const { end_time } = await admin.root.get(`/v1/public/events/${id}`)
    const { exitCode, stdout } = await contest(['extend', folder.path, '15'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('into the contest file')
    const moved = await admin.root.get(`/v1/public/events/${id}`)
    expect(Date.parse(moved.end_time) - Date.parse(end_time)).toBe(15 * 60_000)
    await contest(['extend', folder.path, '--to', '2100-01-01 12:00'])
    expect(await admin.root.get(`/v1/public/events/${id}`)).toMatchObject({
      end_time: '2100-01-01T11:00:00Z',
    })
    const document = await judgeJson(['contest', 'extend', String(id), '1h'], { env: admin.env })
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
    const again = await contest(['extend', folder.path, '--person', 'Nora extra', '10'])
    expect(again.stdout).toContain('Nora extra has 10 extra minutes in total (before: 30), and may')
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
    expect(await admin.root.get(`/v1/events/${id}/clock`)).toMatchObject({ state: 'running' })
    expect(await contest(['end', folder.path, '--yes'])).toMatchObject({ exitCode: 0 })
    expect(await admin.root.get(`/v1/events/${id}/clock`)).toMatchObject({ state: 'ended' })
    const late = await contest(['extend', folder.path, '--to', '2020-01-01 10:00'])
    expect(late).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('which has passed') })
  })

  it('moves after the contest has ended only after a question: people may submit again', async () => {
    const { id, folder } = await startContest('reopened')
    await admin.root.put(`/v1/events/${id}`, { freeze_time: later(-0.5) })
    await admin.root.post(`/v1/events/${id}/end`, {}, 200)
    await contest(['thaw', folder.path, '--yes'])
    const clock = () => admin.root.get(`/v1/events/${id}/clock`)
    const nora = ['--person', 'nora-reopened@example.org']
    for (const argv of [['5'], [...nora, '5']]) {
      const quiet = await contest(['extend', folder.path, ...argv])
      expect(quiet).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('Without a terminal, give --yes.'),
      })
      const no = await contest(['extend', folder.path, ...argv], { stdin: 'n\r', terminals: ['stdin'] })
      expect(no).toMatchObject({
        exitCode: 2,
        stderr: expect.stringMatching(
          /has ended at .*\nThen (everybody|Nora reopened) may submit again, until .*\n.*hidden again[\s\S]*stays ended/,
        ),
      })
      expect(await clock()).toMatchObject({ state: 'ended' })
    }
    expect(await contest(['extend', folder.path, ...nora, '5', '--yes'])).toMatchObject({ exitCode: 0 })
    expect(await clock()).toMatchObject({ state: 'frozen', extra_time: true })
    const yes = await contest(['extend', folder.path, '5'], { stdin: 'y\r', terminals: ['stdin'] })
    expect(yes).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(' ends 5 minutes later, at ') })
    expect(await clock()).not.toHaveProperty('extra_time')
  })
})

describe('a thaw', () => {
  it('goes step by step, and back, and then shows everything', async () => {
    const { id, folder, submit } = await startContest('frozen')
    await admin.root.put(`/v1/events/${id}`, { freeze_time: later(-0.5) })
    await submit(0, 0, 'ACCEPTED')
    await submit(1, 1, 'WRONG_ANSWER')
    await admin.root.post(`/v1/events/${id}/end`, {}, 200)
    const next = await contest(['thaw', folder.path, '--next'])
    expect(next.stdout).toMatch(/^Revealed: \w+ frozen, problem [AB]\. \d steps? left\.\n$/)
    expect((await contest(['thaw', folder.path, '--undo'])).stdout).toMatch(/^Hidden again: /)
    expect(await contest(['thaw', folder.path])).toMatchObject({ exitCode: 2 })
    const yes = await contest(['thaw', folder.path, '--all'], { stdin: 'y\r', terminals: ['stdin'] })
    expect(yes).toMatchObject({ exitCode: 0, stdout: 'The standings are thawed.\n' })
    expect(await contest(['thaw', folder.path, '--next', '--undo'])).toMatchObject({ exitCode: 2 })
  })

  it('names the people who may still submit', async () => {
    const { id, folder } = await startContest('waiting')
    await admin.root.put(`/v1/events/${id}`, { freeze_time: later(-0.5) })
    await contest(['extend', folder.path, '--person', 'nora-waiting@example.org', '90'])
    const early = await contest(['thaw', folder.path, '--yes'])
    expect(early.exitCode).toBe(1)
    expect(early.stderr).toMatch(
      /after the end of the last participant\.\nThe contest ends at .*\nThese people may submit longer:\n/,
    )
    await admin.root.post(`/v1/events/${id}/end`, {}, 200)
    const { exitCode, stderr } = await contest(['thaw', folder.path, '--next'])
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(
      /last participant\.\nThese people may submit longer:\n {2}Nora waiting <Nora-waiting@example\.org>: 90 extra minutes, until 2\d{3}-.* \(Europe\/Berlin\)\n$/,
    )
  })
})

describe('questions', () => {
  it('are listed and answered, and announcements are made', async () => {
    const { id, folder } = await startContest('asked', { clarifications: 'staff' })
    const { token } = await admin.service.createPerson()
    const asker = admin.service.as(token)
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
    const shorter = ['answer', folder.path, question.slice(-8), 'No.']
    expect((await contest(shorter)).stdout).toContain('It was public, and stays public.')
    expect((await contest(['questions', folder.path])).stdout).toContain('\n  > (public) No.\n')
    expect(await contest([...shorter, '--private', '--public'])).toMatchObject({ exitCode: 2 })
    expect((await contest([...shorter, '--private'])).stdout).toContain('Now only its author')
    expect((await contest(['questions', folder.path])).stdout).toContain('\n  > No.\n')
    expect((await contest([...shorter, '--public'])).stdout).not.toContain('It was')
    await contest(['announce', folder.path, '-'], { stdin: 'Lunch is at one.\n' })
    const notices: { type?: string }[] = await asker.get('/v1/user/notifications')
    expect(JSON.stringify(notices)).toContain('Lunch is at one.')
    const unknown = await contest(['answer', folder.path, 'ffffffffffff', 'Yes.'])
    expect(unknown.exitCode).toBe(1)
    expect(await contest(['announce', folder.path, ' '])).toMatchObject({ exitCode: 2 })
    expect(await judgeJson(['contest', 'questions', folder.path], { env: admin.env })).toEqual([
      expect.objectContaining({ id: question, answer: 'No.' }),
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
    expect(await judgeJson(['contest', 'standings', folder.path], { env: admin.env })).toMatchObject({
      state: 'running',
    })
    expect(await contest(['standings', folder.path, '--by', 'team'])).toMatchObject({ exitCode: 1 })
  })

  it('show frozen cells as question marks to participants', async () => {
    const { id, folder, submit } = await startContest('hidden')
    await admin.root.put(`/v1/events/${id}`, { freeze_time: later(-0.5) })
    await submit(0, 0, 'ACCEPTED')
    const { token } = await admin.service.createPerson()
    const { stdout } = await contest(['standings', folder.path], {
      env: { ...admin.env, JUDGE_USER_TOKEN: token },
    })
    expect(stdout).toMatch(/^1 +Nora hidden +0 +0 +\?$/m)
    expect(stdout).toContain('State: frozen.')
  })

  it('are watched until Ctrl-C, also while the service is away', async () => {
    const { id, submit } = await startContest('watched')
    const troubles: Trouble[] = []
    const proxy = await startTroubledServer(admin.service.url, troubles)
    onTestFinished(() => proxy.close())
    const interrupts = new EventEmitter()
    const open = () => Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
    const io = { stdin: open(), stdout: open(), stderr: open(), env: admin.env, interrupts }
    const seen = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      io[name].on('data', (chunk: Buffer) => {
        seen[name] += chunk.toString()
      })
    const finished = run(['contest', 'standings', String(id), '--watch', '--url', proxy.url], io)
    const see = (name: 'stdout' | 'stderr', pattern: RegExp) =>
      until(() => expect(seen[name]).toMatch(pattern))
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
