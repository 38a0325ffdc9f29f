import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import { statement } from '../../src/db/database.ts'
import { createContestSubmission } from '../../src/features/submissions/sql.ts'
import { NIL_UUID } from '../../src/http/routing/tokens.ts'
import {
  countRows,
  messagesFor,
  NOBODY,
  openJudging,
  submissionBody,
  UUID,
} from '../features/judging-support.ts'
import type { Person, TestResponse } from '../support/app.ts'
import { asAdmin, createContest, readParticipants, register, setTimes, trySubmit } from './contest-judging.ts'

const judging = await openJudging()
const elsewhere = await judging.createProblem()
const inside = await judging.createProblem({ public: false })
const hidden = await judging.createProblem()
const running = await createContest(judging, [
  { problem_id: judging.problem.id },
  { problem_id: inside.id },
  { problem_id: hidden.id, hidden: true },
])

const countParticipants = statement<{ count: number }>(
  '',
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
    expect(await messagesFor(service, answer.body.id)).toEqual([{ kind: 'submission', attempt: 1 }])
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
    const values = [user.id, 0, 1, uuidv7(), user.id, problem.id, language.id, 'x', contest]
    // In one transaction `now()` stands still.
    const [made] = await service.database.transaction(async (tx) => {
      await tx.query(
        statement(
          '',
          `update events
           set start_time = now() + round($2::float8 * 60e6) * interval '1 microsecond',
               end_time   = now() + round($3::float8 * 60e6) * interval '1 microsecond'
           where events.id = $1`,
        ),
        [contest, start, end],
      )
      return tx.query(createContestSubmission, values)
    })
    expect(made).toMatchObject({ has_user: true, has_event: true, has_problem: true, has_language: true })
    expect(made?.body !== null).toBe(isTaken)
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
