import { describe, expect, it } from 'vitest'
import { NO_PROBLEM } from '../features/problems-support.ts'
import type { Person } from '../support/app.ts'
import { NO_EVENT, openContests, running, scheduled } from './events-support.ts'

const contests = await openContests()

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

  it('is refused the second time, whoever asks, also where it is hidden there (409) [POST /v1/events/{id}/problems] [Error: 409]', async () => {
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

  it.each([
    [{}, 'problem_id is required'],
    [{ problem_id: null }, 'problem_id must be an integer'],
    [{ problem_id: '1' }, 'problem_id must be an integer'],
    [{ problem_id: 1.5 }, 'problem_id must be an integer'],
    [{ problem_id: -1 }, 'problem_id must be >= 0'],
    [{ problem_id: 2_147_483_648 }, 'problem_id must be <= 2147483647'],
  ])('is refused for %j with a message that says why (400)', async (body, message) => {
    const id = await contests.createEvent()
    expect(await add(contests.user, id, body)).toMatchObject({ status: 400, body: { code: '400', message } })
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
