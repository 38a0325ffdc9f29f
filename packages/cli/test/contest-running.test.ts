import { describe, expect, it, onTestFinished } from 'vitest'
import { isoIn } from '../../../test/support/contests.ts'
import { until } from '../../../test/support/until.ts'
import * as ofServer from '../../client/test/support/troubled-server.ts'
import { useContestAdmin } from './support/admin.ts'
import { fails, prints, startInTerminal } from './support/command-line.ts'

const admin = await useContestAdmin()
const { contest, startContest } = admin

const answering = (stdin: string) => ({ stdin, terminals: ['stdin'] as const })

describe('the end of a contest', () => {
  it('moves by minutes, to a time, and for one person', async () => {
    const { id, folder } = await startContest('longer')
    const readEnd = async (): Promise<string> => (await admin.root.get(`/v1/public/events/${id}`)).end_time
    const before = await readEnd()
    expect(await contest(['extend', folder.path, '15'])).toMatchObject(prints('into the contest file'))
    expect(Date.parse(await readEnd()) - Date.parse(before)).toBe(15 * 60_000)
    await contest(['extend', folder.path, '--to', '2100-01-01 12:00'])
    expect(await readEnd()).toBe('2100-01-01T11:00:00Z')
    const document = await admin.runJson(['contest', 'extend', String(id), '1h'])
    expect(document).toMatchObject({ contest_id: id, end_time: '2100-01-01T12:00:00Z' })

    const extend = (person: string, minutes: string) =>
      contest(['extend', folder.path, '--person', person, minutes])
    const extra = await extend('nora-longer@example.org', '30')
    expect(extra).toMatchObject(prints('Nora longer has 30 extra minutes'))
    const shown = await contest(['show', String(id)])
    expect(shown.stdout).toMatch(/^People +2 participants, 1 with extra time$/m)
    const again = await extend('Nora longer', '10')
    expect(again).toMatchObject(prints('Nora longer has 10 extra minutes in total (before: 30), and may'))
    expect(await extend('x@example.org', '30')).toMatchObject(fails(1, 'is x@example.org.'))
  })

  it.each([
    [['7', 'soon'], 'soon: must be a number of minutes'],
    [['7', '--to', '2026-02-30 10:00'], '--to 2026-02-30 10:00 is not in the calendar.'],
    [['1', '2', '3'], 'The arguments must be: [contest] <minutes>.'],
    [['7', '10', '--to', '2100-01-01 10:00'], 'Give either minutes or --to.'],
  ])('%j is a wrong command line', async (argv, message) => {
    expect(await contest(['extend', ...argv])).toMatchObject(fails(2, message))
  })

  it('is now after a question, and moves then only after a question: people may submit again', async () => {
    const { id, folder } = await startContest('ended')
    const clock = () => admin.root.get(`/v1/events/${id}/clock`)
    const unasked = fails(2, 'Without a terminal, give --yes.')
    expect(await contest(['end', folder.path])).toMatchObject(unasked)
    const no = await contest(['end', folder.path], answering('n\r'))
    expect(no).toMatchObject(fails(2, 'the contest goes on'))
    expect(await clock()).toMatchObject({ state: 'running' })
    expect(await contest(['end', folder.path, '--yes'])).toMatchObject({ exitCode: 0 })
    expect(await clock()).toMatchObject({ state: 'ended' })
    const late = await contest(['extend', folder.path, '--to', '2020-01-01 10:00'])
    expect(late).toMatchObject(fails(2, 'which has passed'))

    await admin.root.put(`/v1/events/${id}`, { freeze_time: isoIn(-30) })
    await contest(['thaw', folder.path, '--yes'])
    const nora = ['--person', 'nora-ended@example.org']
    for (const argv of [['5'], [...nora, '5']]) {
      expect(await contest(['extend', folder.path, ...argv])).toMatchObject(unasked)
      const reopened =
        /has ended at .*\nThen (everybody|Nora ended) may submit again, until .*\n.*hidden again[\s\S]*stays ended/
      const refused = await contest(['extend', folder.path, ...argv], answering('n\r'))
      expect(refused).toMatchObject(fails(2, reopened))
      expect(await clock()).toMatchObject({ state: 'ended' })
    }
    expect(await contest(['extend', folder.path, ...nora, '5', '--yes'])).toMatchObject({ exitCode: 0 })
    expect(await clock()).toMatchObject({ state: 'frozen', extra_time: true })
    const yes = await contest(['extend', folder.path, '5'], answering('y\r'))
    expect(yes).toMatchObject(prints(' ends 5 minutes later, at '))
    expect(await clock()).not.toHaveProperty('extra_time')
  })
})

describe('a thaw', () => {
  it('goes step by step, and back, and then shows everything', async () => {
    const { id, folder, submit } = await startContest('frozen')
    await admin.root.put(`/v1/events/${id}`, { freeze_time: isoIn(-30) })
    await submit(0, 0, 'ACCEPTED')
    await submit(1, 1, 'WRONG_ANSWER')
    await admin.root.post(`/v1/events/${id}/end`, {}, 200)
    const next = await contest(['thaw', folder.path, '--next'])
    expect(next.stdout).toMatch(/^Revealed: \w+ frozen, problem [AB]\. \d steps? left\.\n$/)
    expect((await contest(['thaw', folder.path, '--undo'])).stdout).toMatch(/^Hidden again: /)
    expect(await contest(['thaw', folder.path])).toMatchObject({ exitCode: 2 })
    const yes = await contest(['thaw', folder.path, '--all'], answering('y\r'))
    expect(yes).toMatchObject({ exitCode: 0, stdout: 'The standings are thawed.\n' })
    expect(await contest(['thaw', folder.path, '--next', '--undo'])).toMatchObject({ exitCode: 2 })
  })

  it('names the people who may still submit', async () => {
    const { id, folder } = await startContest('waiting')
    await admin.root.put(`/v1/events/${id}`, { freeze_time: isoIn(-30) })
    await contest(['extend', folder.path, '--person', 'nora-waiting@example.org', '90'])
    const before =
      /after the end of the last participant\.\nThe contest ends at .*\nThese people may submit longer:\n/
    expect(await contest(['thaw', folder.path, '--yes'])).toMatchObject(fails(1, before))
    await admin.root.post(`/v1/events/${id}/end`, {}, 200)
    const after =
      /last participant\.\nThese people may submit longer:\n {2}Nora waiting <Nora-waiting@example\.org>: 90 extra minutes, until 2\d{3}-.* \(Europe\/Berlin\)\n$/
    expect(await contest(['thaw', folder.path, '--next'])).toMatchObject(fails(1, after))
  })
})

it('questions are listed and answered, and announcements are made', async () => {
  const { id, folder } = await startContest('asked', { clarifications: 'staff' })
  const show = async (command = 'questions', ...options: string[]) =>
    (await contest([command, folder.path, ...options])).stdout
  const asker = await admin.service.createPerson()
  await asker.post(`/v1/public/events/${id}/register`)
  const body = { question: 'Is n\u0007 large?\nReally?' }
  const { id: question } = await asker.post(`/v1/events/${id}/questions`, body)
  const open = await show('questions', '--open')
  expect(open).toContain(`${question.slice(-8)}  `)
  expect(open).toContain('open\n  Is n\ufffd large?\n  Really?\n')
  expect(await show('show')).toMatch(/^Questions +1, 1 open$/m)
  const answer = (...argv: string[]) => contest(['answer', folder.path, question.slice(-8), ...argv])
  const answered = await answer('Yes.', '--public')
  expect(answered).toMatchObject({ exitCode: 0, stdout: 'Answered: Is n\ufffd large? Really?\n' })
  expect(await show('questions', '--open')).toBe('No open questions.\n')
  expect(await show()).toContain('\n  > (public) Yes.\n')
  expect(await answer('No.')).toMatchObject(fails(1, /answered already.* --replace\.\n$/))
  expect(await answer('Yes.')).toMatchObject({ exitCode: 0 })
  expect((await answer('No.', '--replace')).stdout).toContain('It was public, and stays public.')
  expect(await show()).toContain('\n  > (public) No.\n')
  expect(await answer('No.', '--private', '--public')).toMatchObject({ exitCode: 2 })
  expect((await answer('No.', '--private', '--replace')).stdout).toContain('Now only its author')
  expect(await show()).toContain('\n  > No.\n')
  expect((await answer('No.', '--public', '--replace')).stdout).not.toContain('It was')
  await contest(['announce', folder.path, '-'], { stdin: 'Lunch is at one.\n' })
  expect(JSON.stringify(await asker.get('/v1/user/notifications'))).toContain('Lunch is at one.')
  expect(await contest(['answer', folder.path, 'ffffffffffff', 'Yes.'])).toMatchObject({ exitCode: 1 })
  expect(await contest(['announce', folder.path, ' '])).toMatchObject({ exitCode: 2 })
  await admin.root.put(`/v1/events/${id}`, { clarifications: null })
  expect(await show()).toMatch(/\n {2}> [^\n]+: No\.\n$/)
  const listed = await admin.runJson(['contest', 'questions', folder.path])
  expect(listed).toEqual([expect.objectContaining({ id: question, answer: 'No.' })])
  expect(await show('show')).toMatch(/^Questions +1$/m)
})

describe('the standings', () => {
  it('have a row for each person and a column for each problem; participants see frozen cells as ?', async () => {
    const { id, folder, submit } = await startContest('ranked')
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
    expect(await admin.runJson(['contest', 'standings', folder.path])).toMatchObject({ state: 'running' })
    expect(await contest(['standings', folder.path, '--by', 'team'])).toMatchObject({ exitCode: 1 })
    await admin.root.put(`/v1/events/${id}`, { freeze_time: isoIn(-30) })
    const frozen = await contest(['standings', folder.path], await admin.asUser())
    expect(frozen.stdout).toMatch(/^1 +Omar ranked +0 +0 +\?\?? +\?$/m)
    expect(frozen.stdout).toContain('State: frozen.')
  })

  it('are watched until Ctrl-C, also while the service is away', async () => {
    const { id, submit } = await startContest('watched')
    const troubles: ofServer.Trouble[] = []
    const proxy = await ofServer.startTroubledServer(admin.service.url, troubles)
    onTestFinished(() => proxy.close())
    const argv = ['contest', 'standings', String(id), '--watch', '--url', proxy.url]
    const { printed, interrupts, exitCode } = startInTerminal(argv, admin.env)
    const see = (name: 'stdout' | 'stderr', pattern: RegExp) =>
      until(() => expect(printed[name]).toMatch(pattern))
    await see('stdout', /Nora watched/)
    expect(printed.stdout.startsWith('\u001b[H\u001b[2J')).toBe(true)
    troubles.push(ofServer.respondBadGateway)
    await see('stderr', /No response from .*; trying again\.\n(.*\n)*.*The service is back\.\n/)
    await submit(0, 0, 'ACCEPTED')
    await see('stdout', /1 +Nora watched +1 /)
    const draws = printed.stdout.split('\u001b[H').length - 1
    interrupts.emit('SIGINT')
    expect(await exitCode).toBe(130)
    expect(draws).toBe(2)
    expect(printed.stderr).toContain(`Stopped.\nWatch again: judge contest standings ${id} --watch`)
  })
})
