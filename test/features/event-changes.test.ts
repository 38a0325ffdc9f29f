import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../support/app.ts'
import { over, running, scheduled, serviceWithContests } from '../support/contests.ts'
import { databaseKind } from '../support/database.ts'
import { NO_EVENT } from '../support/ids.ts'
import { collideAt } from '../support/row-lock.ts'

const contests = await serviceWithContests()

const times = { start_time: '2026-04-01T18:00:00Z', end_time: '2026-04-01T20:00:00Z' }

const put = (id: number, body: unknown) => contests.ask(contests.admin, 'PUT', `/v1/events/${id}`, body)
const end = (id: number) => contests.ask(contests.admin, 'POST', `/v1/events/${id}/end`)
const remove = (id: number) => contests.ask(contests.admin, 'DELETE', `/v1/events/${id}`)
const read = async (id: number) => (await contests.ask(contests.admin, 'GET', `/v1/events/${id}`)).body

/** The fields of an event that writing it answers, of what reading it answers. */
function withoutProblems({ problems, ...event }: Record<string, unknown>) {
  return event
}

/** An event with two problems, one hidden, and a participant. */
async function createFull(fields: Record<string, unknown> = {}) {
  const { problem, createProblem, createEvent, register, user } = contests
  const problems = [
    { problem_id: (await createProblem()).id, hidden: true },
    { problem_id: problem.id, accept_timeout: 7 },
  ]
  const id = await createEvent({ description: 'As it was', languages: [3], problems, ...times, ...fields })
  await register(user, id)
  return id
}

describe('updating an event', () => {
  it.each([
    [{ title: ' New title ' }, { title: 'New title' }],
    [{ description: '' }, { description: '' }],
    [{ start_time: '2026-04-01T20:30:00+02:00' }, { start_time: '2026-04-01T18:30:00Z' }],
    [{ end_time: '2026-04-02T00:00:00.5' }, { end_time: '2026-04-02T00:00:00.500Z' }],
    [{ teams: true }, { teams: true }],
    [{}, {}],
  ])(
    'changes what is sent and nothing else, its problems neither: %j (200) [PUT /v1/events/{event_id}] [Fields: Event]',
    async (sent, changed) => {
      const id = await createFull()
      const before = await read(id)
      const answer = await put(id, sent)
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({ ...withoutProblems(before), ...changed })
      expect(await read(id)).toEqual({ ...before, ...changed })
    },
  )

  it('takes all fields at once, and ignores problems, languages, owner and unknown ones (D32)', async () => {
    const id = await createFull()
    const before = await read(id)
    const sent = {
      title: 'All',
      description: 'of it',
      start_time: '2090-01-01T00:00:00Z',
      end_time: '2090-01-01T05:00:00Z',
      teams: true,
    }
    const ignored = { id: 1, problems: [], languages: [9], user_id: contests.user.id, participants: [] }
    expect(await put(id, { ...sent, ...ignored })).toMatchObject({ status: 200, body: sent })
    expect(await read(id)).toEqual({ ...before, ...sent })
  })

  it.each([
    [{ start_time: times.end_time }],
    [{ start_time: '2026-04-01T20:00:00.000001Z' }],
    [{ end_time: times.start_time }],
    [{ end_time: '2026-04-01T19:00:00+02:00' }],
    [{ start_time: '2027-01-01T00:00Z', end_time: '2026-12-31T00:00Z' }],
    [{ title: 'Not taken either', end_time: '2025-01-01T00:00Z' }],
  ])(
    'checks the times together with those that are there, and changes nothing: %j (400) [PUT /v1/events/{event_id}] [Error: 400]',
    async (sent) => {
      const id = await createFull()
      const before = await read(id)
      expect(await put(id, sent)).toMatchObject({
        status: 400,
        body: { code: '400', message: 'end_time must be after start_time' },
      })
      expect(await read(id)).toEqual(before)
    },
  )

  it('moves both times past where either of them was', async () => {
    const id = await createFull()
    for (const day of ['2027-05-05', '2025-05-05']) {
      const sent = { start_time: `${day}T10:00:00Z`, end_time: `${day}T11:00:00Z` }
      expect(await put(id, sent)).toMatchObject({ status: 200, body: sent })
    }
  })

  it('lets an event that was ended before its start keep its times while others change', async () => {
    const id = await contests.createEvent(scheduled())
    await end(id)
    expect(await put(id, { title: 'Called off' })).toMatchObject({
      status: 200,
      body: { title: 'Called off' },
    })
    expect(await put(id, { start_time: '2020-01-01T00:00:00Z' })).toMatchObject({ status: 200 })
  })
})

describe('ending an event', () => {
  it('sets the end of a running one to now [POST /v1/events/{id}/end] [State: event ended] [Fields: Event]', async () => {
    const id = await createFull(running())
    const before = await read(id)
    const earliest = Date.now()
    const { status, body } = await end(id)
    expect(status).toBe(200)
    expect(body).toEqual({ ...withoutProblems(before), end_time: body.end_time })
    expect(Date.parse(body.end_time)).toBeGreaterThanOrEqual(earliest - 1000)
    expect(Date.parse(body.end_time)).toBeLessThanOrEqual(Date.now() + 1000)
    expect(await read(id)).toEqual({ ...before, end_time: body.end_time })
  })

  it('sets the end of a scheduled one to now, and leaves its start [State: event ended]', async () => {
    const when = scheduled()
    const id = await contests.createEvent(when)
    const { status, body } = await end(id)
    expect(status).toBe(200)
    expect(body.start_time).toBe(when.start_time)
    expect(Math.abs(Date.parse(body.end_time) - Date.now())).toBeLessThan(10_000)
  })

  it('keeps the end of one that has ended, and of one that was ended (D32)', async () => {
    const when = over()
    const past = await contests.createEvent(when)
    expect(await end(past)).toMatchObject({ status: 200, body: when })
    const id = await contests.createEvent()
    const first = await end(id)
    expect((await end(id)).body).toEqual(first.body)
  })

  it('takes an empty JSON body as none', async () => {
    const id = await contests.createEvent()
    const answer = await contests.service.send({
      method: 'POST',
      url: `/v1/events/${id}/end`,
      token: contests.admin.token,
      headers: { 'content-type': 'application/json' },
      raw: '',
    })
    expect(answer.status).toBe(200)
  })

  it('lets nothing be submitted from then on (403)', async () => {
    const { user, problem, language } = contests
    const id = await contests.createEvent({ problems: [{ problem_id: problem.id }] })
    await contests.submit(user, { event_id: id })
    await end(id)
    const body = {
      user_id: user.id,
      problem_id: problem.id,
      language_id: language.id,
      source_code: 'x',
      event_id: id,
    }
    const answer = await contests.ask(user, 'POST', '/v1/submissions', body)
    expect(answer).toMatchObject({ status: 403, body: { code: 'EVENT_NOT_ACTIVE' } })
  })
})

describe('writing an event', () => {
  it('is refused to users, its owner and judges (403) [Error: 403]', async () => {
    const { user } = contests
    const id = await createFull({ user_id: user.id })
    const before = await read(id)
    for (const caller of [user, 'judge'] as const) {
      for (const [method, url] of [
        ['PUT', `/v1/events/${id}`],
        ['DELETE', `/v1/events/${id}`],
        ['POST', `/v1/events/${id}/end`],
      ] as const) {
        const answer = await contests.ask(
          caller,
          method,
          url,
          method === 'PUT' ? { title: 'Mine' } : undefined,
        )
        expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
      }
    }
    expect(await read(id)).toEqual(before)
  })

  it('is 404 for one that nobody knows [Error: 404]', async () => {
    const missing = { status: 404, body: { code: 'NOT_FOUND', error: 'There is no such event' } }
    expect(await put(NO_EVENT, { title: 'Nothing' })).toMatchObject(missing)
    expect(await put(NO_EVENT, {})).toMatchObject(missing)
    expect(await end(NO_EVENT)).toMatchObject(missing)
    expect(await remove(NO_EVENT)).toMatchObject(missing)
  })
})

const LOCK_EVENT = 'select events.id from events where events.id = $1::integer for update'

describe.runIf(databaseKind === 'postgres')('changes of one event at the same instant', () => {
  const collide = (id: number, requests: readonly (() => Promise<TestResponse>)[]) =>
    collideAt(contests.service.databaseUrl, LOCK_EVENT, String(id), requests)

  it('keep its times in order: the second is checked against what the first has left (400)', async () => {
    const id = await createFull()
    const answers = await collide(id, [
      () => put(id, { start_time: '2026-04-01T19:30:00Z' }),
      () => put(id, { end_time: '2026-04-01T19:00:00Z' }),
    ])
    expect(answers).toMatchObject([{ status: 200 }, { status: 400 }])
    expect(await read(id)).toMatchObject({ start_time: '2026-04-01T19:30:00Z', end_time: times.end_time })
  })

  it('keep what another has changed', async () => {
    const id = await createFull()
    const answers = await collide(id, [
      () => put(id, { title: 'First' }),
      () => put(id, { description: 'Second' }),
    ])
    expect(answers).toMatchObject([{ status: 200 }, { status: 200 }])
    expect(await read(id)).toMatchObject({ title: 'First', description: 'Second' })
  })

  it('end it when its row is held, not when that was asked for: later than what was let in before', async () => {
    const id = await createFull(running())
    let asked = 0
    const [ended] = await collide(id, [
      () => end(id),
      () => {
        asked = Date.now()
        return put(id, { title: 'Meanwhile' })
      },
    ])
    expect(Date.parse(ended?.body.end_time)).toBeGreaterThanOrEqual(asked)
  })

  it('end it once', async () => {
    const id = await createFull(running())
    const answers = await collide(id, [() => end(id), () => end(id), () => put(id, { title: 'Meanwhile' })])
    expect(answers).toMatchObject([{ status: 200 }, { status: 200 }, { status: 200 }])
    const ends = answers.map(({ body }) => body.end_time)
    expect(new Set(ends).size).toBe(1)
  })

  it('delete it once, and what comes after finds none (404)', async () => {
    const id = await createFull()
    const answers = await collide(id, [
      () => remove(id),
      () => remove(id),
      () => put(id, { title: 'Late' }),
      () => end(id),
    ])
    expect(answers.map(({ status }) => status)).toEqual([204, 404, 404, 404])
  })
})

/** Every route of one event with its ids put in, and the body that it takes. */
async function routesOf(eventId: number) {
  const { service, admin, user, problem } = contests
  const team = await contests.ask(user, 'POST', `/v1/events/${eventId}/teams`, { name: 'We' })
  const question = await contests.ask(user, 'POST', `/v1/events/${eventId}/questions`, { question: 'Why?' })
  const ids: Record<string, unknown> = {
    event_id: eventId,
    event_problem_id: (await contests.eventProblemIds(eventId)).get(problem.id),
    team_id: team.body.team_id,
    question_id: question.body.id,
  }
  const body = {
    ...{ title: 'Late', name: 'Late', question: 'Late?', answer: 'Late.' },
    ...{ problem_id: (await contests.createProblem()).id, user_id: admin.id },
  }
  return service.routes
    .filter(({ url }) => url.includes('/:event_id'))
    .map(({ method, url, ...route }) => ({
      method,
      url: url.replaceAll(/:(\w+)/g, (_, name: string) => String(ids[name])),
      body: route.body === undefined ? undefined : body,
    }))
}

describe('deleting an event', () => {
  it('answers 204 without a body, and then 404 on every route of the event [DELETE /v1/events/{event_id}] [Error: 404]', async () => {
    const { admin, user, problem } = contests
    const problems = [{ problem_id: problem.id }]
    const id = await contests.createEvent({ teams: true, problems })
    await contests.register(admin, id)
    const routes = await routesOf(id)
    expect(routes).toHaveLength(24)
    for (const { method, url } of routes.filter((route) => route.method === 'GET')) {
      const caller = url.endsWith('/teams/me') ? user : admin
      expect((await contests.ask(caller, method, url)).status, url).toBe(200)
    }

    expect(await remove(id)).toMatchObject({ status: 204, text: '' })
    for (const { method, url, body } of routes) {
      for (const caller of [admin, user]) {
        const answer = await contests.ask(caller, method, url, body)
        const forAdmins = caller === user && answer.status === 403
        if (!forAdmins) {
          const said = { code: 'NOT_FOUND', error: expect.stringMatching(/^There is no such/) }
          expect(answer, `${method} ${url}`).toMatchObject({ status: 404, body: said })
        }
      }
    }
  })

  it('leaves its submissions readable, with their event and its limits, and open to a verdict', async () => {
    const { user, problem, admin } = contests
    const id = await contests.createEvent({ problems: [{ problem_id: problem.id, memory_limit: 99 }] })
    const submission = await contests.submit(user, { event_id: id })
    const url = `/v1/submissions/${submission}`
    const before = await contests.ask(user, 'GET', url)
    expect(before.body).toMatchObject({ event_id: id, problem: { memory_limit: 99 } })
    await remove(id)
    expect((await contests.ask(user, 'GET', url)).body).toEqual(before.body)
    expect(await contests.readRecord(submission)).toEqual({ ...before.body, judging: 1, attempt: 1 })
    const { body } = await contests.ask(admin, 'GET', `/v1/user_submissions/${user.id}`)
    expect(body).toContainEqual(expect.objectContaining({ id: submission, event_id: id }))
    expect(await contests.patch(submission, { status: 'ACCEPTED' })).toMatchObject({ status: 204 })
    expect(await contests.ask(user, 'GET', `${url}/status`)).toMatchObject({ body: { status: 'ACCEPTED' } })
  })

  it('takes it out of both lists, and leaves its title to the one before', async () => {
    const { admin, user, createEvent } = contests
    const title = 'To be deleted'
    const [older, newer] = [await createEvent({ title }), await createEvent({ title })]
    await remove(newer)
    for (const [caller, url] of [
      [user, '/v1/public/events'],
      [admin, '/v1/events'],
    ] as const) {
      const { body } = await contests.ask(caller, 'GET', url)
      const ids = body.map((one: { id: number }) => one.id)
      expect(ids).toContain(older)
      expect(ids).not.toContain(newer)
    }
    const found = await contests.ask(admin, 'GET', '/v1/event_details?title=To%20be%20deleted')
    expect(found.body.id).toBe(older)
  })

  it('takes no submission any more (404)', async () => {
    const { user, problem, language } = contests
    const id = await contests.createEvent({ problems: [{ problem_id: problem.id }] })
    await remove(id)
    const program = { user_id: user.id, problem_id: problem.id, language_id: language.id, source_code: 'x' }
    const answer = await contests.ask(user, 'POST', '/v1/submissions', { ...program, event_id: id })
    expect(answer).toMatchObject({ status: 404, body: { error: 'There is no such event' } })
  })
})
