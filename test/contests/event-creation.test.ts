import { describe, expect, it } from 'vitest'
import { statement } from '../../src/db/database.ts'
import { NO_PROBLEM } from '../features/problems-support.ts'
import { openContests, over, running, scheduled } from './events-support.ts'

const contests = await openContests()

const NOBODY = '00000000-0000-7000-8000-000000000000'
const times = { start_time: '2026-04-01T18:00:00Z', end_time: '2026-04-01T20:00:00Z' }

const create = (fields: Record<string, unknown> = {}, caller: 'admin' | 'user' | 'judge' = 'admin') =>
  contests.ask(caller === 'judge' ? 'judge' : contests[caller], 'POST', '/v1/events', {
    title: 'A contest',
    ...times,
    ...fields,
  })

const countEvents = statement<{ events: number; problems: number }>(
  'test_count_events',
  `select (select count(*)::integer from events) as events,
          (select count(*)::integer from event_problems) as problems`,
)

/** Sends it and makes sure that a refusal has left nothing behind. */
async function refused(fields: Record<string, unknown>) {
  const before = await contests.service.database.query(countEvents)
  const answer = await create(fields)
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
  expect(await contests.service.database.query(countEvents)).toEqual(before)
  return answer
}

describe('creating an event', () => {
  it('answers 201 with exactly its fields, the given ones kept [POST /v1/events] [Fields: Event]', async () => {
    const { user, problem, createProblem } = contests
    const other = await createProblem({ public: false })
    const sent = {
      title: 'Spring Cup – ünï 🙂',
      description: 'Rules:\n1. Be fair.',
      ...times,
      teams: true,
      user_id: user.id,
      languages: [4, 2, 2],
    }
    const { status, body } = await create({
      ...sent,
      problems: [{ problem_id: problem.id }, { problem_id: other.id, hidden: true }],
    })
    expect(status).toBe(201)
    expect(body).toEqual({ ...sent, id: expect.any(Number), problem_count: 2, participant_count: 0 })
  })

  it('takes the caller for the owner, no description, no teams, no languages and no problems where they are left out (D32)', async () => {
    const { status, body } = await create()
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      user_id: contests.admin.id,
      title: 'A contest',
      description: '',
      ...times,
      teams: false,
      languages: [],
      problem_count: 0,
      participant_count: 0,
    })
  })

  it('keeps the problems in the order in which they were sent, each with its own limits and hidden', async () => {
    const { admin, createProblem } = contests
    const [a, b, c] = [await createProblem(), await createProblem(), await createProblem()]
    const problems = [
      { problem_id: c.id, accept_timeout: 0.25, execution_timeout: 86_400, memory_limit: 1_048_576 },
      { problem_id: a.id, execution_timeout: 9, hidden: true },
      { problem_id: b.id, memory_limit: 1, hidden: false },
    ]
    const { body } = await create({ problems })
    const listed = await contests.ask(admin, 'GET', `/v1/events/${body.id}/problems`)
    expect(listed.body).toMatchObject([
      {
        problem_id: c.id,
        hidden: false,
        accept_timeout: 0.25,
        execution_timeout: 86_400,
        memory_limit: 1_048_576,
      },
      { problem_id: a.id, hidden: true, accept_timeout: 3, execution_timeout: 9, memory_limit: 64 },
      { problem_id: b.id, hidden: false, accept_timeout: 3, execution_timeout: 1.5, memory_limit: 1 },
    ])
  })

  it.each([
    [[]],
    [[3, 1, 2]],
    [[0, -7, 2_147_483_648, Number.MAX_SAFE_INTEGER]],
    [['01890000-0000-7000-8000-00000000abcd', '01890000-0000-7000-8000-00000000ABCD']],
    [[5, '01890000-0000-7000-8000-00000000abcd', 5]],
  ])('keeps languages as they were sent, integers or UUIDs: %j (D32)', async (languages) => {
    const { admin } = contests
    const { status, body } = await create({ languages })
    expect(status).toBe(201)
    expect(body.languages).toEqual(languages)
    for (const url of [`/v1/public/events/${body.id}`, `/v1/events/${body.id}`]) {
      expect((await contests.ask(admin, 'GET', url)).body.languages).toEqual(languages)
    }
  })

  it('takes any start: in the past, running, to come (D32)', async () => {
    for (const when of [over(), running(), scheduled()])
      expect(await create(when)).toMatchObject({ status: 201 })
  })

  it('takes an end a microsecond after the start, whatever the offsets', async () => {
    const end_time = '2026-04-01T20:00:00.000001+02:00'
    expect(await create({ end_time })).toMatchObject({
      status: 201,
      body: { end_time: '2026-04-01T18:00:00.000001Z' },
    })
  })

  it('takes a title twice, trims it, and takes 255 characters of it', async () => {
    for (let n = 0; n < 2; n += 1) expect(await create({ title: 'Again' })).toMatchObject({ status: 201 })
    expect(await create({ title: ' \tTrimmed\n' })).toMatchObject({ status: 201, body: { title: 'Trimmed' } })
    const title = '😀'.repeat(255)
    expect(await create({ title })).toMatchObject({ status: 201, body: { title } })
  })

  it('ignores fields that it does not know', async () => {
    const answer = await create({
      id: 1,
      participants: [],
      problem_count: 5,
      deleted_at: '2026-01-01T00:00:00Z',
    })
    expect(answer).toMatchObject({ status: 201, body: { problem_count: 0 } })
  })

  it('is refused to users and judges (403) [Error: 403]', async () => {
    for (const caller of ['user', 'judge'] as const) {
      expect(await create({}, caller)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    }
  })
})

describe('an event is refused with a message that says why (400)', () => {
  const of = (problem: Record<string, unknown>) => ({ problems: [{ problem_id: 1, ...problem }] })
  const ends = 'end_time must be after start_time'

  it.each([
    [{ title: undefined }, 'title is required'],
    [{ start_time: undefined }, 'start_time is required'],
    [{ end_time: undefined }, 'end_time is required'],
    [{ title: '' }, 'title must not be empty'],
    [{ title: ' \n\u00a0' }, 'title must not be empty'],
    [{ title: 'x'.repeat(256) }, 'title must have at most 255 characters'],
    [{ title: null }, 'title must be a string'],
    [{ title: 'a\0' }, 'title must be well-formed Unicode without U+0000'],
    [{ description: 5 }, 'description must be a string'],
    [{ description: '\ud800' }, 'description must be well-formed Unicode without U+0000'],
    [{ end_time: times.start_time }, ends],
    [{ end_time: '2026-04-01T19:59:59+02:00' }, ends],
    [{ end_time: '2026-04-01T17:59:59.999999Z' }, ends],
    [{ start_time: '2026-04-01T20:00:00.000001Z' }, ends],
    [{ teams: 'true' }, 'teams must be a boolean'],
    [{ teams: 1 }, 'teams must be a boolean'],
    [{ user_id: 'me' }, 'user_id must be a UUID'],
    [{ user_id: 1 }, 'user_id must be a string'],
    [{ languages: 'python' }, 'languages must be an array'],
    [{ languages: ['python'] }, 'languages.0 must be an integer or a UUID'],
    [{ languages: [1, 1.5] }, 'languages.1 must be an integer or a UUID'],
    [{ languages: [1, null] }, 'languages.1 must be an integer or a UUID'],
    [{ languages: [[1]] }, 'languages.0 must be an integer or a UUID'],
    [{ languages: [Number.MAX_SAFE_INTEGER + 1] }, 'languages.0 must be an integer or a UUID'],
    [{ problems: {} }, 'problems must be an array'],
    [{ problems: [7] }, 'problems.0 must be an object'],
    [{ problems: [{}] }, 'problems.0.problem_id is required'],
    [{ problems: [{ problem_id: '1' }] }, 'problems.0.problem_id must be an integer'],
    [{ problems: [{ problem_id: 2_147_483_648 }] }, 'problems.0.problem_id must be <= 2147483647'],
    [of({ accept_timeout: 0 }), 'problems.0.accept_timeout must be > 0'],
    [of({ accept_timeout: 86_401 }), 'problems.0.accept_timeout must be <= 86400'],
    [of({ execution_timeout: -1 }), 'problems.0.execution_timeout must be > 0'],
    [of({ execution_timeout: '5' }), 'problems.0.execution_timeout must be a number'],
    [of({ memory_limit: 0 }), 'problems.0.memory_limit must be >= 1'],
    [of({ memory_limit: 1.5 }), 'problems.0.memory_limit must be an integer'],
    [of({ memory_limit: 1_048_577 }), 'problems.0.memory_limit must be <= 1048576'],
    [of({ hidden: 'yes' }), 'problems.0.hidden must be a boolean'],
  ])('%j', async (fields, message) => {
    expect(await refused(fields)).toMatchObject({ status: 400, body: { code: '400', message } })
  })

  it('of a problem twice, beside others [POST /v1/events] [Error: 400]', async () => {
    const { problem, createProblem } = contests
    const other = await createProblem()
    const problems = [problem, other, problem].map(({ id }) => ({ problem_id: id }))
    const message = 'problems must name each problem once'
    expect(await refused({ problems })).toMatchObject({ status: 400, body: { code: '400', message } })
  })
})

describe('an event of what is not there is refused (404)', () => {
  it('of a problem that nobody knows, beside one that is there [POST /v1/events] [Error: 404]', async () => {
    const problems = [{ problem_id: contests.problem.id }, { problem_id: NO_PROBLEM }]
    expect(await refused({ problems })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', error: 'There is no such problem' },
    })
  })

  it('of a problem that is deleted', async () => {
    const { id } = await contests.createProblem()
    await contests.ask(contests.admin, 'DELETE', `/v1/problems/${id}`)
    expect(await refused({ problems: [{ problem_id: id }] })).toMatchObject({
      status: 404,
      body: { error: 'There is no such problem' },
    })
  })

  it('of an owner whom nobody knows, or who is deleted', async () => {
    const { admin, service } = contests
    const gone = await service.createPerson()
    await contests.ask(admin, 'DELETE', `/v1/users/${gone.id}`)
    for (const user_id of [NOBODY, gone.id]) {
      expect(await refused({ user_id })).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND', error: 'There is no such user' },
      })
    }
  })
})
