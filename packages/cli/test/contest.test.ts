import { beforeAll, describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { running, scheduled } from '../../../test/support/contests.ts'
import { decisionsOf } from '../../../test/support/decisions.ts'
import { makeContestFolder, useContestAdmin } from './support/admin.ts'
import { fails, prints } from './support/command-line.ts'

const admin = await useContestAdmin()
const { contest } = admin

describe('a contest', () => {
  it('is listed, and shown in the time zone of its file, with its rules and problems', async () => {
    const folder = await makeContestFolder('shown')
    const rules = { penalty_minutes: '10', admission: 'invited', languages: '[Python]' }
    await folder.writeContest({ freeze: '1h', ...rules })
    const { contest_id: id } = await admin.runJson(['contest', 'apply', folder.path, '--yes'])
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
    const shown = await admin.runJson(['contest', 'show', String(id)])
    expect(shown).toMatchObject({ id, clock: { state: 'scheduled' }, open_questions: 0 })
    const list = await contest(['list'])
    expect(list.stdout).toMatch(/^ID +TITLE +START +END +STATE +PEOPLE\n/)
    expect(list.stdout).toMatch(new RegExp(`^${id} +The shown .* scheduled +2$`, 'm'))
    const listed = await admin.runJson(['contest', 'list'])
    expect(listed).toContainEqual(expect.objectContaining({ id, title: 'The shown' }))
    const home = process.cwd()
    process.chdir(folder.path)
    try {
      expect((await contest(['show'])).stdout, 'by contest.lock').toMatch(/^Title +The shown$/m)
    } finally {
      process.chdir(home)
    }
  })

  it('shows no control characters of its title; what names no contest is exit code 2', async () => {
    const { id } = await admin.root.post('/v1/events', { title: 'Evil', ...scheduled() })
    // From before the rule for names.
    const update = unprepared(`update events set title = $2 where id = $1`)
    await admin.service.database.query(update, [id, 'Evil \u001b[31m\u202E'])
    expect((await contest(['show', String(id)])).stdout).toMatch(/^Title +Evil \ufffd\[31m\ufffd$/m)
    const asked = await contest(['end', String(id)], { terminals: ['stdin', 'stderr'], stdin: 'n\n' })
    expect(asked.stderr).toContain('"Evil \ufffd[31m\ufffd", now?')
    expect((await contest(['list'])).stdout).not.toContain('\u001b')
    for (const [argv, message] of [
      [[], 'Which contest? This folder has no contest.lock.'],
      [['/nowhere/contest.yaml'], '/nowhere/contest.yaml: there is no such file or folder.'],
      [['99999999999'], 'is not the id of a contest'],
    ] as const)
      expect(await contest(['show', ...argv])).toMatchObject(fails(2, message))
  })

  it('whose lock belongs to another service, or is damaged, is exit code 2', async () => {
    const folder = await makeContestFolder('other')
    expect((await contest(['show', folder.path])).stderr).toContain('so the contest is not created yet')
    for (const [lock, argv, message] of [
      ['service: https://judge.example.org\ncontest: 1', ['show'], 'Use --url https://judge.example.org.'],
      ['service: https://judge.example.org\ncontest: 1', ['apply', '--yes'], 'Use --url https://judge'],
      ['contest: x', ['show'], 'contest.lock'],
      [`service: ${admin.service.url}\ncontest: 987654`, ['apply'], 'remove the line "contest: 987654"'],
    ] as const) {
      await folder.write('contest.lock', `${lock}\nproblems: {}\n`)
      expect(await contest([...argv, folder.path])).toMatchObject(fails(2, message))
    }
  })
})

describe('judge contest scoreboard', () => {
  let id: string
  beforeAll(async () => {
    const fields = { title: 'An exam', ...running(), scoreboard: 'participants' }
    id = String((await admin.root.post('/v1/events', fields)).id)
  })
  const scoreboard = (...argv: string[]) => contest(['scoreboard', id, ...argv])
  const make = (...argv: string[]) => admin.runJson(['contest', 'scoreboard', id, ...argv])

  async function readStandings(address: string): Promise<number> {
    const { origin, pathname, hash } = new URL(address)
    const headers = { authorization: hash.replace('#token=', '') }
    return (await fetch(`${origin}${pathname}/standings`, { headers })).status
  }

  it('prints an address of the page, whose token shows the standings, lists it without it, and revokes it', async () => {
    const made = await scoreboard('--label', 'Lecture hall')
    expect(made.exitCode).toBe(0)
    const address = made.stdout.trim()
    expect(address).toMatch(new RegExp(`^${admin.service.url}/v1/scoreboard/${id}#token=[\\w-]{43}$`))
    expect((await fetch(address)).headers.get('content-type')).toContain('text/html')
    expect(await readStandings(address)).toBe(200)
    const { id: tokenId, url, token } = await make('--label', 'Foyer')
    const { stdout } = await scoreboard('--list')
    expect(stdout).toMatch(new RegExp(`^${tokenId} +Foyer +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d`, 'm'))
    expect(stdout).not.toContain(token)
    expect(await scoreboard('--revoke', tokenId)).toMatchObject({ exitCode: 0 })
    expect(await readStandings(url)).toBe(401)
    expect((await scoreboard('--list')).stdout).not.toContain('Foyer')
  })

  it('revokes one by a part of its id that no other has; two wishes at once are a usage error', async () => {
    const [one, other] = [await make(), await make()]
    expect(await scoreboard('--revoke', one.id.slice(0, 1))).toMatchObject(fails(2, 'Write more of the id.'))
    expect(await scoreboard('--revoke', one.id.slice(-8).toUpperCase())).toMatchObject({ exitCode: 0 })
    expect(await scoreboard('--revoke', other.id.slice(0, -1))).toMatchObject({ exitCode: 0 })
    const { stdout } = await scoreboard('--list')
    for (const token of [one, other]) expect(stdout).not.toContain(token.id)
    for (const name of ['abc', '00000000-0000-7000-8000-000000000000'])
      expect(await scoreboard('--revoke', name)).toMatchObject(
        fails(1, `No token ${name}. List them with --list.`),
      )
    expect(await scoreboard('--list', '--label', 'Hall')).toMatchObject({ exitCode: 2 })
  })
})

describe('a rejudging', () => {
  let eventId: number
  let submissions: string[]
  beforeAll(async () => {
    const { id, submit } = await admin.startContest('again')
    eventId = id
    submissions = [await submit(0, 0, 'WRONG_ANSWER'), await submit(1, 0, 'ACCEPTED')]
  })

  const rejudge = (...argv: string[]) => admin.run(['rejudge', ...argv])
  const create = async (...options: string[]): Promise<string> =>
    (await admin.runJson(['rejudge', 'create', ...options])).id
  const inContest = () => ['--contest', String(eventId)]

  it.each([
    ['a label', () => [...inContest(), '--problem', 'a'], 2],
    ['an identifier, a verdict', () => [...inContest(), '--problem', 'sum', '--verdict', 'WRONG_ANSWER'], 1],
    ['a language and a user', () => [...inContest(), '--language', 'c', '--user', 'omar again'], 1],
    ['their ids', () => ['--submission', ...submissions], 2],
  ])('selects submissions by %s', async (_, options, total) => {
    const id = await create(...options(), '--reason', 'test 3')
    expect(await admin.runJson(['rejudge', 'show', id])).toMatchObject({ total, reason: 'test 3' })
    const stdout = `Cancelled rejudging ${id}. All verdicts stay as they are.\n`
    expect(await rejudge('cancel', id)).toEqual({ exitCode: 0, stderr: '', stdout })
  })

  it('needs a selection, and a problem of the contest', async () => {
    expect(await rejudge('create')).toMatchObject({ exitCode: 2, stdout: '' })
    const unknown = new RegExp(`^error: Contest ${eventId} has no problem Z. Its problems:\n  A  The sum `)
    expect(await rejudge('create', ...inContest(), '--problem', 'Z')).toMatchObject(fails(1, unknown))
  })

  it('waits, also after --timeout, shows changes and ranks, asks, and applies the verdicts', async () => {
    const finer = { status: 'WRONG_ANSWER', reason: 'PRESENTATION_ERROR' }
    // Admins lack no capability.
    await admin.root.patch(`/v1/submissions/${submissions[0]}`, finer, 204)
    const id = await create(...inContest(), '--verdict', finer.reason)
    const goesOn = `error: There is no result after 0.01 s.\nThe rejudging goes on: judge rejudge show ${id} --wait\n`
    const impatient = await rejudge('show', id, '--wait', '--timeout', '0.01')
    expect(impatient).toMatchObject({ exitCode: 1, stderr: goesOn })
    expect(await rejudge('apply', id, '--yes')).toMatchObject({ exitCode: 1, stdout: '' })
    expect(await rejudge('apply', id)).toMatchObject(fails(2, 'give --yes'))
    const waiting = rejudge('show', id, '--wait')
    await decisionsOf({ service: admin.service, admin: admin.root }).judgeAll(id, 'ACCEPTED')
    const { stdout } = await waiting
    const [wrong] = submissions
    expect(stdout).toContain('Judged     1 of 1 submission\nChanged    1 verdict\n')
    expect(stdout).toMatch(
      new RegExp(`^${wrong} +Nora again +A +WRONG_ANSWER \\(PRESENTATION_ERROR\\) +ACCEPTED$`, 'm'),
    )
    expect(stdout).toMatch(/^Nora again +user +2 +1$/m)
    expect(stdout).toContain(`Apply it with: judge rejudge apply ${id}\n`)
    const terminals = ['stdin', 'stderr'] as const
    const refused = await admin.run(['rejudge', 'apply', id], { terminals, stdin: 'n\r' })
    expect(refused).toMatchObject({ ...fails(2, `Apply rejudging ${id}? 1 verdict and `), stdout: '' })
    const applied = await admin.run(['rejudge', 'apply', id, '--yes'], { terminals })
    expect(applied).toMatchObject(prints(/^Applied: 1 verdict changed, \d ranks? changed\.\n$/))
    expect((await admin.service.judge.get(`/v1/submissions/${wrong}`)).status).toBe('ACCEPTED')
    expect((await rejudge('cancel', id)).stderr).toBe('error: The rejudging was applied already\n')
  })
})
