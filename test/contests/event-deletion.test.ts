import { describe, expect, it } from 'vitest'
import { openContests } from './events-support.ts'

const contests = await openContests()

const remove = (id: number) => contests.ask(contests.admin, 'DELETE', `/v1/events/${id}`)

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
    .map(({ method, url, schema }) => ({
      method,
      url: url.replaceAll(/:(\w+)/g, (_, name: string) => String(ids[name])),
      body: schema.body === undefined ? undefined : body,
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
    expect(await contests.readRecord(submission)).toEqual({ ...before.body, attempt: 1 })
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
