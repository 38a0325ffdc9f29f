import { describe, expect, it } from 'vitest'
import { NO_PROBLEM } from '../features/problems-support.ts'
import type { Person } from '../support/app.ts'
import { NO_EVENT, openContests, over, running, scheduled } from './events-support.ts'

const contests = await openContests()
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

  it('carry their public test cases one by one, and no hidden one, whoever asks [GET /v1/events/{id}/problems/{event_problem_id}] [Fields: EventProblem] [Fields: TestCase]', async () => {
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
