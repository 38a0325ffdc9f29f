import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { callerOf } from '../../support/caller.ts'
import { createContest, INSTANT } from '../../support/contests.ts'
import { NOBODY, UUID } from '../../support/ids.ts'
import { queueAgain, serviceWithProblem } from '../../support/judging.ts'
import { forbidden, invalidField, notFound, refusal, unauthorized } from '../../support/refusals.ts'

const judging = await serviceWithProblem()
const { service, admin, user, stranger, problem, giveVerdict } = judging
const judge = callerOf(service, service.judgeToken, { 'judge-capabilities': 'test-groups/1' })
const [firstCase = '', secondCase = ''] = problem.cases
const withPoints = await judging.createProblem()
await service.database.query(
  unprepared(`update problems set judging_options = '{"test_groups": [], "max_score": 33.3}' where id = $1`),
  [withPoints.id],
)

const ofResult = { time_elapsed: 0.25, memory_used: 2048, team_message: 'Line 2 is wrong.' }
const ofStaff = { status: 'WRONG_ANSWER', score: 1.125, judge_message: 'token 7', transcript: '< 1\n> 2\n' }
const outputs = { stdout: 'out', stderr: 'err' }
const ofVerdict = { status: 'WRONG_ANSWER', ...outputs, time_elapsed: 0.5, failed_test_case_id: secondCase }
const details = { memory_used: 4096, worker: 'judge-1', judge_message: 'validated' }
const passed = { test_case_id: firstCase, passed: true }
const failed = { test_case_id: secondCase, passed: false }
const verdict = {
  ...{ ...ofVerdict, ...details },
  test_case_results: [
    { ...passed, ...outputs },
    { ...failed, ...outputs, ...ofResult, ...ofStaff },
  ],
}

const judgingsOf = (id: string) => judge.get(`/v1/submissions/${id}/judgings`)

describe('the details of a verdict', () => {
  it('are visible to the owner as far as they are for the owner, in record, lists and verdicts', async () => {
    const event_id = await createContest(judging, [{ problem_id: problem.id }], { user_id: admin.id })
    const id = await judging.submit(user, { event_id })
    const record = await user.get(`/v1/submissions/${id}`)
    await giveVerdict(id, verdict)
    const stored = { id: expect.stringMatching(UUID), submission_id: id, ...outputs }
    const test_case_results = [
      { ...passed, ...stored },
      { ...failed, ...stored, ...ofResult },
    ]
    const listed = { ...record, ...ofVerdict, memory_used: 4096 }
    expect(await user.get(`/v1/submissions/${id}`)).toEqual({ ...listed, test_case_results })
    for (const list of [`user_submissions/${user.id}`, `events/${event_id}/submissions?user=${user.id}`])
      expect(await user.get(`/v1/${list}`)).toEqual([listed])
    const { source_code, stdout, stderr, ...redacted } = listed
    expect(await admin.get(`/v1/events/${event_id}/submissions`)).toEqual([redacted])
    const judged = { judging: 1, attempt: 1, judged_at: expect.stringMatching(INSTANT) }
    const shown = { ...judged, ...ofVerdict, memory_used: 4096 }
    expect(await user.get(`/v1/submissions/${id}/verdicts`)).toEqual([{ ...shown, test_case_results }])
  })

  it('have messages without control and direction characters; line breaks and tabs stay (D7)', async () => {
    const id = await judging.submit(user)
    const sent = 'a\tb\r\nc\rd\ne\0\u001B[2J\u0085\u202Ef\u2066g\u200F \u0646\u200C\u0627\u200B'
    const stored = 'a\tb\r\ncd\ne\uFFFD[2Jfg \u0646\u200C\u0627\u200B'
    const messages = { judge_message: sent, team_message: sent, transcript: '\u001B' }
    const results = [{ ...failed, ...messages }]
    await giveVerdict(id, { ...ofVerdict, judge_message: sent, test_case_results: results })
    const shown = { judge_message: stored, team_message: stored, transcript: '\u001B' }
    expect(await judgingsOf(id)).toMatchObject([{ judge_message: stored, test_case_results: [shown] }])
    const record = await user.get(`/v1/submissions/${id}`)
    expect(record.test_case_results).toMatchObject([{ team_message: stored }])
  })

  it('are complete for judges and admins in the judgings, also after a rejudging; the owner gets 403', async () => {
    const id = await judging.submit(user)
    const url = `/v1/submissions/${id}/judgings`
    const none = { stdout: '', stderr: '', time_elapsed: 0, failed_test_case_id: null, test_case_results: [] }
    const pending = { status: 'PENDING', ...none }
    expect(await judgingsOf(id)).toEqual([{ judging: 1, attempt: 1, ...pending }])
    await giveVerdict(id, { status: 'WRONG_ANSWER', test_case_results: [passed, failed] })
    await giveVerdict(id, verdict)
    const first = { judging: 1, attempt: 1, judged_at: expect.stringMatching(INSTANT) }
    const simple = { ...first, ...none, status: 'WRONG_ANSWER', test_case_results: [passed, failed] }
    const full = { ...first, ...ofVerdict, ...details }
    const judged = [{ ...full, test_case_results: [passed, { ...failed, ...ofResult, ...ofStaff }] }, simple]
    for (const caller of [judge, admin]) expect(await caller.get(url)).toEqual(judged)
    await admin.post('/v1/admin/rejudge', { submission_id: id }, 200)
    expect(await judgingsOf(id)).toEqual([{ judging: 2, attempt: 2, ...pending }, ...judged])
    expect(await user.get(`/v1/submissions/${id}`)).not.toHaveProperty('memory_used')
    for (const caller of [user, stranger]) await caller.get(url, forbidden)
    await judge.get(`/v1/submissions/${NOBODY}/judgings`, notFound('submission'))
  })

  it('keep every character that can be stored (D7), and have at most 1 MiB for each text (400)', async () => {
    const id = await judging.submit(user)
    const texts = { judge_message: 'a\0b\uD800', team_message: '🙂\0', transcript: '\0' }
    await giveVerdict(id, { ...verdict, judge_message: 'é\0', test_case_results: [{ ...failed, ...texts }] })
    const read = { judge_message: 'a\uFFFDb\uFFFD', team_message: '🙂\uFFFD', transcript: '\uFFFD' }
    const [newest] = await judgingsOf(id)
    expect(newest).toMatchObject({ judge_message: 'é\uFFFD', test_case_results: [read] })
    const long = 'é'.repeat(2 ** 19)
    const url = `/v1/submissions/${id}`
    for (const name of ['judge_message', 'team_message', 'transcript']) {
      const withText = (text: string) => ({ ...verdict, test_case_results: [{ ...failed, [name]: text }] })
      await judge.patch(url, withText(long), 204)
      await judge.patch(url, withText(`${long}a`), invalidField(`test_case_results.0.${name}`))
    }
    await judge.patch(url, { ...verdict, judge_message: `${long}a` }, invalidField('judge_message'))
    const longName = 'w'.repeat(256)
    for (const wrong of [{ memory_used: 1.5 }, { memory_used: -1 }, { worker: longName }, { score: -1 }])
      await judge.patch(url, { ...verdict, ...wrong }, invalidField(Object.keys(wrong)[0] ?? ''))
  })
})

describe('the reason of a verdict (D23)', () => {
  const PE = { status: 'WRONG_ANSWER', reason: 'PRESENTATION_ERROR' }
  const OLE = { status: 'RUNTIME_ERROR', reason: 'OUTPUT_LIMIT_EXCEEDED' }

  it('is shown wherever the status of a verdict is, to everybody who sees that, and nowhere else', async () => {
    const contest = { user_id: admin.id, teams: true }
    const event_id = await createContest(judging, [{ problem_id: problem.id }], contest)
    const { team_id } = await user.post(`/v1/events/${event_id}/teams`, { name: 'Ours' })
    await stranger.post(`/v1/events/${event_id}/teams/${team_id}/join`)
    const id = await judging.submit(user, { event_id })
    const record = `/v1/submissions/${id}`
    const lists = [`user_submissions/${user.id}`, `user_problem_submissions/${user.id}/${problem.id}`]
    const ofContest = `events/${event_id}/submissions`
    const readers = [
      ...[user, admin, judge].map((caller) => [caller, record] as const),
      ...[user, admin, judge].map((caller) => [caller, `${record}/verdicts`] as const),
      ...[admin, judge].map((caller) => [caller, `${record}/judgings`] as const),
      ...lists.map((list) => [user, `/v1/${list}?limit=1`] as const),
      ...[user, stranger].map((caller) => [caller, `/v1/${ofContest}?team=${team_id}`] as const),
      ...([
        [user, `/v1/${ofContest}?user=${user.id}`],
        [admin, `/v1/${ofContest}`],
      ] as const),
    ]
    const readAll = () =>
      Promise.all(readers.map(async ([caller, url]) => [await caller.get(url)].flat().slice(0, 1)))
    for (const one of (await readAll()).flat()) expect(one).not.toHaveProperty('reason')
    for (const verdict of [PE, OLE]) {
      await giveVerdict(id, verdict)
      for (const shown of await readAll()) expect(shown).toMatchObject([verdict])
      expect(await user.get(`${record}/status`)).toEqual({ id, status: verdict.status })
    }
    await giveVerdict(id, { status: 'RUNTIME_ERROR', reason: null })
    for (const [one] of await readAll()) expect(one).not.toHaveProperty('reason')
  })

  it('stays in the history; a rejudging removes it', async () => {
    const id = await judging.submit(user)
    for (const verdict of [PE, OLE]) await giveVerdict(id, verdict)
    await admin.post('/v1/admin/rejudge', { submission_id: id }, 200)
    expect(await user.get(`/v1/submissions/${id}`)).not.toHaveProperty('reason')
    expect(await user.get(`/v1/submissions/${id}/verdicts`)).toMatchObject([OLE, PE])
    const [pending, ...judged] = await judgingsOf(id)
    expect(pending).not.toHaveProperty('reason')
    expect(judged).toMatchObject([OLE, PE])
  })

  it('is refused with another status (400), as are unknown reasons', async () => {
    const id = await judging.submit(user)
    const url = `/v1/submissions/${id}`
    const needs = (reason: string, status: string) =>
      refusal(400, '400', `reason ${reason} needs the status ${status}`)
    for (const status of ['ACCEPTED', 'RUNTIME_ERROR', 'PRESENTATION_ERROR', 'INTERNAL_ERROR'])
      await judge.patch(url, { ...PE, status }, needs(PE.reason, PE.status))
    for (const status of ['ACCEPTED', 'WRONG_ANSWER', 'OUTPUT_LIMIT_EXCEEDED', 'COMPILE_TIME_ERROR'])
      await judge.patch(url, { ...OLE, status }, needs(OLE.reason, OLE.status))
    for (const reason of ['WRONG_ANSWER', 'GREAT', '', 1])
      await judge.patch(url, { ...PE, reason }, invalidField('reason'))
    expect(await user.get(url)).toMatchObject({ status: 'PENDING' })
  })

  it('disappears with its status if an instance of 0.2.0 writes the next verdict', async () => {
    const shadow = await admin.post('/v1/admin/shadow_judgings', {
      submission_id: await judging.submit(user),
    })
    for (const [table, id] of [
      ['submissions', await judging.submit(user)],
      ['shadow_judgings', shadow.id],
    ]) {
      const write = unprepared(`update ${table} set status = $2, judged_at = now() where id = $1`)
      for (const status of ['ACCEPTED', 'PENDING']) {
        await giveVerdict(id, PE)
        await service.database.query(write, [id, status])
        const record = await judge.get(`/v1/submissions/${id}`)
        expect([record.status, record.reason]).toEqual([status, undefined])
      }
    }
  })
})

describe('the score of a verdict', () => {
  const full = refusal(400, '400', 'score must be 33.3, the problem’s max_score, with ACCEPTED')
  const wrong = 'WRONG_ANSWER'

  it.each([
    [wrong, 0, 0],
    [wrong, 12.345, 12.35],
    [wrong, 33.296, 33.29],
    [wrong, 33.2999999999, 33.29],
    [wrong, 33.3, 33.3],
    ['ACCEPTED', 33.3, 33.3],
    ['ACCEPTED', 11.1 + 11.1 + 11.1, 33.3],
    ['ACCEPTED', 33.29, full],
    ['ACCEPTED', undefined, full],
    ['INTERNAL_ERROR', undefined, undefined],
    ['INTERNAL_ERROR', 33.3, undefined],
    ['COMPILE_TIME_ERROR', 1, undefined],
    [wrong, 33.31, refusal(400, '400', 'score must be at most 33.3, the problem’s max_score')],
    [wrong, 1e300, refusal(400, '400', 'score must be at most 33.3, the problem’s max_score')],
  ])('with %s and %s points', async (status, score, expected) => {
    const id = await judging.submit(user, { problem_id: withPoints.id })
    const isRefused = typeof expected === 'object'
    await judge.patch(`/v1/submissions/${id}`, { status, score }, isRefused ? expected : 204)
    const record = await user.get(`/v1/submissions/${id}`)
    const points = expected === undefined ? {} : { score: expected }
    const stored = isRefused ? { status: 'PENDING' } : { status, ...points }
    const { test_case_results, ...listed } = record
    expect(record).toMatchObject({ ...stored, max_score: 33.3 })
    expect('score' in record).toBe('score' in stored)
    const [item] = await user.get(`/v1/user_problem_submissions/${user.id}/${withPoints.id}?limit=1`)
    expect(item).toEqual(listed)
  })

  it('is refused for a problem without test groups (400), and stays in the judgings', async () => {
    const id = await judging.submit(user)
    const noGroups = refusal(400, '400', 'score must be absent: the problem has no test groups')
    await judge.patch(`/v1/submissions/${id}`, { status: wrong, score: 0 }, noGroups)
    const scored = await judging.submit(user, { problem_id: withPoints.id })
    for (const score of [1, 2.5])
      await judge.patch(`/v1/submissions/${scored}`, { status: wrong, score }, 204)
    const scores = (items: { score: number }[]) => items.map((item) => item.score)
    expect(scores(await judgingsOf(scored))).toEqual([2.5, 1])
    expect(scores(await user.get(`/v1/submissions/${scored}/verdicts`))).toEqual([2.5, 1])
  })
})

describe('a heartbeat', () => {
  const ended = refusal(409, 'JUDGING_ENDED')

  it('is accepted for the newest judging without a verdict (204), else refused (409, 404, 400)', async () => {
    const id = await judging.submit(user)
    const url = `/v1/submissions/${id}/heartbeat`
    const beat = (number: unknown, expected: unknown, caller = judge) =>
      caller.post(url, { judging: number }, expected as number)
    expect(await judging.readRecord(id)).toMatchObject({ judging: 1, requeue_after: 300 })
    for (const caller of [judge, admin]) await beat(1, 204, caller)
    await beat(2, ended)
    await queueAgain(service)
    await beat(1, ended)
    await beat(2, 204)
    for (const value of [0, '1', null, undefined]) await beat(value, invalidField('judging'))
    await judge.post(`/v1/submissions/${NOBODY}/heartbeat`, { judging: 1 }, notFound('submission'))
    for (const caller of [user, stranger]) await caller.post(url, { judging: 1 }, forbidden)
    await service.anonymous.post(url, { judging: 1 }, unauthorized)
    await giveVerdict(id, 'ACCEPTED')
    await beat(2, ended)
    await admin.post('/v1/admin/rejudge', { submission_id: id }, 200)
    await beat(2, ended)
    await beat(3, 204)
  })
})
