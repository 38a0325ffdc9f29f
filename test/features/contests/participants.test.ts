import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { NIL_UUID } from '../../../src/http/routing/tokens.ts'
import type { Person } from '../../support/app.ts'
import type { Expected } from '../../support/caller.ts'
import { INSTANT, over, scheduled, serviceWithContests } from '../../support/contests.ts'
import { NOBODY } from '../../support/ids.ts'
import { submissionBody } from '../../support/judging.ts'
import { nextMillisecond } from '../../support/moments.ts'
import { notFound, refusal } from '../../support/refusals.ts'

const contests = await serviceWithContests()
const { admin, user, stranger, problem, service, createEvent, createProblem, readUser } = contests
const { judge } = service

const add = (id: number, user_id: unknown, expected: Expected = 201) =>
  admin.post(`/v1/events/${id}/participants`, { user_id }, expected)
const register = (id: number, by = user, expected: Expected = 201) =>
  by.post(`/v1/public/events/${id}/register`, undefined, expected)

const registeredBefore = refusal(409, 'ALREADY_REGISTERED', expect.stringContaining('already a participant'))
const message = expect.stringMatching(/./)

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
  for (const person of people) {
    await add(id, person.id)
    await nextMillisecond()
  }
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

/** Creates a user with traces in a contest and outside, and a mate on the same team. */
async function takePart() {
  const { id, token } = await admin.post('/v1/basic_register', { ...FORMER, password: 'a password' })
  const gone: Person = { ...FORMER, id, token, ...service.as(token) }
  const mate = await service.createPerson()
  const own = await createProblem({ title: 'Own', user_id: id })
  const problems = [{ problem_id: problem.id }, { problem_id: own.id }]
  const event = await createEvent({ title: 'Shared', teams: true, user_id: id, problems })
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
  const program = { ...submissionBody(gone, problem, contests.language), stdin: '' }
  const run = await gone.post('/v1/input_submissions', program)
  await admin.put(`/v1/users/${id}`, { is_admin: true })
  const login = await admin.post('/v1/basic_login', { email: FORMER.email, password: 'a password' })
  const asAdmin = service.as(login.token)
  const rejudging = await asAdmin.post('/v1/admin/rejudge', { user_id: mate.id }, 200)
  const decision = await asAdmin.post('/v1/rejudgings', { user_id: id }, 202)
  await asAdmin.post('/v1/clics/webhooks', { url: 'https://example.org/', token: 'a-token' }, 201)
  await asAdmin.post(`${url}/scoreboard_tokens`, {}, 201)
  const ofEvent = [
    ...['', '/problems', '/submissions', '/attempts', '/problems_stats', '/participants', '/questions'],
    ...['/teams', `/teams/${team_id}`, '/scoreboard_tokens', '/standings.csv', '/standings.csv?by=team'],
    ...[`/submissions?user=${id}`, `/submissions?team=${team_id}`],
  ]
  const ofSubmissions = submissions.flatMap((one) => ['', '/verdicts', '/judgings'].map((path) => one + path))
  const paths = [
    ...ofEvent.map((path) => url + path),
    ...[`/v1/public/events/${event}`, `/v1/problems/${own.id}`, `/v1/problem_description/${own.id}/tests`],
    ...ofSubmissions.map((path) => `/v1/submissions/${path}`),
    ...[`/v1/input_submissions/${run}`, `/v1/admin/rejudgings/${rejudging.id}`],
    ...[`/v1/rejudgings/${decision.id}`, '/v1/user/notifications', '/v1/languages'],
  ]
  return { gone, mate, event, paths }
}

/** Reads these paths as an admin and as the mate, with the Deleted user in place of the user. */
async function readAll({ gone, mate, paths }: Awaited<ReturnType<typeof takePart>>) {
  const responses = new Map<string, unknown>()
  const texts: string[] = []
  const profile = { name: 'Deleted user', email: '', image: '', is_admin: false }
  const replace = (_: string, value: unknown) =>
    Object(value).id === gone.id && 'email' in Object(value) ? { ...Object(value), ...profile } : value
  for (const [name, by] of Object.entries({ admin, mate }))
    for (const path of paths) {
      const { status, text, body } = await by.send('GET', path)
      if (name === 'admin') expect(status, path).toBe(200)
      texts.push(text)
      const shown = JSON.stringify(body, replace).replaceAll(FORMER.name, 'Deleted user')
      responses.set(`${name} ${path}`, [status, JSON.parse(shown)])
    }
  return { responses, text: texts.join('\n') }
}

const listTables = unprepared<{ name: string }>(`select format('%I', tables.table_name) as name
   from information_schema.tables
   where tables.table_schema = 'public'`)

const past = await takePart()
const before = await readAll(past)
await past.gone.delete(`/v1/users/${past.gone.id}`)
const after = await readAll(past)

describe('a user who took part in everything', () => {
  it('is shown as Deleted user afterwards, without e-mail and image, and all else is unchanged, but their lists are gone (404) (D16) [Fields: User] [State: user deleted]', async () => {
    for (const former of Object.values(FORMER)) expect(before.text).toContain(former)
    for (const [key, response] of before.responses) expect(after.responses.get(key), key).toEqual(response)
    for (const list of ['users', 'user_submissions']) await admin.get(`/v1/${list}/${past.gone.id}`, 404)
    await admin.get(`/v1/user_problem_submissions/${past.gone.id}/${problem.id}`, 404)
  })

  it('has no former name, e-mail or image in any response or table afterwards [State: user deleted]', async () => {
    const types = ['accounts', 'persons', 'teams', 'submissions', 'judgements']
    const urls = types.map((type) => `/v1/clics/contests/${past.event}/${type}`)
    const text = after.text + JSON.stringify(await Promise.all(urls.map((url) => admin.get(url, 200))))
    for (const former of Object.values(FORMER)) expect(text).not.toContain(former)
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
