import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { createEventSubmission } from '../../../src/features/judging/submissions/create-sql.ts'
import { NIL_UUID } from '../../../src/http/routing/tokens.ts'
import type { Person } from '../../support/app.ts'
import type { Caller } from '../../support/caller.ts'
import { INSTANT, isoIn, serviceWithContests, setTimes } from '../../support/contests.ts'
import { NO_EVENT, NO_PROBLEM, NOBODY, UUID } from '../../support/ids.ts'
import { countRows, expectRefused, messagesFor, type Refused, submissionBody } from '../../support/judging.ts'
import { forbidden, notFound, refusal } from '../../support/refusals.ts'

const contests = await serviceWithContests()
const { service, admin, user, stranger, problem, language, submit, createProblem, register } = contests
const { judge } = service
const elsewhere = await createProblem()
const inside = await createProblem({ public: false })
const hidden = await createProblem()

const createContest = (problems: object[] = [{ problem_id: problem.id }], fields = {}) =>
  contests.createEvent({ problems, ...fields })
const end = (eventId: number) => admin.post(`/v1/events/${eventId}/end`)

const running = await createContest([
  { problem_id: problem.id },
  { problem_id: inside.id },
  { problem_id: hidden.id, hidden: true },
])

const notActive = refusal(403, 'EVENT_NOT_ACTIVE', 'The event is not running')
const notInEvent = refusal(400, '400', 'problem_id must be a problem of the event')
const needsEvent = refusal(400, '400', expect.stringMatching(/^event_id is required/))
const noProblem = notFound('problem')

describe('a submission in a contest', () => {
  it('is stored and queued with its event_id (201), and has it in the lists of its user; others have none [POST /v1/submissions] [State: submission created]', async () => {
    const { wakes } = await countRows(service)
    const body = { ...submissionBody(user, problem, language), event_id: running }
    const created = await user.post('/v1/submissions', body, 201)
    const generated = { id: expect.stringMatching(UUID), submit_time: expect.stringMatching(INSTANT) }
    expect(created).toEqual({ ...body, ...generated, status: 'PENDING', time_elapsed: 0 })
    expect(await messagesFor(service, created.id)).toEqual([{ kind: 'submission', judging: 1 }])
    expect(service.wakes()).toBe(wakes + 1)
    expect(await contests.readRecord(created.id)).toMatchObject({ event_id: running, status: 'PENDING' })
    const by = await service.createPerson()
    const inContest = await submit(by, { event_id: running })
    const outside = await submit(by)
    for (const list of [`user_submissions/${by.id}`, `user_problem_submissions/${by.id}/${problem.id}`]) {
      const items = await by.get(`/v1/${list}`)
      expect(items).toMatchObject([{ id: outside }, { id: inContest, event_id: running }])
      expect(items[0]).not.toHaveProperty('event_id')
    }
  })

  it('makes its user a participant once, also if registered or if an admin submits', async () => {
    const event_id = await createContest([{ problem_id: problem.id }, { problem_id: inside.id }])
    const registered = await contests.createParticipant(event_id)
    const [own, other] = [await service.createPerson(), await service.createPerson()]
    await submit(registered, { event_id, problem_id: inside.id })
    for (const _ of [1, 2]) await submit(own, { event_id })
    const body = { ...submissionBody(other, problem, language), event_id }
    expect(await admin.post('/v1/submissions', body, 201)).toMatchObject({ user_id: other.id })
    expect(await contests.participantIds(event_id)).toEqual([registered.id, own.id, other.id])
  })

  it('is refused with old tokens (401), for other users (403), and for unknown records (404) [Error: 404]', async () => {
    const gone = await service.createPerson()
    await contests.deleteUser(gone)
    const deleted = await createContest()
    await contests.deleteEvent(deleted)
    const event_id = running
    await expectRefused(
      contests,
      [await contests.withOldToken(user), { event_id }, refusal(401, 'TOKEN_EXPIRED')],
      [gone, { event_id }, refusal(401, 'ACCOUNT_DELETED')],
      [stranger, { event_id, user_id: user.id }, forbidden],
      [judge, { event_id, user_id: NIL_UUID }, notFound('user')],
      [admin, { event_id, user_id: NOBODY }, notFound('user')],
      [admin, { event_id, language_id: NOBODY }, notFound('language')],
      [admin, { event_id: NO_EVENT }, notFound('event')],
      [admin, { event_id: 0 }, notFound('event')],
      [admin, { event_id: deleted }, notFound('event')],
    )
  })

  it('is refused for problems outside the contest (400) and for unseen problems (404), also before its start, as for its language [Error: 400]', async () => {
    const { id: unseen } = await createProblem({ public: false })
    const { id: deleted } = await createProblem()
    const event_id = await createContest([{ problem_id: deleted }])
    await admin.delete(`/v1/problems/${deleted}`)
    await expectRefused(
      contests,
      ...[user, admin].flatMap((caller): Refused[] => [
        [caller, { event_id, problem_id: elsewhere.id }, notInEvent],
        [caller, { event_id, problem_id: NO_PROBLEM }, noProblem],
        [caller, { event_id, problem_id: deleted }, noProblem],
      ]),
      [user, { event_id, problem_id: unseen }, noProblem],
      [admin, { event_id, problem_id: unseen }, notInEvent],
    )
    const coming = await createContest(undefined, { start_time: isoIn(15), end_time: isoIn(60) })
    await expectRefused(
      contests,
      [user, { event_id: coming, problem_id: elsewhere.id }, notInEvent],
      [user, { event_id: coming, language_id: NOBODY }, notFound('language')],
      [user, { event_id: coming }, notActive],
    )
  })

  it('is accepted for hidden problems only from the owner of the event and admins', async () => {
    const { id: unseen } = await createProblem({ public: false })
    const problems = [hidden.id, unseen].map((problem_id) => ({ problem_id, hidden: true }))
    const event_id = await createContest(problems, { user_id: user.id })
    await register(stranger, event_id)
    await expectRefused(
      contests,
      [stranger, { event_id, problem_id: hidden.id }, notInEvent],
      [stranger, { event_id, problem_id: unseen }, noProblem],
    )
    for (const person of [user, admin])
      for (const { problem_id } of problems) await submit(person, { event_id, problem_id })
  })
})

describe('the times of a contest', async () => {
  const contest = await createContest()
  const expectNotActive = (...people: Person[]) =>
    expectRefused(contests, ...people.map((person): Refused => [person, { event_id: contest }, notActive]))

  it.each([
    ['before the start', 1, 60],
    ['after the end', -120, -60],
  ])('refuse submissions %s, also of admins (403) [Error: 403]', async (_, start, end) => {
    await setTimes(contests, contest, start, end)
    await expectNotActive(user, admin)
  })

  it('refuse submissions after an admin has ended the contest, also before its start (403) [POST /v1/events/{id}/end]', async () => {
    await setTimes(contests, contest, -60, 60)
    await submit(user, { event_id: contest })
    await end(contest)
    await expectNotActive(user)
    await setTimes(contests, contest, 30, 60)
    await end(contest)
    await expectNotActive(user)
  })

  const setExactTimes = unprepared(`update events
     set start_time = now() + round($2::float8 * 60e6) * interval '1 microsecond',
         end_time   = now() + round($3::float8 * 60e6) * interval '1 microsecond'
     where events.id = $1`)

  it.each([
    ['accept a submission at the start', 0, 60, true],
    ['refuse a submission a microsecond before the start', 1e-6 / 60, 60, false],
    ['refuse a submission at the end', -60, 0, false],
    ['accept a submission a microsecond before the end', -60, 1e-6 / 60, true],
  ])('%s', async (_, start, end, isStored) => {
    const actor = { actor: user.id, actor_role: 0, actor_session: 1 }
    const submission = { ...submissionBody(user, problem, language), id: uuidv7(), event_id: contest }
    // Within a transaction `now()` is constant.
    const [created] = await service.database.transaction(async (tx) => {
      await tx.query(setExactTimes, [contest, start, end])
      return tx.query(createEventSubmission, { ...actor, ...submission })
    })
    expect(typeof created?.body === 'string').toBe(isStored)
  })
})

describe('a submission without event_id to a private problem of a contest', () => {
  async function createPrivateContest(fields: object = {}) {
    const { id: problem_id } = await createProblem({ public: false })
    const contest = await createContest([{ problem_id, ...fields }])
    await register(user, contest)
    return { problem_id, contest }
  }

  it('is refused to participants during the contest (400), and accepted after it, also during another one', async () => {
    const { problem_id, contest } = await createPrivateContest()
    const other = await createContest([{ problem_id }])
    await register(user, other)
    const list = `/v1/user_problem_submissions/${user.id}/${problem_id}`
    expect(await user.get(list)).toEqual([])
    await stranger.get(list.replace(user.id, stranger.id), 404)
    for (const fields of [{ problem_id }, { problem_id, event_id: null }])
      await expectRefused(contests, [user, fields, needsEvent])
    await end(contest)
    const body = { ...submissionBody(user, problem, language), problem_id }
    expect(await user.post('/v1/submissions', body, 201)).not.toHaveProperty('event_id')
    await end(other)
    await submit(user, { problem_id })
    await expectRefused(contests, [stranger, { problem_id }, noProblem])
  })

  it('is refused to others, and if the contest or problem is not shown to its participants (404), but not to the author and admins', async () => {
    const { problem_id } = await createPrivateContest()
    const cancelled = await createPrivateContest()
    await setTimes(contests, cancelled.contest, 30, 60)
    const covert = await createPrivateContest({ hidden: true })
    const deleted = await createPrivateContest()
    await contests.deleteEvent(deleted.contest)
    const withdrawn = await createPrivateContest()
    await admin.delete(`/v1/problems/${withdrawn.problem_id}`)
    await expectRefused(contests, [stranger, { problem_id }, noProblem])
    for (const one of [cancelled, covert, deleted, withdrawn])
      await expectRefused(contests, [user, { problem_id: one.problem_id }, noProblem])
    for (const one of [cancelled, withdrawn]) {
      await end(one.contest)
      await setTimes(contests, cancelled.contest, -10, -20)
      await expectRefused(contests, [user, { problem_id: one.problem_id }, noProblem])
    }
    const { id: own } = await createProblem({ public: false, user_id: user.id })
    await register(user, await createContest([{ problem_id: own }]))
    for (const person of [user, admin]) await submit(person, { problem_id: own })
  })
})

describe('the lists of a contest’s submissions show score, max_score and memory to everybody who sees the status (D28)', () => {
  const test_groups = [{ name: 'all', points: 33.3, aggregation: 'sum', cases: [1, 2] }]
  const measured = { score: 12.5, max_score: 33.3, memory_used: 4096 }
  /** A contest of a pair and its staff, and a judged submission of one of them. */
  const openContest = async (fields: object = {}) => {
    const { id: problem_id } = await createProblem({ test_groups })
    const [author, mate, owner] = [
      await service.createPerson(),
      await service.createPerson(),
      await service.createPerson(),
    ]
    const eventId = await createContest([{ problem_id }], { teams: true, user_id: owner.id, ...fields })
    const url = `/v1/events/${eventId}`
    const { team_id } = await author.post(`${url}/teams`, { name: 'A pair' }, 201)
    await mate.post(`${url}/teams/${team_id}/join`, undefined, 201)
    const id = await submit(author, { problem_id, event_id: eventId })
    const { max_score, ...sent } = measured
    const able = { 'judge-capabilities': 'test-groups/1' }
    const stored = await judge.send(
      'PATCH',
      `/v1/submissions/${id}`,
      { status: 'WRONG_ANSWER', ...sent },
      able,
    )
    expect(stored.status).toBe(204)
    const lists: (readonly [by: Caller, query: string])[] = [
      ...[mate, author, judge, admin].map((by) => [by, `?team=${team_id}`] as const),
      ...[author, admin].map((by) => [by, `?user=${author.id}`] as const),
      ...[owner, judge, admin].map((by) => [by, ''] as const),
    ]
    const read = async ([by, query]: (typeof lists)[number]) =>
      (await by.get(`${url}/submissions${query}`))[0]
    return { url, lists, id, read }
  }

  it('with their verdicts, and not before', async () => {
    const { lists, id, read } = await openContest()
    for (const list of lists)
      expect(await read(list), list[1]).toMatchObject({ id, status: 'WRONG_ANSWER', ...measured })
    await admin.post('/v1/admin/rejudge', { submission_id: id }, 200)
    for (const list of lists) {
      const { score, memory_used, ...pending } = await read(list)
      expect([pending.status, pending.max_score, score, memory_used]).toEqual([
        'PENDING',
        33.3,
        undefined,
        undefined,
      ])
    }
  })

  it('but not where the freeze shows PENDING, until the thaw', async () => {
    const { url, lists, read } = await openContest({ freeze_time: isoIn(-30) })
    const isLive = ([by, query]: (typeof lists)[number]) => by === judge || by === admin || query === ''
    for (const list of lists) {
      const { status, score, max_score, memory_used } = await read(list)
      const shown = isLive(list) ? { status: 'WRONG_ANSWER', ...measured } : { status: 'PENDING' }
      expect({ status, score, max_score, memory_used }, list[1]).toEqual(shown)
    }
    await admin.post(`${url}/end`)
    await admin.post(`${url}/thaw`, undefined, 200)
    for (const list of lists)
      expect(await read(list), list[1]).toMatchObject({ status: 'WRONG_ANSWER', ...measured })
  })
})
