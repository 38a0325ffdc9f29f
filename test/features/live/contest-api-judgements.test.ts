import { describe, expect, it } from 'vitest'
import { type Caller, callerOf } from '../../support/caller.ts'
import { OBJECT_ID } from '../../support/contest-api.ts'
import { instant, span } from '../../support/contest-api-rules/rule.ts'
import { isoIn, running } from '../../support/contests.ts'
import { decisionsOf, decisionUrl } from '../../support/decisions.ts'
import { freezeAt, serviceWithPastContests } from '../../support/past-contests.ts'

const { contests, anna, bert, contestWith } = await serviceWithPastContests()
const { service, admin, user, stranger, problem, submit, giveVerdict, createTeam } = contests
const { judge, anonymous } = service
const decisions = decisionsOf(contests)
const groups = [{ name: 'all', points: 100, aggregation: 'sum', cases: [1, 2] }]
const withPoints = await contests.createProblem({ test_groups: groups })
const groupJudge = callerOf(service, service.judgeToken, { 'judge-capabilities': 'test-groups/1' })
const problems = [{ problem_id: problem.id }, { problem_id: withPoints.id }]

const create = (fields: object = {}) => contestWith([], { ...running(), problems, ...fields })

const rejudge = (submission_id: string) => admin.post('/v1/admin/rejudge', { submission_id }, 200)

describe('the judgements of the Contest API (P26)', () => {
  it('are there from the verdict on, with the times of queueing and judging', async () => {
    const { eventId, objects } = await create({ scoreboard: 'public' })
    const id = await submit(anna, { event_id: eventId })
    expect(await objects.list(admin, 'judgements')).toEqual([])
    await giveVerdict(id, { status: 'TIME_LIMIT_EXCEEDED', time_elapsed: 1.23456 })
    const [submission] = await objects.list(stranger, 'submissions')
    for (const caller of [anonymous, stranger, anna, user, judge, admin]) {
      const [judgement, ...others] = await objects.list(caller, 'judgements')
      expect(others).toEqual([])
      expect(judgement).toEqual({
        ...{ id: expect.stringMatching(OBJECT_ID), submission_id: id },
        ...{ judgement_type_id: 'TLE', current: true },
        ...{ start_time: submission.time, start_contest_time: submission.contest_time },
        ...{ end_time: expect.any(String), end_contest_time: expect.any(String), max_run_time: 1.235 },
      })
      const length = instant(judgement.end_time) - instant(judgement.start_time)
      expect(length).toBeGreaterThan(0)
      expect(span(judgement.end_contest_time) - span(judgement.start_contest_time)).toBe(length)
    }
  })

  it('keep their ids and times when later verdicts and rejudgings replace them', async () => {
    const { eventId, objects } = await create()
    const id = await submit(anna, { event_id: eventId })
    const read = async () => (await objects.list(stranger, 'judgements')).sort(byId)
    await giveVerdict(id, 'WRONG_ANSWER')
    const [first] = await read()
    await giveVerdict(id, 'ACCEPTED')
    const [replaced, second] = await read()
    expect(replaced).toEqual({ ...first, current: false })
    expect(second).toMatchObject({ judgement_type_id: 'AC', current: true, start_time: first.start_time })
    await rejudge(id)
    expect(await read()).toEqual([replaced, { ...second, current: false }])
    await giveVerdict(id, { status: 'RUNTIME_ERROR', judging: 1 })
    expect(await read()).toHaveLength(2)
    await giveVerdict(id, { status: 'INTERNAL_ERROR', judging: 2 })
    const [, , third] = await read()
    expect(third).toMatchObject({ judgement_type_id: 'JE', current: true })
    expect(instant(third.start_time)).toBeGreaterThanOrEqual(instant(second.end_time))
    expect(instant(third.end_time)).toBeGreaterThanOrEqual(instant(third.start_time))
    expect(await read()).toEqual([replaced, { ...second, current: false }, third])
    expect(await objects.get(anna, `judgements?submission_id=${id}&judgement_type_id=AC`)).toHaveLength(1)
  })

  it('of an applied decision started when its rejudging was requested', async () => {
    const { eventId, objects } = await create()
    await giveVerdict(await submit(anna, { event_id: eventId }), 'WRONG_ANSWER')
    const [first] = await objects.list(admin, 'judgements')
    const decision = await decisions.request({ event_id: eventId })
    await decisions.judgeAll(decision, 'ACCEPTED')
    expect(await objects.list(admin, 'judgements')).toEqual([first])
    await admin.post(decisionUrl(decision, '/apply'), undefined, 200)
    const [kept, applied] = await objects.list(admin, 'judgements')
    expect(kept).toEqual({ ...first, current: false })
    expect(applied).toMatchObject({ judgement_type_id: 'AC', current: true })
    expect(instant(applied.start_time)).toBeGreaterThanOrEqual(instant(first.end_time))
  })

  it('have the type of the reason of a verdict (D23), also of an earlier one and for a test case without a status', async () => {
    const { eventId, objects } = await create()
    const id = await submit(anna, { event_id: eventId })
    const results = [{ test_case_id: problem.cases[0], passed: false, memory_used: 1 }]
    const presentation = { status: 'WRONG_ANSWER', reason: 'PRESENTATION_ERROR', test_case_results: results }
    for (const verdict of [
      presentation,
      { status: 'RUNTIME_ERROR', reason: 'OUTPUT_LIMIT_EXCEEDED' },
      'PRESENTATION_ERROR',
      'WRONG_ANSWER',
    ])
      await giveVerdict(id, verdict)
    const types = ['PE', 'OLE', 'PE', 'WA']
    expect((await objects.values(stranger, 'judgements', 'judgement_type_id')).sort()).toEqual(types.sort())
    expect(await objects.get(anna, `judgements?submission_id=${id}&judgement_type_id=PE`)).toHaveLength(2)
    expect(await objects.list(admin, 'runs')).toMatchObject([{ judgement_type_id: 'PE' }])
  })

  it('have a score where the contest has points', async () => {
    const { eventId, objects } = await create({ scoring: 'points' })
    const [partial, unscored] = [
      await submit(anna, { event_id: eventId, problem_id: withPoints.id }),
      await submit(anna, { event_id: eventId }),
    ]
    await groupJudge.patch(`/v1/submissions/${partial}`, { status: 'WRONG_ANSWER', score: 30.5 }, 204)
    await giveVerdict(unscored, 'COMPILE_TIME_ERROR')
    expect(await objects.values(stranger, 'judgements', 'score')).toEqual([30.5, 0])
    await admin.put(`/v1/events/${eventId}`, { scoring: null })
    expect(await objects.values(stranger, 'judgements', 'score')).toEqual([undefined, undefined])
  })
})

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)

describe('the judgements of a frozen contest (P23, P26)', () => {
  /** Three submissions before the freeze and two since; all have verdicts. */
  async function createFrozen(fields: object = {}) {
    const contest = await contestWith([], { ...freezeAt(60), scoreboard: 'public', ...fields })
    const early = await contest.store([anna, 0, 10, 'WRONG_ANSWER'])
    const annas = await contest.store([anna, 0, 70, 'ACCEPTED'])
    const berts = await contest.store([bert, 0, 80, 'WRONG_ANSWER'])
    const seen = async (caller: Caller) =>
      (await contest.objects.values(caller, 'judgements', 'submission_id')).map(String).sort()
    return { ...contest, early, annas, berts, seen }
  }

  it('are withheld from others until staff reveals their cells or thaws, and again after an undo', async () => {
    const { early, annas, berts, seen, thaw, objects } = await createFrozen()
    const all = [early, annas, berts].sort()
    const withheld = async (...shown: string[]) => {
      for (const caller of [stranger, anonymous]) expect(await seen(caller)).toEqual([early, ...shown].sort())
      expect(await seen(anna)).toEqual([...new Set([early, annas, ...shown])].sort())
      expect(await seen(bert)).toEqual([...new Set([early, berts, ...shown])].sort())
      for (const caller of [user, judge, admin]) expect(await seen(caller)).toEqual(all)
    }
    await withheld()
    // Submissions are never withheld.
    expect(await objects.list(stranger, 'submissions')).toHaveLength(3)
    await thaw('?next=true')
    await withheld(berts)
    await thaw('?undo=true')
    await withheld()
    for (const query of ['?next=true', '?next=true']) await thaw(query)
    await withheld(annas, berts)
    for (const query of ['?undo=true', '?undo=true']) await thaw(query)
    await withheld()
    await thaw()
    await withheld(annas, berts)
  })

  it('are withheld from team mates too, and replaced ones with them', async () => {
    const { eventId, early, annas, seen } = await createFrozen({ teams: true })
    const team = await createTeam('Both', eventId, anna)
    await bert.post(`${team.url}/join`)
    await giveVerdict(annas, 'RUNTIME_ERROR')
    expect(await seen(bert)).not.toContain(annas)
    expect((await seen(anna)).filter((id) => id === annas)).toHaveLength(2)
    expect(await seen(stranger)).toEqual([early])
  })

  it('are not withheld before the freeze has begun', async () => {
    const { berts, seen } = await createFrozen({ end_time: isoIn(60), freeze_time: isoIn(30) })
    expect(await seen(stranger)).toContain(berts)
  })
})

it('the runs of the Contest API are the test cases of each judgement, only for judges and admins (P26)', async () => {
  const own = await contests.createProblem()
  const { eventId, objects } = await create({ problems: [{ problem_id: own.id }] })
  const id = await submit(anna, { event_id: eventId, problem_id: own.id })
  const [first, second] = own.cases
  const test_case_results = [{ test_case_id: first, passed: false }]
  await giveVerdict(id, { status: 'WRONG_ANSWER', test_case_results })
  expect(await objects.list(admin, 'runs')).toEqual([])
  await giveVerdict(id, {
    status: 'MEMORY_LIMIT_EXCEEDED',
    failed_test_case_id: second,
    test_case_results: [
      { test_case_id: second, passed: false, time_elapsed: 0.0456 },
      { test_case_id: first, passed: true, status: 'ACCEPTED', time_elapsed: 0.5 },
      { test_case_id: first, passed: true, status: 'ACCEPTED', time_elapsed: 0.25 },
    ],
  })
  const judgement = (await objects.list(admin, 'judgements')).find(({ current }) => current)
  const run = {
    ...{ id: expect.stringMatching(OBJECT_ID), judgement_id: judgement.id },
    ...{ time: judgement.end_time, contest_time: judgement.end_contest_time },
  }
  const runs = [
    { ...run, ordinal: 1, judgement_type_id: 'AC', run_time: 0.25 },
    { ...run, ordinal: 2, judgement_type_id: 'MLE', run_time: 0.046 },
  ]
  for (const caller of [judge, admin]) expect(await objects.list(caller, 'runs')).toEqual(runs)
  for (const caller of [anna, user, stranger]) expect(await objects.list(caller, 'runs')).toEqual([])
  await admin.delete(`/v1/problems/${own.id}/test_cases/${first}`, 204)
  expect(await objects.list(judge, 'runs')).toEqual([{ ...runs[1], ordinal: 1 }])
  await rejudge(id)
  expect(await objects.list(judge, 'runs')).toHaveLength(1)
})
