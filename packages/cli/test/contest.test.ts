import { describe, expect, it } from 'vitest'
import { judge, judgeJson } from './support/command-line.ts'
import { makeContestFolder } from './support/contest-folder.ts'
import { later, useContestAdmin } from './support/running-contest.ts'

const admin = useContestAdmin()
const { contest, startContest } = admin

describe('the list of contests', () => {
  it('shows times, states and people', async () => {
    const { id } = await startContest('listed')
    const { exitCode, stdout } = await contest(['list'])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^ID +TITLE +START +END +STATE +PEOPLE\n/)
    expect(stdout).toMatch(new RegExp(`^${id} +The listed .* running +2$`, 'm'))
    const listed = await judgeJson(['contest', 'list'], { env: admin.env })
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
    const { contest_id } = await judgeJson(['contest', 'apply', folder.path, '--yes'], { env: admin.env })
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
    expect(await judgeJson(['contest', 'show', String(contest_id)], { env: admin.env })).toMatchObject({
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
    const { id } = await admin.root.post('/v1/events', {
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
    await folder.write('contest.lock', `service: ${admin.service.url}\ncontest: 987654\nproblems: {}\n`)
    const deleted = await contest(['apply', folder.path, '--yes'])
    expect(deleted.exitCode).toBe(2)
    expect(deleted.stderr).toContain('remove the line "contest: 987654"')
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
