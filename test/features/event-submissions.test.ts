import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { createEventSubmission } from '../../src/features/submissions/sql.ts'
import { NIL_UUID } from '../../src/http/routing/tokens.ts'
import type { Person, TestResponse } from '../support/app.ts'
import {
  asAdmin,
  createContest,
  readParticipants,
  register,
  serviceWithContests,
  setTimes,
  trySubmit,
} from '../support/contests.ts'
import { NOBODY, UUID } from '../support/ids.ts'
import { countRows, messagesFor, serviceWithProblem, submissionBody } from '../support/judging.ts'

const judging = await serviceWithProblem()
const elsewhere = await judging.createProblem()
const inside = await judging.createProblem({ public: false })
const hidden = await judging.createProblem()
const running = await createContest(judging, [
  { problem_id: judging.problem.id },
  { problem_id: inside.id },
  { problem_id: hidden.id, hidden: true },
])

const countParticipants = unprepared<{ count: number }>(
  'select count(*)::integer as count from event_participants',
)

const rows = async () => ({
  ...(await countRows(judging.service)),
  participants: await judging.service.database.query(countParticipants),
})

/** Sends it and makes sure that a refusal has left nothing behind: no row, no participant, no message. */
async function refused(
  person: Person,
  fields: Record<string, unknown>,
  token?: string,
): Promise<TestResponse> {
  const before = await rows()
  const answer = await trySubmit(judging, person, fields, token)
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
  expect(await rows()).toEqual(before)
  return answer
}

const notActive = { status: 403, body: { code: 'EVENT_NOT_ACTIVE', error: 'The event is not running' } }

describe('a submission in a contest', () => {
  it('is stored, queued and answered with its event_id, which the record has too (201) [POST /v1/submissions] [State: submission created]', async () => {
    const { user, service } = judging
    const { wakes } = await rows()
    const answer = await trySubmit(judging, user, { event_id: running })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      ...submissionBody(user, judging.problem, judging.language),
      id: expect.stringMatching(UUID),
      event_id: running,
      status: 'PENDING',
      submit_time: expect.stringMatching(/Z$/),
      time_elapsed: 0,
    })
    expect(await messagesFor(service, answer.body.id)).toEqual([{ kind: 'submission', judging: 1 }])
    expect((await rows()).wakes).toBe(wakes + 1)
    expect(await judging.readRecord(answer.body.id)).toMatchObject({ event_id: running, status: 'PENDING' })
  })

  it('has its event_id in the lists of its user, and one outside a contest has none', async () => {
    const person = await judging.service.createPerson()
    const inContest = await judging.submit(person, { event_id: running })
    const outside = await judging.submit(person)
    for (const url of [
      `/v1/user_submissions/${person.id}`,
      `/v1/user_problem_submissions/${person.id}/${judging.problem.id}`,
    ]) {
      const { body } = await judging.service.send({ method: 'GET', url, token: person.token })
      expect(body.map((item: { id: string }) => item.id)).toEqual([outside, inContest])
      expect(body[0]).not.toHaveProperty('event_id')
      expect(body[1]).toMatchObject({ event_id: running })
    }
  })

  it('brings the contest’s own limits to the judge where it has them, else the problem’s', async () => {
    const limited = await createContest(judging, [
      { problem_id: judging.problem.id, accept_timeout: 7.5, memory_limit: 33 },
      { problem_id: inside.id, execution_timeout: 0.25 },
    ])
    const own = { accept_timeout: 3, execution_timeout: 1.5, memory_limit: 64 }
    const cases: [Record<string, unknown>, object][] = [
      [{ event_id: limited }, { ...own, accept_timeout: 7.5, memory_limit: 33 }],
      [
        { event_id: limited, problem_id: inside.id },
        { ...own, execution_timeout: 0.25 },
      ],
      [{ event_id: running }, own],
      [{}, own],
    ]
    for (const [fields, limits] of cases) {
      const { problem } = await judging.readRecord(await judging.submit(judging.user, fields))
      expect(problem).toMatchObject(limits)
    }
  })

  it('makes its owner a participant, once, whoever sends it', async () => {
    const event_id = await createContest(judging, [{ problem_id: judging.problem.id }])
    const [own, other] = [await judging.service.createPerson(), await judging.service.createPerson()]
    await judging.submit(own, { event_id })
    await judging.submit(own, { event_id })
    expect(await readParticipants(judging, event_id)).toEqual([own.id])
    const answer = await trySubmit(judging, other, { event_id }, judging.admin.token)
    expect(answer).toMatchObject({ status: 201, body: { user_id: other.id } })
    expect(await readParticipants(judging, event_id)).toEqual([own.id, other.id])
  })

  it('is taken from a participant who has registered, and leaves them one', async () => {
    const event_id = await createContest(judging, [{ problem_id: inside.id }])
    await register(judging, event_id, judging.user)
    await judging.submit(judging.user, { event_id, problem_id: inside.id })
    expect(await readParticipants(judging, event_id)).toEqual([judging.user.id])
  })

  it('is refused for another’s account, as outside a contest (403), and to a judge in its own name (404)', async () => {
    const { user, stranger, service } = judging
    expect(await refused(user, { event_id: running }, stranger.token)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    })
    const asJudge = await refused(user, { event_id: running, user_id: NIL_UUID }, service.judgeToken)
    expect(asJudge).toMatchObject({ status: 404, body: { error: 'There is no such user' } })
  })

  it('is refused with a token of before a password reset (401)', async () => {
    const { user, service } = judging
    const old = await service.tokens.issueUserToken({ id: user.id, isAdmin: false, sessionVersion: 0 })
    const answer = await refused(user, { event_id: running }, old)
    expect(answer).toMatchObject({ status: 401, body: { code: 'TOKEN_EXPIRED' } })
  })

  it('is refused with the token of a deleted account (401)', async () => {
    const gone = await judging.service.createPerson()
    await judging.service.send({ method: 'DELETE', url: `/v1/users/${gone.id}`, token: gone.token })
    const answer = await refused(gone, { event_id: running })
    expect(answer).toMatchObject({ status: 401, body: { code: 'ACCOUNT_DELETED' } })
  })
})

describe('the window of a contest', async () => {
  const contest = await createContest(judging, [{ problem_id: judging.problem.id }])

  it.each([
    ['before its start', 1, 60],
    ['after its end', -120, -60],
    ['a millisecond after its end', -60, -1 / 60_000],
  ])('refuses a submission %s, to admins too (403) [Error: 403]', async (_, start, end) => {
    await setTimes(judging, contest, start, end)
    for (const person of [judging.user, judging.admin]) {
      expect(await refused(person, { event_id: contest })).toMatchObject(notActive)
    }
  })

  it('refuses a submission once the contest has been ended, and one to a contest ended before its start (403) [POST /v1/events/{id}/end]', async () => {
    await setTimes(judging, contest, -60, 60)
    expect((await trySubmit(judging, judging.user, { event_id: contest })).status).toBe(201)
    await asAdmin(judging, 'POST', `/v1/events/${contest}/end`)
    expect(await refused(judging.user, { event_id: contest })).toMatchObject(notActive)
    await setTimes(judging, contest, 30, 60)
    await asAdmin(judging, 'POST', `/v1/events/${contest}/end`)
    expect(await refused(judging.user, { event_id: contest })).toMatchObject(notActive)
  })

  it.each([
    ['takes a submission at the instant of its start', 0, 60, true],
    ['takes none a microsecond before its start', 1e-6 / 60, 60, false],
    ['takes none at the instant of its end', -60, 0, false],
    ['takes one a microsecond before its end', -60, 1e-6 / 60, true],
  ] as const)('is half-open: it %s', async (_, start, end, isTaken) => {
    const { user, problem, language, service } = judging
    const actor = { actor: user.id, actor_role: 0, actor_session: 1 }
    const submission = submissionBody(user, problem, language)
    const values = { ...actor, ...submission, id: uuidv7(), event_id: contest }
    // In one transaction `now()` stands still.
    const [made] = await service.database.transaction(async (tx) => {
      await tx.query(
        unprepared(`update events
           set start_time = now() + round($2::float8 * 60e6) * interval '1 microsecond',
               end_time   = now() + round($3::float8 * 60e6) * interval '1 microsecond'
           where events.id = $1`),
        [contest, start, end],
      )
      return tx.query(createEventSubmission, values)
    })
    expect(made?.outcome).toBe(isTaken ? 'created' : 'not_running')
  })
})

describe('a submission to what the contest has not', () => {
  const notInEvent = {
    status: 400,
    body: { code: '400', error: 'problem_id must be a problem of the event' },
  }
  const noProblem = { status: 404, body: { code: 'NOT_FOUND', error: 'There is no such problem' } }

  it('is refused when the problem is none of the contest’s (400), and one that the caller may not see like an unknown one (404) [Error: 400]', async () => {
    const { user, admin } = judging
    const { id: unseen } = await judging.createProblem({ public: false })
    const deleted = await judging.createProblem()
    const event_id = await createContest(judging, [{ problem_id: deleted.id }])
    await asAdmin(judging, 'DELETE', `/v1/problems/${deleted.id}`)
    for (const person of [user, admin]) {
      expect(await refused(person, { event_id, problem_id: elsewhere.id })).toMatchObject(notInEvent)
      expect(await refused(person, { event_id, problem_id: 2_147_483_647 })).toMatchObject(noProblem)
      expect(await refused(person, { event_id, problem_id: deleted.id })).toMatchObject(noProblem)
    }
    expect(await refused(user, { event_id, problem_id: unseen })).toMatchObject(noProblem)
    expect(await refused(admin, { event_id, problem_id: unseen })).toMatchObject(notInEvent)
  })

  it('is refused to users for a hidden problem as if the contest had none such, not to the owner of the event and admins', async () => {
    const { user, stranger, admin } = judging
    const { id: unseen } = await judging.createProblem({ public: false })
    const problems = [hidden.id, unseen].map((problem_id) => ({ problem_id, hidden: true }))
    const event_id = await createContest(judging, problems, { user_id: user.id })
    await register(judging, event_id, stranger)
    expect(await refused(stranger, { event_id, problem_id: hidden.id })).toMatchObject(notInEvent)
    expect(await refused(stranger, { event_id, problem_id: unseen })).toMatchObject(noProblem)
    for (const person of [user, admin]) {
      for (const problem_id of [hidden.id, unseen]) {
        expect((await trySubmit(judging, person, { event_id, problem_id })).status).toBe(201)
      }
    }
  })

  it('is refused with the name of what is missing: event, user or language (404) [Error: 404]', async () => {
    const deleted = await createContest(judging, [{ problem_id: judging.problem.id }])
    expect((await asAdmin(judging, 'DELETE', `/v1/events/${deleted}`)).status).toBe(204)
    const cases: [Record<string, unknown>, string][] = [
      [{ event_id: 2_147_483_647 }, 'event'],
      [{ event_id: 0 }, 'event'],
      [{ event_id: deleted }, 'event'],
      [{ event_id: running, user_id: NOBODY }, 'user'],
      [{ event_id: running, language_id: NOBODY }, 'language'],
    ]
    for (const [fields, what] of cases) {
      expect(await refused(judging.admin, fields)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND', error: `There is no such ${what}` },
      })
    }
  })

  it('is refused for what it names before for the contest not running', async () => {
    const later = await createContest(judging, [{ problem_id: judging.problem.id }], {
      start_time: new Date(Date.now() + 1e6).toISOString(),
    })
    const { user } = judging
    expect(await refused(user, { event_id: later, problem_id: elsewhere.id })).toMatchObject({ status: 400 })
    expect(await refused(user, { event_id: later, language_id: NOBODY })).toMatchObject({ status: 404 })
    expect(await refused(user, { event_id: later })).toMatchObject(notActive)
  })
})

/** Sends it and makes sure that a refusal has left nothing behind. */
async function refusedOutside(person: Person, fields: Record<string, unknown>): Promise<TestResponse> {
  const before = await countRows(judging.service)
  const answer = await trySubmit(judging, person, fields)
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
  expect(await countRows(judging.service)).toEqual(before)
  return answer
}

describe('without event_id, a private problem of a contest', () => {
  const wantsEvent = {
    status: 400,
    body: { code: '400', error: expect.stringMatching(/^event_id is required/) },
  }
  const unknown = { status: 404, body: { code: 'NOT_FOUND', error: 'There is no such problem' } }

  /** A private problem in a contest of its own that `user` has registered for. */
  async function makeContest(fields: Record<string, unknown> = {}) {
    const { id: problem_id } = await judging.createProblem({ public: false })
    const contest = await createContest(judging, [{ problem_id, ...fields }])
    await register(judging, contest, judging.user)
    return { contest, problem_id }
  }

  it('is refused by the name of event_id to its participants while the contest runs (400)', async () => {
    const { problem_id } = await makeContest()
    expect(await refusedOutside(judging.user, { problem_id })).toMatchObject(wantsEvent)
    expect(await refusedOutside(judging.user, { problem_id, event_id: null })).toMatchObject(wantsEvent)
  })

  it('is open to its participants once the contest has ended, outside of it', async () => {
    const { problem_id, contest } = await makeContest()
    await asAdmin(judging, 'POST', `/v1/events/${contest}/end`)
    const answer = await trySubmit(judging, judging.user, { problem_id })
    expect(answer.status).toBe(201)
    expect(answer.body).not.toHaveProperty('event_id')
    expect(await refusedOutside(judging.stranger, { problem_id })).toMatchObject(unknown)
  })

  it('is open through an ended contest also while another one runs', async () => {
    const { problem_id, contest } = await makeContest()
    const again = await createContest(judging, [{ problem_id }])
    await register(judging, again, judging.user)
    expect(await refusedOutside(judging.user, { problem_id })).toMatchObject(wantsEvent)
    await asAdmin(judging, 'POST', `/v1/events/${contest}/end`)
    expect((await trySubmit(judging, judging.user, { problem_id })).status).toBe(201)
  })

  it('is open to its author and admins at any time', async () => {
    const { id: problem_id } = await judging.createProblem({ public: false, user_id: judging.user.id })
    const contest = await createContest(judging, [{ problem_id }])
    await register(judging, contest, judging.user)
    for (const person of [judging.user, judging.admin]) {
      expect((await trySubmit(judging, person, { problem_id })).status).toBe(201)
    }
  })

  it('is there for nobody else: not taking part, not started, cancelled before its start, hidden, deleted (404)', async () => {
    const { user, stranger } = judging
    const open = await makeContest()
    expect(await refusedOutside(stranger, open)).toMatchObject(unknown)
    const early = await makeContest()
    await setTimes(judging, early.contest, 30, 60)
    expect(await refusedOutside(user, early)).toMatchObject(unknown)
    await asAdmin(judging, 'POST', `/v1/events/${early.contest}/end`)
    expect(await refusedOutside(user, early)).toMatchObject(unknown)
    const covert = await makeContest({ hidden: true })
    expect(await refusedOutside(user, covert)).toMatchObject(unknown)
    const gone = await makeContest()
    await asAdmin(judging, 'DELETE', `/v1/events/${gone.contest}`)
    expect(await refusedOutside(user, gone)).toMatchObject(unknown)
    const withdrawn = await makeContest()
    await asAdmin(judging, 'DELETE', `/v1/problems/${withdrawn.problem_id}`)
    expect(await refusedOutside(user, withdrawn)).toMatchObject(unknown)
    await asAdmin(judging, 'POST', `/v1/events/${withdrawn.contest}/end`)
    expect(await refusedOutside(user, withdrawn)).toMatchObject(unknown)
  })

  it('has an empty list of attempts for its participants before their first, and none for others (404)', async () => {
    const { problem_id } = await makeContest()
    const { service, user, stranger } = judging
    const listOf = ({ id, token }: Person) =>
      service.send({ method: 'GET', url: `/v1/user_problem_submissions/${id}/${problem_id}`, token })
    expect(await listOf(user)).toMatchObject({ status: 200, body: [] })
    expect(await listOf(stranger)).toMatchObject({ status: 404 })
  })
})

const contests = await serviceWithContests()

const create = (times: { start_time: unknown; end_time: unknown }) =>
  contests.ask(contests.admin, 'POST', '/v1/events', { title: 'An instant', ...times })

const FAR = '9999-12-31T23:59:59.999999Z'

describe('a date-time of an event (D4)', () => {
  it.each([
    ['as it leaves', '2026-04-01T18:00:00Z', '2026-04-01T18:00:00Z'],
    ['without an offset, which is UTC', '2026-04-01T18:00:00', '2026-04-01T18:00:00Z'],
    ['without seconds', '2026-04-01T18:30', '2026-04-01T18:30:00Z'],
    ['without minutes', '2026-04-01T18', '2026-04-01T18:00:00Z'],
    ['in lower case', '2026-04-01t18:00:00z', '2026-04-01T18:00:00Z'],
    ['of an eastern offset', '2026-04-01T01:00:00+02:00', '2026-03-31T23:00:00Z'],
    ['of a western offset', '2026-12-31T20:00:00-05:30', '2027-01-01T01:30:00Z'],
    ['of an offset of hours', '2026-04-01T18:00:00+14', '2026-04-01T04:00:00Z'],
    ['of an offset without a colon', '2026-04-01T18:00:00-0130', '2026-04-01T19:30:00Z'],
    ['of an offset of minutes only', '2026-04-01T18:00:00-00:30', '2026-04-01T18:30:00Z'],
    ['of an offset of nothing', '2026-04-01T18:00:00-00:00', '2026-04-01T18:00:00Z'],
    ['in the basic format', '20260401T183000Z', '2026-04-01T18:30:00Z'],
    ['in the basic format with an offset', '20260401T1830+0200', '2026-04-01T16:30:00Z'],
    ['by week', '2026-W14-3T18:00:00Z', '2026-04-01T18:00:00Z'],
    ['by week in the basic format', '2026W143T18', '2026-04-01T18:00:00Z'],
    ['by a week of the year before', '2025-W01-1T00:00', '2024-12-30T00:00:00Z'],
    ['by the 53rd week', '2026-W53-7T00:00', '2027-01-03T00:00:00Z'],
    ['by the day of the year', '2026-091T18:00:00Z', '2026-04-01T18:00:00Z'],
    ['by the day of the year in the basic format', '2024366T1800', '2024-12-31T18:00:00Z'],
    ['on a leap day', '2024-02-29T10:00Z', '2024-02-29T10:00:00Z'],
    ['with tenths of a second', '2026-04-01T18:00:00.5Z', '2026-04-01T18:00:00.500Z'],
    ['with a decimal comma', '2026-04-01T18:00:00,25+01:00', '2026-04-01T17:00:00.250Z'],
    ['with a fraction of zero', '2026-04-01T18:00:00.000000Z', '2026-04-01T18:00:00Z'],
    ['to the microsecond', '2026-04-01T18:00:00.123456Z', '2026-04-01T18:00:00.123456Z'],
    ['beyond the microsecond, cut off', '2026-04-01T18:00:00.999999999Z', '2026-04-01T18:00:00.999999Z'],
    ['with a fraction of a minute', '2026-04-01T18:00.25Z', '2026-04-01T18:00:15Z'],
    ['with a fraction of an hour', '2026-04-01T18,505Z', '2026-04-01T18:30:18Z'],
    ['at the end of a day', '2026-02-28T24:00:00Z', '2026-03-01T00:00:00Z'],
    ['at the end of a day, with a fraction of zero', '2026-12-31T24:00:00.0', '2027-01-01T00:00:00Z'],
    ['in the first year', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ])('is taken %s: %s', async (_, sent, answered) => {
    const { status, body } = await create({ start_time: sent, end_time: FAR })
    expect(status).toBe(201)
    expect(body).toMatchObject({ start_time: answered, end_time: FAR })
    const read = await contests.ask(contests.admin, 'GET', `/v1/events/${body.id}`)
    expect(read.body).toMatchObject({ start_time: answered, end_time: FAR })
  })

  it.each([
    ['a date', '2026-04-01'],
    ['a date in the basic format', '20260401'],
    ['a date with a T', '2026-04-01T'],
    ['a week', '2026-W14-3'],
    ['a time', '18:00:00Z'],
    ['a time with a T', 'T18:00:00Z'],
    ['a year with a time', '2026T18:00:00Z'],
    ['a month with a time', '2026-04T18:00:00Z'],
    ['a week without its day', '2026-W14T18:00:00Z'],
    ['nothing', ''],
    ['white space before', ' 2026-04-01T18:00:00Z'],
    ['white space after', '2026-04-01T18:00:00Z\n'],
    ['a space between', '2026-04-01 18:00:00'],
    ['words', 'tomorrow at noon'],
    ['a number in a string', '1775066400'],
    ['an American date', '04/01/2026 18:00'],
    ['a date of an e-mail', 'Wed, 01 Apr 2026 18:00:00 GMT'],
    ['a word of PostgreSQL', 'now'],
    ['another', 'infinity'],
    ['a day that is not there', '2026-02-29T18:00:00Z'],
    ['a month that is not there', '2026-13-01T18:00:00Z'],
    ['a day of the year that is not there', '2026-366T18:00:00Z'],
    ['a week that is not there', '2025-W53-1T18:00:00Z'],
    ['an eighth day of the week', '2026-W14-8T18:00:00Z'],
    ['hour 25', '2026-04-01T25:00:00Z'],
    ['hour 24 with minutes', '2026-04-01T24:01:00Z'],
    ['hour 24 with a fraction', '2026-04-01T24:00:00.0000001Z'],
    ['minute 60', '2026-04-01T18:60:00Z'],
    ['an offset of a day', '2026-04-01T18:00:00+24:00'],
    ['an offset of 60 minutes', '2026-04-01T18:00:00+01:60'],
    ['an offset of one digit', '2026-04-01T18:00:00+2'],
    ['an empty fraction', '2026-04-01T18:00:00.Z'],
    ['years of two digits', '26-04-01T18:00:00Z'],
    ['one digit of a month', '2026-4-1T18:00:00Z'],
    ['the year 0', '0000-06-01T00:00:00Z'],
    ['the year 0 in UTC', '0001-01-01T00:00:00+00:01'],
    ['the year 10000', '10000-01-01T00:00:00Z'],
    ['the year 10000 in UTC', '9999-12-31T23:59:59-00:01'],
    ['the end of the year 9999', '9999-12-31T24:00:00Z'],
    ['a year before the era', '-0044-03-15T12:00:00Z'],
    ['digits that are none of ASCII', '２０２６-04-01T18:00:00Z'],
  ])('is refused where it is %s: "%s" (400) [Error: 400]', async (_, sent) => {
    const message = 'must be an ISO 8601 date-time, for example 2026-04-01T18:00:00Z'
    expect(await create({ start_time: sent, end_time: FAR })).toMatchObject({
      status: 400,
      body: { code: '400', message: `start_time ${message}` },
    })
    expect(await create({ start_time: '0001-01-01T00:00Z', end_time: sent })).toMatchObject({
      status: 400,
      body: { code: '400', message: `end_time ${message}` },
    })
  })

  it('is refused at any length without delay', async () => {
    const sent = `2026-04-01T18:00:00.${'1'.repeat(500_000)}`
    expect(await create({ start_time: `${sent}x`, end_time: FAR })).toMatchObject({ status: 400 })
    expect(await create({ start_time: `${sent}Z`, end_time: FAR })).toMatchObject({ status: 201 })
  })
})
