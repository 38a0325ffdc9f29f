import { expect, it } from 'vitest'
import type { Person } from '../support/app.ts'
import { serviceWithContests } from '../support/contests.ts'
import { forbidden, refusal } from '../support/refusals.ts'

const contests = await serviceWithContests()
const { admin, user, problem, service } = contests

/** Creates a team event with a problem that the admin and the user take part in. */
async function createTeamEvent(fields: object = {}): Promise<number> {
  const problems = [{ problem_id: problem.id }]
  const eventId = await contests.createEvent({ teams: true, problems, ...fields })
  for (const person of [admin, user]) await contests.register(person, eventId)
  return eventId
}

/** Returns a valid request to every route of an event; `member` gets a team for it. */
async function requestsTo(eventId: number, member: Person) {
  const url = `/v1/events/${eventId}`
  const ids: Record<string, unknown> = {
    event_id: eventId,
    event_problem_id: (await contests.eventProblemIds(eventId)).get(problem.id),
    user_id: member.id,
    team_id: (await member.post(`${url}/teams`, { name: member.name })).team_id,
    question_id: (await member.post(`${url}/questions`, { question: 'Why?' })).id,
    scoreboard_token_id: (await admin.post(`${url}/scoreboard_tokens`, {}, 201)).id,
  }
  const body = {
    ...{ title: 'Late', name: 'Late', question: 'Late?', answer: 'Late.', label: 'L', announcement: 'Late.' },
    ...{ problem_id: (await contests.createProblem()).id, user_id: member.id, extra_minutes: 5 },
  }
  return service.routes
    .filter(({ url }) => /^\/v1\/(public\/)?events\/:event_id/.test(url))
    .map((route) => ({
      ...{ method: route.method, policy: route.policy },
      url: route.url.replaceAll(/:(\w+)/g, (_, name: string) => String(ids[name])),
      body: route.body === undefined ? undefined : body,
    }))
}

/** Reads everything that a request to a route of an event could change. */
const readAll = (eventId: number) =>
  Promise.all(
    ['', '/participants', '/problems', '/questions', '/teams', '/submissions', '/scoreboard_tokens'].map(
      (path) => admin.get(`/v1/events/${eventId}${path}`),
    ),
  )

it('responds 204 to the deletion of an event, then 404 on all its routes [DELETE /v1/events/{event_id}] [Error: 404]', async () => {
  const eventId = await createTeamEvent()
  const requests = await requestsTo(eventId, user)
  expect(requests).toHaveLength(37)
  for (const { method, url } of requests) {
    if (method === 'GET') await (url.endsWith('/teams/me') ? user : admin).get(url, 200)
  }
  const deletion = await admin.send('DELETE', `/v1/events/${eventId}`)
  expect(deletion).toMatchObject({ status: 204, text: '' })
  const missing = refusal(404, 'NOT_FOUND', expect.stringMatching(/^There is no such/))
  for (const { method, url, body, policy } of requests) {
    for (const caller of policy === 'user' ? [admin, user] : [admin])
      expect(await caller.send(method, url, body), `${method} ${url}`).toMatchObject(missing)
  }
})

it('refuses the owner of an event on the routes for admins (403) [Error: 403]', async () => {
  const eventId = await createTeamEvent({ user_id: user.id })
  const requests = await requestsTo(eventId, user)
  const before = await readAll(eventId)
  const ofAdmins = requests.filter(({ policy }) => policy === 'admin')
  expect(ofAdmins).toHaveLength(6)
  for (const { method, url, body } of ofAdmins)
    expect(await user.send(method, url, body), `${method} ${url}`).toMatchObject(forbidden)
  expect(await readAll(eventId)).toEqual(before)
})
