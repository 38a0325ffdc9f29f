import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { NIL_UUID } from '../../src/http/routing/tokens.ts'
import type { Person } from '../support/app.ts'
import type { Expected, TestResponse } from '../support/caller.ts'
import { INSTANT, over, scheduled, serviceWithContests } from '../support/contests.ts'
import { NOBODY } from '../support/ids.ts'
import { submissionBody } from '../support/judging.ts'
import { notFound, refusal } from '../support/refusals.ts'
import { storePackage } from '../support/stored-package.ts'

const contests = await serviceWithContests()
const { admin, user, stranger, problem, service, createEvent, createProblem, readUser } = contests
const { judge } = service

const add = (id: number, user_id: unknown, expected: Expected = 201) =>
  admin.post(`/v1/events/${id}/participants`, { user_id }, expected)
const register = (id: number, by = user, expected: Expected = 201) =>
  by.post(`/v1/public/events/${id}/register`, undefined, expected)

const alreadyRegistered = expect.stringContaining('already a participant')
const registeredBefore = refusal(409, 'ALREADY_REGISTERED', alreadyRegistered)
const message = expect.stringMatching(/./)

/** Checks the participants in all views that show them. */
async function expectParticipants(id: number, participants: readonly unknown[]): Promise<void> {
  const event = await stranger.get(`/v1/public/events/${id}`)
  expect(event).toMatchObject({ participant_count: participants.length })
  expect(event.participants).toEqual(participants)
  for (const by of [stranger, judge])
    expect(await by.get(`/v1/public/events/${id}/participants`)).toEqual(participants)
  expect(await admin.get(`/v1/events/${id}/participants`)).toEqual(participants)
}

describe('registering for an event', () => {
  it('makes the caller a participant of this event only, and is refused the second time (409) [POST /v1/public/events/{event_id}/register] [Error: 409]', async () => {
    const [id, other] = [await createEvent(), await createEvent()]
    expect(await register(id)).toEqual({ message })
    await register(id, user, registeredBefore)
    await add(id, user.id, registeredBefore)
    await expectParticipants(id, [await readUser(user)])
    await expectParticipants(other, [])
    await register(other)
  })

  it('is possible before the start and after the end (D34)', async () => {
    for (const when of [scheduled(), over()]) {
      const id = await createEvent(when)
      await register(id)
      await expectParticipants(id, [await readUser(user)])
    }
  })

  it('is possible for admins, but not for judges, who have no account (404) [Error: 404]', async () => {
    const id = await createEvent()
    await register(id, admin)
    await judge.post(`/v1/public/events/${id}/register`, undefined, notFound('user'))
    await expectParticipants(id, [await readUser(admin)])
  })
})

describe('adding a participant', () => {
  it('makes the user a participant, and is refused the second time (409) [POST /v1/events/{id}/participants] [Error: 409]', async () => {
    const id = await createEvent()
    expect(await add(id, user.id.toUpperCase())).toEqual({ message })
    await expectParticipants(id, [await readUser(user)])
    await add(id, user.id, registeredBefore)
    await register(id, user, registeredBefore)
  })

  it('is refused for an unknown or deleted user (404) [Error: 404]', async () => {
    const [id, deleted] = [await createEvent(), await service.createPerson()]
    await contests.deleteUser(deleted)
    for (const userId of [NOBODY, deleted.id, NIL_UUID]) await add(id, userId, notFound('user'))
    await expectParticipants(id, [])
  })
})

it('lists participants with all fields of a user, in the order of joining [GET /v1/public/events/{event_id}/participants] [GET /v1/events/{id}/participants] [Fields: User]', async () => {
  const id = await createEvent()
  const [second, third, first] = [await service.createPerson(), admin, await service.createPerson()]
  const people = [first, second, third]
  for (const person of people) await add(id, person.id)
  const join_date = expect.stringMatching(INSTANT)
  await expectParticipants(
    id,
    people.map((one) => ({
      ...{ id: one.id, name: one.name, email: one.email, image: '', is_admin: one === admin, join_date },
    })),
  )
})

const FORMER = { name: 'Ada Formerly', email: 'ada.formerly@example.org', image: 'https://example.org/a.png' }

async function submitAccepted(by: Person, fields = {}): Promise<string> {
  const id = await contests.submit(by, fields)
  await judge.patch(`/v1/submissions/${id}`, { status: 'ACCEPTED', stdout: '42' })
  return id
}

/** Creates a user with traces everywhere; `values` has the ids by parameter of a path. */
async function takePartInEverything() {
  const { id, token } = await admin.post('/v1/basic_register', { ...FORMER, password: 'a password' })
  const gone: Person = { ...FORMER, id, token, ...service.as(token) }
  await admin.put(`/v1/users/${id}`, { is_admin: true })
  const mate = await service.createPerson()
  const own = await createProblem({ title: 'Own', user_id: id })
  const event = await createEvent({
    ...{ title: 'Shared', teams: true, user_id: id },
    problems: [{ problem_id: problem.id }, { problem_id: own.id }],
  })
  const url = `/v1/events/${event}`
  const { team_id } = await gone.post(`${url}/teams`, { name: 'The pair' })
  await mate.post(`${url}/teams/${team_id}/join`)
  const asked = await gone.post(`${url}/questions`, { question: 'Even?', problem_id: problem.id })
  const answered = await mate.post(`${url}/questions`, { question: 'Odd?' })
  for (const [by, question] of [[mate, asked] as const, [gone, answered] as const, [admin, asked] as const])
    await by.put(`${url}/questions/${question.id}/answer`, { answer: 'So.' })
  const submissions = [
    await submitAccepted(gone, { event_id: event }),
    await submitAccepted(mate, { event_id: event }),
    await submitAccepted(gone),
  ]
  const login = await admin.post('/v1/basic_login', { email: FORMER.email, password: 'a password' })
  const asAdmin = service.as(login.token)
  const shadow = await asAdmin.post('/v1/admin/shadow_judgings', { submission_id: submissions[1] })
  await storePackage(service, problem.id, { files: { 'submissions/accepted/right.py': 'print(42)' } })
  const verification = await asAdmin.post(`/v1/problem_packages/${problem.id}/verifications`, undefined, 201)
  const target = { url: 'https://example.org/', token: 'a-token' }
  const webhook = await asAdmin.post('/v1/clics/webhooks', target, 201)
  const program = { ...submissionBody(gone, problem, contests.language), stdin: '' }
  const run = await gone.post('/v1/input_submissions', program)
  const decision = await asAdmin.post('/v1/rejudgings', { user_id: id }, 202)
  const scoreboardToken = await asAdmin.post(`/v1/events/${event}/scoreboard_tokens`, {}, 201)
  const rejudging = await admin.post('/v1/admin/rejudge', { user_id: id, event_id: event })
  const values: Record<string, readonly (string | number)[]> = {
    ...{ rejudging_id: [rejudging.id], decision_id: [decision.id], verification_id: [verification.id] },
    ...{ webhook_id: [webhook.id], scoreboard_token_id: [scoreboardToken.id], test_case_id: own.cases },
    ...{ judge_name: ['judge-1'], file: ['licences.txt'] },
    ...{ user_id: [id, mate.id], team_id: [team_id], submission_id: [...submissions, shadow.id] },
    ...{ event_id: [event], name: ['right.py'] },
    ...{ problem_id: [problem.id, own.id], question_id: [asked.id, answered.id], id: [problem.id, run] },
    event_problem_id: [...(await contests.eventProblemIds(event)).values()],
  }
  return { gone, mate, event, values }
}

/** Their responses have the time of the request or of the last change, or a position. */
const OF_THE_PRESENT = /^(readEventClock|readScoreboard|readEventFeed|stream.*)$/

/** Returns the paths of a route with all values; throws for a parameter without values. */
function pathsOf(pattern: string): string[] {
  const [parameter, name = ''] = /:(\w+)/.exec(pattern) ?? []
  if (parameter === undefined) return [pattern]
  const values = past.values[name]
  if (values === undefined) throw new Error(`no value for ${parameter} of ${pattern}`)
  return values.flatMap((value) => pathsOf(pattern.replace(parameter, String(value))))
}

/** Reads every GET route but the clock, with all values, and some queries, as several callers. */
async function readEverything(): Promise<Map<string, TestResponse>> {
  const { gone, mate, event, values } = past
  const routes = service.routes.filter(({ method, name }) => method === 'GET' && !OF_THE_PRESENT.test(name))
  const queries = ['/v1/users?username=formerly', '/v1/event_details?title=Shared']
  const submissions = [`user=${gone.id}`, `team=${values.team_id}`].map((query) => `submissions?${query}`)
  const ofEvent = [...submissions, 'participants?limit=1'].map((path) => `/v1/events/${event}/${path}`)
  const paths = [...routes.flatMap(({ url }) => pathsOf(url)), ...queries, ...ofEvent]
  const responses = new Map<string, TestResponse>()
  for (const [name, by] of Object.entries({ admin, mate, judge })) {
    for (const path of paths) responses.set(`${name} ${path}`, await by.send('GET', path))
  }
  return responses
}

const showsGone = (value: object) => 'id' in value && value.id === past.gone.id && 'name' in value

/** The Contest API has no account of a deleted user. */
const isAccountOfGone = (value: unknown) => {
  const { id, username } = Object(value)
  return id === past.gone.id && username !== undefined
}

/** Returns the body as it must be after the deletion of the user. */
function withDeletedUser(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.filter((item) => !isAccountOfGone(item)).map(withDeletedUser)
  if (showsGone(value)) {
    // Rows of the standings have only the name, and persons of the Contest API no empty e-mail.
    const { email: _, ...person }: { email?: string } = value
    if ('role' in value) return { ...person, name: 'Deleted user' }
    const profile = 'email' in value ? { email: '', image: '', is_admin: false } : {}
    return { ...value, name: 'Deleted user', ...profile }
  }
  const fields = Object.entries(value).filter(
    ([key, field]) => key !== 'account_id' || field !== past.gone.id,
  )
  return Object.fromEntries(fields.map(([key, field]) => [key, withDeletedUser(field)]))
}

/** Users, and lists of one user: a deleted user has none (D16, D26). */
const isOfUsers = (key: string) => /\/v1\/(users|user_submissions|user_problem_submissions)\b/.test(key)

const listTables = unprepared<{ name: string }>(`select format('%I', tables.table_name) as name
   from information_schema.tables
   where tables.table_schema = 'public'`)

const past = await takePartInEverything()
const before = await readEverything()
await past.gone.delete(`/v1/users/${past.gone.id}`)
const after = await readEverything()

describe('a user who took part in everything', () => {
  it('is shown as Deleted user afterwards, without e-mail and image, and all else is unchanged, but their lists are gone (404) (D16) [Fields: User] [State: user deleted]', () => {
    const kept = [...before].filter(([key]) => !isOfUsers(key))
    const showsUser = (body: unknown) => JSON.stringify(withDeletedUser(body)) !== JSON.stringify(body)
    const places = kept.filter(([, { body }]) => showsUser(body))
    expect(places.length).toBeGreaterThan(20)
    const url = `/v1/events/${past.event}`
    const shown = before.get(`mate /v1/public/events/${past.event}`)?.text
    for (const former of Object.values(FORMER)) expect(shown).toContain(former)
    for (const path of ['attempts', 'problems_stats'])
      expect(before.get(`admin ${url}/${path}`)?.body).not.toEqual([])
    for (const [key, { status, body }] of kept) {
      expect(after.get(key)?.status, key).toBe(status)
      const { at, ...shown } = after.get(key)?.body ?? {}
      const isText = typeof body === 'string'
      const expected = isText ? body.replaceAll(FORMER.name, 'Deleted user') : withDeletedUser(body)
      if (at === undefined) expect(after.get(key)?.body, key).toEqual(expected)
      else expect(shown, key).toEqual({ ...Object(expected), at: undefined })
    }
    const list = new RegExp(`^admin /v1/user(_problem)?_submissions/${past.gone.id}`)
    for (const [key, { status }] of before)
      if (list.test(key)) expect([status, after.get(key)?.status]).toEqual([200, 404])
  })

  it('has no former name, e-mail or image in any response or table afterwards [State: user deleted]', async () => {
    expect(after.size).toBe(before.size)
    for (const [key, { text }] of after) {
      for (const former of Object.values(FORMER)) expect(text, key).not.toContain(former)
    }
    const tables = await service.database.query(listTables)
    expect(tables.length).toBeGreaterThan(10)
    for (const { name } of tables) {
      const rows = unprepared(`select stored.* from ${name} as stored where stored::text ilike '%formerly%'`)
      expect(await service.database.query(rows), name).toEqual([])
    }
  })

  it('stays Deleted user when another user takes the name, e-mail and image', async () => {
    const heir = await admin.post('/v1/users', FORMER, 201)
    expect(heir).toMatchObject(FORMER)
    expect(heir.id).not.toBe(past.gone.id)
    await add(past.event, heir.id)
    const url = `/v1/events/${past.event}`
    const participants: Person[] = await admin.get(`${url}/participants`)
    expect(participants.map(({ name }) => name)).toEqual(['Deleted user', past.mate.name, FORMER.name])
    expect(JSON.stringify(await past.mate.get(`${url}/questions`))).not.toContain(FORMER.name)
  })
})
