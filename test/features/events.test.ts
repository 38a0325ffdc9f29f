import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import type { Person } from '../support/app.ts'
import { over, running, scheduled, serviceWithContests } from '../support/contests.ts'
import { NO_EVENT, NO_PROBLEM, NOBODY } from '../support/ids.ts'

const contests = await serviceWithContests()

const get = (caller: Person | 'judge', url: string) => contests.ask(caller, 'GET', url)
const readUser = async (person: Person) => (await get(contests.admin, `/v1/users/${person.id}`)).body

const times = { start_time: '2026-04-01T18:00:00Z', end_time: '2096-04-01T20:00:00Z' }

/** An event of two problems, the second hidden, with two participants: its id, its problems and what everybody reads of it. */
async function createFull(fields: Record<string, unknown> = {}) {
  const { admin, user, createProblem, createEvent, register } = contests
  const shown = await createProblem({ title: 'Shown' })
  const hidden = await createProblem({ title: 'Hidden', public: false })
  const problems = [
    { problem_id: hidden.id, hidden: true },
    { problem_id: shown.id, accept_timeout: 7.5, execution_timeout: 2, memory_limit: 512 },
  ]
  const sent = { title: 'Full', description: 'With ünï 🙂', teams: true, languages: [1, 2], ...times }
  const id = await createEvent({ ...sent, problems, ...fields })
  await register(user, id)
  await register(admin, id)
  const common = { ...sent, ...fields, id, user_id: admin.id, participant_count: 2 }
  return { id, shown, hidden, common }
}

const inList = (answer: { body: { id: number }[] }, id: number) => answer.body.find((one) => one.id === id)

describe('the list of events for everybody', () => {
  it('carries exactly the fields of an event and, of the participants, only the caller [GET /v1/public/events] [Fields: Event] [Fields: User]', async () => {
    const { user, stranger } = contests
    const { id, common } = await createFull()
    const url = '/v1/public/events'
    const event = { ...common, problem_count: 1 }
    expect(inList(await get(user, url), id)).toEqual({ ...event, participants: [await readUser(user)] })
    expect(inList(await get(stranger, url), id)).toEqual({ ...event, participants: [] })
    expect(inList(await get('judge', url), id)).toEqual({ ...event, problem_count: 2, participants: [] })
  })

  it('has the latest to start first, running, scheduled and over alike, and none that is deleted (D31)', async () => {
    const { admin, stranger, createEvent } = contests
    const ids = [
      await createEvent({ ...times, start_time: '2090-01-02T00:00:00Z' }),
      await createEvent({ ...times, start_time: '2090-01-01T00:00:00Z' }),
      await createEvent({ ...times, start_time: '2090-01-03T00:00:00Z' }),
      await createEvent({ ...times, start_time: '2090-01-01T00:00:00Z' }),
      await createEvent(over()),
    ]
    const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = ids
    await contests.ask(admin, 'DELETE', `/v1/events/${third}`)
    for (const [caller, url] of [
      [stranger, '/v1/public/events'],
      [admin, '/v1/events'],
    ] as const) {
      const { body } = await get(caller, url)
      const order = body.map((one: { id: number }) => one.id).filter((id: number) => ids.includes(id))
      expect(order).toEqual([first, fourth, second, fifth])
    }
  })
})

describe('the list of events for admins', () => {
  it('carries the same, with the hidden problems counted [GET /v1/events] [Fields: Event]', async () => {
    const { admin } = contests
    const { id, common } = await createFull()
    const listed = inList(await get(admin, '/v1/events'), id)
    expect(listed).toEqual({ ...common, problem_count: 2, participants: [await readUser(admin)] })
    expect(inList(await get(admin, '/v1/public/events'), id)).toEqual(listed)
  })

  it('is refused to users, owners of events and judges (403) [Error: 403]', async () => {
    const { user, createEvent } = contests
    const id = await createEvent({ user_id: user.id })
    for (const caller of [user, 'judge'] as const) {
      for (const url of ['/v1/events', `/v1/events/${id}`, '/v1/event_details?title=A%20contest']) {
        expect(await get(caller, url)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
      }
    }
  })
})

describe('an event for everybody', () => {
  it('carries every participant in the order of joining, and the ids of its problems [GET /v1/public/events/{event_id}] [Fields: Event] [Fields: User]', async () => {
    const { admin, user, stranger } = contests
    const { id, shown, common } = await createFull()
    const { status, body } = await get(stranger, `/v1/public/events/${id}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...common,
      problem_count: 1,
      participants: [await readUser(user), await readUser(admin)],
      problems: [{ id: shown.id }],
    })
  })

  it('shows and counts its hidden problems to admins, judges and its owner only (D33)', async () => {
    const { admin, user, stranger } = contests
    const owner = await contests.service.createPerson()
    const { id, shown, hidden } = await createFull({ user_id: owner.id })
    const url = `/v1/public/events/${id}`
    for (const caller of [admin, 'judge', owner] as const) {
      const { body } = await get(caller, url)
      expect(body).toMatchObject({ problem_count: 2, problems: [{ id: hidden.id }, { id: shown.id }] })
    }
    for (const caller of [user, stranger]) {
      const { body } = await get(caller, url)
      expect(body).toMatchObject({ problem_count: 1, problems: [{ id: shown.id }] })
    }
  })

  it('is there before its start, while it runs and after its end', async () => {
    for (const when of [scheduled(), running(), over()]) {
      const id = await contests.createEvent({ ...when, title: 'At any time' })
      const answer = await get(contests.stranger, `/v1/public/events/${id}`)
      expect(answer).toMatchObject({ status: 200, body: { id, title: 'At any time' } })
      expect(answer.body).toMatchObject({ participants: [], problems: [] })
    }
  })
})

describe('an event for admins', () => {
  it('carries its problems whole, hidden ones too, with the contest’s limits or the problem’s own [GET /v1/events/{event_id}] [Fields: EventProblem] [Fields: Problem] [Fields: TestCase]', async () => {
    const { admin } = contests
    const { id, shown, hidden, common } = await createFull()
    const { status, body } = await get(admin, `/v1/events/${id}`)
    expect(status).toBe(200)
    const eventProblemId = expect.any(Number)
    const own = { accept_timeout: 3, execution_timeout: 1.5, memory_limit: 64 }
    const ofContest = { accept_timeout: 7.5, execution_timeout: 2, memory_limit: 512 }
    const whole = async (problemId: number) => (await get(admin, `/v1/problems/${problemId}`)).body
    expect(body).toEqual({
      ...common,
      problem_count: 2,
      problems: [
        {
          ...{ id: eventProblemId, event_id: id, problem_id: hidden.id, hidden: true },
          ...{ ...own, problem: await whole(hidden.id) },
        },
        {
          ...{ id: eventProblemId, event_id: id, problem_id: shown.id, hidden: false },
          ...{ ...ofContest, problem: await whole(shown.id) },
        },
      ],
    })
    expect(body.problems[1].problem).toMatchObject({ title: 'Shown', ...own })
    expect(body.problems[1].problem.test_cases).toMatchObject([
      { input: '1', expected_output: '42', hidden: false },
      { input: '', expected_output: '', hidden: true },
    ])
  })

  it('is found by its title, the newest of that title, with the same fields (D31)', async () => {
    const { admin, createEvent } = contests
    const title = 'Twice & again = 50 %'
    await createFull({ title })
    const { id } = await createFull({ title, ...over() })
    const newer = await createEvent({ title, ...scheduled() })
    await createEvent({ title: `${title}!` })
    await createEvent({ title: title.toUpperCase() })
    await contests.ask(admin, 'DELETE', `/v1/events/${newer}`)
    const found = await get(admin, `/v1/event_details?${new URLSearchParams({ title })}`)
    expect(found.status).toBe(200)
    expect(found.body).toEqual((await get(admin, `/v1/events/${id}`)).body)
  })

  it('is found by a title as it was sent on creation, with space around it', async () => {
    const id = await contests.createEvent({ title: '  Spacious ' })
    const answer = await get(contests.admin, '/v1/event_details?title=%20%20Spacious%20')
    expect(answer).toMatchObject({ status: 200, body: { id, title: 'Spacious' } })
  })

  it('is 404 by a title that none has, 400 without a title', async () => {
    const { admin } = contests
    expect(await get(admin, '/v1/event_details?title=Nobody%20has%20it')).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', error: 'There is no such event' },
    })
    for (const [query, message] of [
      ['', 'title is required'],
      ['?title=', 'title must not be empty'],
      ['?title=a&title=b', 'title must be a string'],
    ]) {
      expect(await get(admin, `/v1/event_details${query}`)).toMatchObject({
        status: 400,
        body: { code: '400', message },
      })
    }
  })
})

describe('an event that nobody knows', () => {
  it.each(['/v1/public/events', '/v1/events'])('is 404 at %s/{event_id} [Error: 404]', async (path) => {
    for (const id of [NO_EVENT, 0]) {
      expect(await get(contests.admin, `${path}/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND', error: 'There is no such event' },
      })
    }
  })

  it.each(['/v1/public/events', '/v1/events'])('is 400 at %s/{event_id} where it is no id', async (path) => {
    for (const id of ['2147483648', '-1', '1.5', 'first', '%20']) {
      expect(await get(contests.admin, `${path}/${id}`)).toMatchObject({ status: 400, body: { code: '400' } })
    }
  })
})

const pastTimes = { start_time: '2026-04-01T18:00:00Z', end_time: '2026-04-01T20:00:00Z' }

const create = (fields: Record<string, unknown> = {}, caller: 'admin' | 'user' | 'judge' = 'admin') =>
  contests.ask(caller === 'judge' ? 'judge' : contests[caller], 'POST', '/v1/events', {
    title: 'A contest',
    ...pastTimes,
    ...fields,
  })

const countEvents = unprepared<{
  events: number
  problems: number
}>(`select (select count(*)::integer from events) as events,
          (select count(*)::integer from event_problems) as problems`)

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
      ...pastTimes,
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
      ...pastTimes,
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
  const ends = 'end_time must be after start_time'

  it.each([
    [{ end_time: pastTimes.start_time }, ends],
    [{ end_time: '2026-04-01T19:59:59+02:00' }, ends],
    [{ end_time: '2026-04-01T17:59:59.999999Z' }, ends],
    [{ start_time: '2026-04-01T20:00:00.000001Z' }, ends],
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

describe('a new event with a missing record is refused (404)', () => {
  it('for an unknown problem beside a known one [POST /v1/events] [Error: 404]', async () => {
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
