import { describe, expect, it } from 'vitest'
import type { Person } from '../support/app.ts'
import { over, running, scheduled, serviceWithContests } from '../support/contests.ts'
import { NO_EVENT, NO_PROBLEM } from '../support/ids.ts'

const contests = await serviceWithContests()
const owner = await contests.service.createPerson()
const participant = await contests.service.createPerson()

const ofContest = { accept_timeout: 7.5, execution_timeout: 2.5, memory_limit: 512 }
const ofProblem = { accept_timeout: 3, execution_timeout: 1.5, memory_limit: 64 }

/** An event with a public problem, which has limits of the contest, a private one, and a hidden one of each kind. */
async function createFull(when: Record<string, unknown>) {
  const { createProblem, createEvent, register } = contests
  const open = await createProblem({ title: 'Open' })
  const closed = await createProblem({ title: 'Closed', public: false })
  const hiddenOpen = await createProblem({ title: 'Hidden open' })
  const hiddenClosed = await createProblem({ title: 'Hidden closed', public: false })
  const problems = [
    { problem_id: open.id, ...ofContest },
    { problem_id: closed.id },
    { problem_id: hiddenOpen.id, hidden: true },
    { problem_id: hiddenClosed.id, hidden: true },
  ]
  const id = await createEvent({ ...when, user_id: owner.id, problems })
  await register(participant, id)
  const eventProblemIds = await contests.eventProblemIds(id)
  return { id, open, closed, hidden: [hiddenOpen, hiddenClosed], eventProblemIds }
}

type Full = Awaited<ReturnType<typeof createFull>>

const list = async (caller: Person | 'judge', { id }: { id: number }) => {
  const { status, body } = await contests.ask(caller, 'GET', `/v1/events/${id}/problems`)
  expect(status).toBe(200)
  return body
}

const readOne = (caller: Person | 'judge', { id, eventProblemIds }: Full, problemId: number) =>
  contests.ask(caller, 'GET', `/v1/events/${id}/problems/${eventProblemIds.get(problemId)}`)

const identity = ({ id, eventProblemIds }: Full, problemId: number, hidden = false) => ({
  id: eventProblemIds.get(problemId),
  event_id: id,
  problem_id: problemId,
  hidden,
})

/** An event's problem as those read it to whom it is not open. */
const brief = (event: Full, { id, title }: { id: number; title: string }) => ({
  ...identity(event, id),
  problem: { id, title, difficulty: 'EASY' },
})

/** The problem itself, without test cases. */
async function readProblem(id: number) {
  const { test_cases, ...problem } = (await contests.ask('judge', 'GET', `/v1/problems/${id}`)).body
  expect(test_cases).toHaveLength(2)
  return problem
}

const whole = async (event: Full, id: number, limits: object, hidden = false) => ({
  ...{ ...identity(event, id, hidden), ...limits },
  problem: await readProblem(id),
})

const wholeOfAll = async (event: Full) => [
  await whole(event, event.open.id, ofContest),
  await whole(event, event.closed.id, ofProblem),
  ...(await Promise.all(event.hidden.map(({ id }) => whole(event, id, ofProblem, true)))),
]

describe('the problems of an event before its start', () => {
  it('are ids, titles and difficulties to users, participants included, public and private ones alike [GET /v1/events/{id}/problems] [Fields: EventProblem]', async () => {
    const event = await createFull(scheduled())
    for (const caller of [contests.stranger, participant]) {
      expect(await list(caller, event)).toEqual([brief(event, event.open), brief(event, event.closed)])
    }
  })

  it('are whole to admins, judges and the event’s owner, hidden ones too [GET /v1/events/{id}/problems] [Fields: EventProblem]', async () => {
    const event = await createFull(scheduled())
    for (const caller of [contests.admin, 'judge', owner] as const) {
      expect(await list(caller, event)).toEqual(await wholeOfAll(event))
    }
  })

  it('cannot be read one by one by users, participants included (403 EVENT_NOT_STARTED) [GET /v1/events/{id}/problems/{event_problem_id}] [Error: 403]', async () => {
    const event = await createFull(scheduled())
    for (const caller of [contests.stranger, participant]) {
      for (const { id } of [event.open, event.closed]) {
        expect(await readOne(caller, event, id)).toMatchObject({
          status: 403,
          body: { code: 'EVENT_NOT_STARTED', error: 'The event has not started yet' },
        })
      }
    }
    for (const caller of [contests.admin, 'judge', owner] as const) {
      expect(await readOne(caller, event, event.closed.id)).toMatchObject({ status: 200 })
    }
  })
})

describe.each([
  ['while it runs', running],
  ['after its end', over],
])('the problems of an event %s', (_, when) => {
  it('are whole to participants, with the contest’s limits or the problem’s own, but for hidden ones [GET /v1/events/{id}/problems] [Fields: EventProblem]', async () => {
    const event = await createFull(when())
    const [open, closed] = await wholeOfAll(event)
    expect(await list(participant, event)).toEqual([open, closed])
  })

  it('are whole to strangers where the problem is public, else ids, titles and difficulties (D19)', async () => {
    const event = await createFull(when())
    const [open] = await wholeOfAll(event)
    expect(await list(contests.stranger, event)).toEqual([open, brief(event, event.closed)])
  })

  it('are whole to admins, judges and the owner, hidden ones too', async () => {
    const event = await createFull(when())
    for (const caller of [contests.admin, 'judge', owner] as const) {
      expect(await list(caller, event)).toEqual(await wholeOfAll(event))
    }
  })

  it('show their public test cases, and no hidden ones, to every caller [GET /v1/events/{id}/problems/{event_problem_id}] [Fields: EventProblem] [Fields: TestCase]', async () => {
    const event = await createFull(when())
    const [open, closed] = await wholeOfAll(event)
    const test_cases = ({ id, cases }: Full['open']) => [
      { id: cases[0], problem_id: id, input: '1', expected_output: '42', hidden: false },
    ]
    const [first, second] = [
      { ...open, problem: { ...open?.problem, test_cases: test_cases(event.open) } },
      { ...closed, problem: { ...closed?.problem, test_cases: test_cases(event.closed) } },
    ]
    for (const caller of [contests.admin, 'judge', owner, participant] as const) {
      expect((await readOne(caller, event, event.open.id)).body).toEqual(first)
      expect((await readOne(caller, event, event.closed.id)).body).toEqual(second)
    }
    expect((await readOne(contests.stranger, event, event.open.id)).body).toEqual(first)
  })

  it('are 404 one by one to strangers where the problem is private, and to all users where it is hidden [GET /v1/events/{id}/problems/{event_problem_id}] [Error: 404]', async () => {
    const event = await createFull(when())
    const missing = {
      status: 404,
      body: { code: 'NOT_FOUND', error: 'There is no such problem in the event' },
    }
    expect(await readOne(contests.stranger, event, event.closed.id)).toMatchObject(missing)
    for (const { id } of event.hidden) {
      for (const caller of [contests.stranger, participant]) {
        expect(await readOne(caller, event, id)).toMatchObject(missing)
      }
      for (const caller of [contests.admin, 'judge', owner] as const) {
        expect(await readOne(caller, event, id)).toMatchObject({ status: 200, body: { hidden: true } })
      }
    }
  })
})

describe('a hidden problem before the start', () => {
  it('is as if it were not there: 404, not EVENT_NOT_STARTED (D33)', async () => {
    const event = await createFull(scheduled())
    for (const caller of [contests.stranger, participant]) {
      for (const { id } of event.hidden) {
        expect(await readOne(caller, event, id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
      }
    }
  })
})

describe('a problem of an event', () => {
  it('is 404 where the event or the problem is unknown, or is another event’s [Error: 404]', async () => {
    const event = await createFull(running())
    const other = await createFull(running())
    const eventProblemId = event.eventProblemIds.get(event.open.id)
    for (const path of [
      `${event.id}/problems/${NO_PROBLEM}`,
      `${other.id}/problems/${eventProblemId}`,
      `${NO_EVENT}/problems/${eventProblemId}`,
    ]) {
      for (const caller of [contests.admin, participant]) {
        const answer = await contests.ask(caller, 'GET', `/v1/events/${path}`)
        expect(answer, path).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
      }
    }
    const answer = await contests.ask(contests.admin, 'GET', `/v1/events/${NO_EVENT}/problems`)
    expect(answer).toMatchObject({ status: 404, body: { error: 'There is no such event' } })
  })

  it('is gone everywhere in the event once it is deleted, and is not counted', async () => {
    const { admin, ask } = contests
    const event = await createFull(running())
    await ask(admin, 'DELETE', `/v1/problems/${event.open.id}`)
    for (const caller of [admin, 'judge', owner, participant, contests.stranger] as const) {
      const ids = (await list(caller, event)).map((one: { problem_id: number }) => one.problem_id)
      expect(ids).not.toContain(event.open.id)
      expect(await readOne(caller, event, event.open.id)).toMatchObject({ status: 404 })
    }
    const url = `/v1/events/${event.id}`
    const seen = await ask(admin, 'GET', url)
    expect(seen.body).toMatchObject({ problem_count: 3, problems: [{}, {}, {}] })
    expect(seen.text).not.toContain('"Open"')
    const shown = await ask(participant, 'GET', `/v1/public/events/${event.id}`)
    expect(shown.body).toMatchObject({ problem_count: 1, problems: [{ id: event.closed.id }] })
    const listed = await ask(participant, 'GET', '/v1/public/events')
    expect(listed.body.find(({ id }: { id: number }) => id === event.id)).toMatchObject({ problem_count: 1 })
    expect(await ask(admin, 'PUT', url, { teams: true })).toMatchObject({ body: { problem_count: 3 } })
    expect(await ask(admin, 'POST', `${url}/end`)).toMatchObject({ body: { problem_count: 3 } })
  })
})

const add = (caller: Person | 'judge', eventId: number, body: unknown) =>
  contests.ask(caller, 'POST', `/v1/events/${eventId}/problems`, body)

const listed = async (eventId: number) => {
  const { body } = await contests.ask(contests.admin, 'GET', `/v1/events/${eventId}/problems`)
  return body.map((one: { problem_id: number }) => one.problem_id)
}

const missing = { status: 404, body: { code: 'NOT_FOUND', error: 'There is no such problem' } }

describe('adding a problem to an event', () => {
  it('answers 201 with the new event problem, which is not hidden and has the problem’s own limits [POST /v1/events/{id}/problems] [Fields: EventProblem]', async () => {
    const { admin, problem, createEvent } = contests
    const id = await createEvent()
    const { status, body } = await add(admin, id, { problem_id: problem.id })
    expect(status).toBe(201)
    const added = { id: body.id, event_id: id, problem_id: problem.id, hidden: false }
    expect(body).toEqual({ ...added, id: expect.any(Number) })
    const read = await contests.ask(admin, 'GET', `/v1/events/${id}/problems/${body.id}`)
    const limits = { accept_timeout: 3, execution_timeout: 1.5, memory_limit: 64 }
    expect(read).toMatchObject({ status: 200, body: { ...added, ...limits, problem: { id: problem.id } } })
  })

  it('is for every user, judge and admin where the problem is public [POST /v1/events/{id}/problems]', async () => {
    const { admin, user, stranger, createProblem, createEvent } = contests
    for (const when of [running(), scheduled()]) {
      const id = await createEvent(when)
      const added: number[] = []
      for (const caller of [stranger, user, 'judge', admin] as const) {
        const problem = await createProblem()
        added.push(problem.id)
        expect(await add(caller, id, { problem_id: problem.id })).toMatchObject({ status: 201 })
      }
      expect(await listed(id)).toEqual(added)
    }
  })

  it('is for admins, judges and its author where the problem is private, and 404 to others (D33) [Error: 404]', async () => {
    const { admin, user, stranger, createProblem, createEvent } = contests
    const problem = await createProblem({ public: false, user_id: user.id })
    const id = await createEvent({ user_id: stranger.id })
    expect(await add(stranger, id, { problem_id: problem.id })).toMatchObject(missing)
    expect(await listed(id)).toEqual([])
    for (const caller of [user, 'judge', admin] as const) {
      expect(await add(caller, await createEvent(), { problem_id: problem.id })).toMatchObject({
        status: 201,
      })
    }
  })

  it('does not carry a private problem from one contest into another by its participants (404)', async () => {
    const { user, createProblem, createEvent, register } = contests
    const problem = await createProblem({ public: false })
    const started = await createEvent({ problems: [{ problem_id: problem.id }] })
    await register(user, started)
    expect(await contests.ask(user, 'GET', `/v1/problems/${problem.id}`)).toMatchObject({ status: 200 })
    const other = await createEvent()
    expect(await add(user, other, { problem_id: problem.id })).toMatchObject(missing)
    expect(await listed(other)).toEqual([])
  })

  it('is refused the second time for every caller, also if the problem is hidden there (409) [POST /v1/events/{id}/problems] [Error: 409]', async () => {
    const { admin, user, problem, createProblem, createEvent } = contests
    const hidden = await createProblem()
    const id = await createEvent({ problems: [{ problem_id: hidden.id, hidden: true }] })
    await add(user, id, { problem_id: problem.id })
    for (const caller of [user, admin]) {
      for (const problem_id of [problem.id, hidden.id]) {
        expect(await add(caller, id, { problem_id })).toMatchObject({
          status: 409,
          body: { code: 'ALREADY_IN_EVENT', error: 'The problem is in the event already' },
        })
      }
    }
    expect(await listed(id)).toEqual([hidden.id, problem.id])
  })

  it('is granted once to many requests at the same instant: exactly one 201, the others 409', async () => {
    const { user, stranger, problem, createEvent } = contests
    for (let round = 0; round < 5; round += 1) {
      const id = await createEvent()
      const callers = [user, stranger, user, stranger, user]
      const answers = await Promise.all(callers.map((caller) => add(caller, id, { problem_id: problem.id })))
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
      expect(await listed(id)).toEqual([problem.id])
    }
  })

  it('is 404 for an unknown event, an unknown problem and a deleted one [Error: 404]', async () => {
    const { admin, problem, createProblem, createEvent } = contests
    const id = await createEvent()
    expect(await add(admin, NO_EVENT, { problem_id: problem.id })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', error: 'There is no such event' },
    })
    const gone = await createProblem()
    await contests.ask(admin, 'DELETE', `/v1/problems/${gone.id}`)
    for (const problem_id of [NO_PROBLEM, gone.id]) {
      expect(await add(admin, id, { problem_id })).toMatchObject(missing)
    }
  })
})

describe('a contest’s own limits', () => {
  it('reach the judge in the record of a submission, beside the problem’s own where it has none (D26)', async () => {
    const { user, createProblem, createEvent, submit, readRecord } = contests
    const problem = await createProblem()
    const own = { accept_timeout: 3, execution_timeout: 1.5, memory_limit: 64 }
    for (const limits of [
      { accept_timeout: 9.5, execution_timeout: 4, memory_limit: 1024 },
      { memory_limit: 8 },
      {},
    ]) {
      const event_id = await createEvent({ problems: [{ problem_id: problem.id, ...limits }] })
      const id = await submit(user, { problem_id: problem.id, event_id })
      const record = await readRecord(id)
      expect(record).toMatchObject({ event_id, problem: { id: problem.id, ...own, ...limits } })
      const read = await contests.ask(user, 'GET', `/v1/submissions/${id}`)
      expect(read.body.problem).toEqual(record.problem)
    }
    const alone = await submit(user, { problem_id: problem.id })
    expect((await readRecord(alone)).problem).toMatchObject(own)
  })
})

const author = await contests.service.createPerson()

/** Makes a private problem with a category. */
async function createPrivate(): Promise<number> {
  const categories = await contests.ask(contests.admin, 'GET', '/v1/categories')
  const fields = { public: false, user_id: author.id, category_ids: [categories.body[0].id] }
  return (await contests.createProblem(fields)).id
}

/** Makes an event with the problem and lets the user of the tests take part; answers its id. */
async function createEventWith(problem_id: number, when: Record<string, unknown>, hidden = false) {
  const id = await contests.createEvent({ ...when, problems: [{ problem_id, hidden }] })
  await contests.register(contests.user, id)
  return id
}

async function expectSeen(caller: Person | 'judge', problemId: number): Promise<void> {
  const problem = await contests.ask(caller, 'GET', `/v1/problems/${problemId}`)
  expect(problem).toMatchObject({ status: 200, body: { id: problemId, public: false } })
  const categories = await contests.ask(caller, 'GET', `/v1/categories/${problemId}`)
  expect(categories.status).toBe(200)
  expect(categories.body).toEqual(problem.body.categories)
  expect(categories.body).toHaveLength(1)
}

async function expectUnseen(caller: Person, problemId: number): Promise<void> {
  for (const url of [`/v1/problems/${problemId}`, `/v1/categories/${problemId}`]) {
    expect(await contests.ask(caller, 'GET', url), url).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', error: 'There is no such problem' },
    })
  }
}

describe('a private problem, by itself (D19)', () => {
  it.each([
    ['running', running],
    ['ended', over],
  ])(
    'is seen by the participants of a %s contest that has it, and by no other user [GET /v1/problems/{problem_id}]',
    async (_, when) => {
      const problem = await createPrivate()
      await createEventWith(problem, when())
      const elsewhere = await contests.service.createPerson()
      await contests.register(elsewhere, await contests.createEvent(when()))
      await expectSeen(contests.user, problem)
      await expectUnseen(contests.stranger, problem)
      await expectUnseen(elsewhere, problem)
    },
  )

  it('is seen by its author, admins and judges without any contest', async () => {
    const problem = await createPrivate()
    for (const caller of [author, contests.admin, 'judge'] as const) await expectSeen(caller, problem)
    await expectUnseen(contests.user, problem)
  })

  it('is shown to participants with its hidden test cases blank', async () => {
    const problem = await createPrivate()
    await createEventWith(problem, running())
    const { body } = await contests.ask(contests.user, 'GET', `/v1/problems/${problem}`)
    expect(body.test_cases).toMatchObject([
      { input: '1', expected_output: '42', hidden: false },
      { input: '', expected_output: '', hidden: true },
    ])
  })

  it('is not seen before the start, and seen from the start on', async () => {
    const problem = await createPrivate()
    const id = await createEventWith(problem, scheduled())
    await expectUnseen(contests.user, problem)
    const { start_time } = running()
    await contests.ask(contests.admin, 'PUT', `/v1/events/${id}`, { start_time })
    await expectSeen(contests.user, problem)
  })

  it('is not seen while it is hidden, though another contest that has not begun shows it', async () => {
    const problem = await createPrivate()
    await createEventWith(problem, running(), true)
    await createEventWith(problem, scheduled())
    await expectUnseen(contests.user, problem)
    await createEventWith(problem, over())
    await expectSeen(contests.user, problem)
  })

  it('is not seen through a contest that was ended before it began', async () => {
    const problem = await createPrivate()
    const id = await createEventWith(problem, scheduled())
    await contests.ask(contests.admin, 'POST', `/v1/events/${id}/end`)
    await expectUnseen(contests.user, problem)
  })

  it('is seen as soon as one takes part, and no longer once the contest is deleted', async () => {
    const problem = await createPrivate()
    const id = await contests.createEvent({ problems: [{ problem_id: problem }] })
    await expectUnseen(contests.user, problem)
    await contests.register(contests.user, id)
    await expectSeen(contests.user, problem)
    await contests.ask(contests.admin, 'DELETE', `/v1/events/${id}`)
    await expectUnseen(contests.user, problem)
  })

  it('is 404 to its participants once the problem is deleted', async () => {
    const problem = await createPrivate()
    await createEventWith(problem, running())
    await contests.ask(contests.admin, 'DELETE', `/v1/problems/${problem}`)
    await expectUnseen(contests.user, problem)
  })

  it('is not in the list of problems of its participants, which is of public ones and their own [GET /v1/problems]', async () => {
    const problem = await createPrivate()
    await createEventWith(problem, running())
    const listedFor = async (caller: Person) => {
      const { body } = await contests.ask(caller, 'GET', '/v1/problems')
      return body.map(({ id }: { id: number }) => id)
    }
    expect(await listedFor(contests.user)).not.toContain(problem)
    expect(await listedFor(author)).toContain(problem)
  })
})
