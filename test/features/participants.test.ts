import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import type { Person, TestResponse } from '../support/app.ts'
import { type Caller, over, running, scheduled, serviceWithContests } from '../support/contests.ts'
import { NO_EVENT, NOBODY } from '../support/ids.ts'
import { submissionBody } from '../support/judging.ts'

const contests = await serviceWithContests()

const publicUrl = (id: number) => `/v1/public/events/${id}`
const register = (person: Person | 'judge', id: number) =>
  contests.ask(person, 'POST', `${publicUrl(id)}/register`)
const add = (id: number, body: unknown, caller: Person | 'judge' = contests.admin) =>
  contests.ask(caller, 'POST', `/v1/events/${id}/participants`, body)
const readUser = async ({ id }: Person) => (await contests.ask(contests.admin, 'GET', `/v1/users/${id}`)).body

/** The participants as each of the four places that show all of them does. */
async function readEverywhere(id: number) {
  const { admin, stranger } = contests
  const whole = await contests.ask(stranger, 'GET', publicUrl(id))
  const lists = [
    await contests.ask(stranger, 'GET', `${publicUrl(id)}/participants`),
    await contests.ask(admin, 'GET', `/v1/events/${id}/participants`),
  ]
  for (const { status } of lists) expect(status).toBe(200)
  expect(whole.body.participant_count).toBe(whole.body.participants.length)
  return [whole.body.participants, ...lists.map(({ body }) => body)]
}

describe('registering for an event', () => {
  it('lets the caller take part (201), and refuses the second time (409) [POST /v1/public/events/{event_id}/register] [Error: 409]', async () => {
    const id = await contests.createEvent()
    const person = await contests.service.createPerson()
    const answer = await register(person, id)
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ message: expect.stringMatching(/./) })
    for (let n = 0; n < 2; n += 1) {
      expect(await register(person, id)).toMatchObject({ status: 409, body: { code: 'ALREADY_REGISTERED' } })
    }
    for (const list of await readEverywhere(id)) expect(list).toEqual([await readUser(person)])
  })

  it('is open before the start, while it runs, and after the end, to look back (D34)', async () => {
    for (const when of [scheduled(), running(), over()]) {
      const id = await contests.createEvent(when)
      const person = await contests.service.createPerson()
      expect(await register(person, id)).toMatchObject({ status: 201 })
      const listed = await contests.ask(person, 'GET', '/v1/public/events')
      expect(listed.body.find((one: { id: number }) => one.id === id)).toMatchObject({
        participants: [{ id: person.id }],
        participant_count: 1,
      })
    }
  })

  it('is for one event: others are as they were', async () => {
    const [one, other] = [await contests.createEvent(), await contests.createEvent()]
    const person = await contests.service.createPerson()
    await register(person, one)
    for (const list of await readEverywhere(other)) expect(list).toEqual([])
    expect(await register(person, other)).toMatchObject({ status: 201 })
  })

  it('lets admins take part too, and not judges, who are nobody (404)', async () => {
    const id = await contests.createEvent()
    expect(await register(contests.admin, id)).toMatchObject({ status: 201 })
    const error = 'There is no such user'
    expect(await register('judge', id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', error } })
  })

  it('is 404 for an event that nobody knows, 400 for what is no id [Error: 404]', async () => {
    const error = 'There is no such event'
    expect(await register(contests.user, NO_EVENT)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', error },
    })
    const answer = await contests.ask(contests.user, 'POST', '/v1/public/events/first/register')
    expect(answer).toMatchObject({ status: 400, body: { code: '400' } })
  })

  it('takes an absent, an empty and any other body', async () => {
    for (const raw of ['', '{}', '{"user_id": "somebody else"}', 'null', '{']) {
      const id = await contests.createEvent()
      const person = await contests.service.createPerson()
      const request = { method: 'POST', url: `${publicUrl(id)}/register`, token: person.token, raw } as const
      expect(await contests.service.send(request), raw).toMatchObject({ status: 201 })
      for (const list of await readEverywhere(id)) expect(list).toMatchObject([{ id: person.id }])
    }
  })

  it('is granted once to one user who asks many times at the same instant: exactly one 201, the others 409', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await contests.createEvent()
      const person = await contests.service.createPerson()
      const answers = await Promise.all(Array.from({ length: 8 }, () => register(person, id)))
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
      for (const list of await readEverywhere(id)) expect(list).toHaveLength(1)
    }
  })

  it('and being added by an admin at the same instant are one: one 201, the others 409', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await contests.createEvent()
      const person = await contests.service.createPerson()
      const added = Array.from({ length: 3 }, () => add(id, { user_id: person.id }))
      const answers = await Promise.all([...added, register(person, id), register(person, id)])
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    }
  })
})

describe('adding a participant', () => {
  it('lets the user take part (201), and is refused where they do already (409) [POST /v1/events/{id}/participants] [Error: 409]', async () => {
    const id = await contests.createEvent()
    const { user } = contests
    const answer = await add(id, { user_id: user.id.toUpperCase() })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ message: expect.stringMatching(/./) })
    for (const list of await readEverywhere(id)) expect(list).toEqual([await readUser(user)])
    expect(await add(id, { user_id: user.id })).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_REGISTERED' },
    })
    expect(await register(user, id)).toMatchObject({ status: 409, body: { code: 'ALREADY_REGISTERED' } })
  })

  it('is 404 for a user whom nobody knows or who is deleted, and for an unknown event [Error: 404]', async () => {
    const id = await contests.createEvent()
    const gone = await contests.service.createPerson()
    await contests.ask(contests.admin, 'DELETE', `/v1/users/${gone.id}`)
    for (const user_id of [NOBODY, gone.id, '00000000-0000-0000-0000-000000000000']) {
      expect(await add(id, { user_id })).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND', error: 'There is no such user' },
      })
    }
    for (const list of await readEverywhere(id)) expect(list).toEqual([])
    expect(await add(NO_EVENT, { user_id: contests.user.id })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', error: 'There is no such event' },
    })
  })

  it('is for admins: users, the owner and judges are refused (403) [Error: 403]', async () => {
    const { user, stranger } = contests
    const id = await contests.createEvent({ user_id: user.id })
    for (const caller of [user, stranger, 'judge'] as const) {
      const answer = await add(id, { user_id: stranger.id }, caller)
      expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    }
    for (const list of await readEverywhere(id)) expect(list).toEqual([])
  })
})

describe('the participants of an event', () => {
  it('are users with exactly their fields, in the order of joining [GET /v1/public/events/{event_id}/participants] [GET /v1/events/{id}/participants] [Fields: User]', async () => {
    const { admin, service } = contests
    const id = await contests.createEvent()
    const people = [
      await service.createPerson(),
      admin,
      await service.createPerson(),
      await service.createPerson(),
    ]
    const [second, third, first, fourth] = people
    for (const person of [first, second, third, fourth]) await add(id, { user_id: person?.id })
    const expected = [first, second, third, fourth].map((person) => ({
      id: person?.id,
      name: person?.name,
      email: person?.email,
      image: '',
      is_admin: person === admin,
      join_date: expect.stringMatching(/^\d{4}-.*Z$/),
    }))
    for (const list of await readEverywhere(id)) expect(list).toEqual(expected)
  })

  it('who are deleted stay as Deleted user with an empty e-mail and image, everywhere (D16)', async () => {
    const { admin, service } = contests
    const id = await contests.createEvent()
    const [stays, goes] = [
      await service.createPerson({ admin: true }),
      await service.createPerson({ admin: true }),
    ]
    const image = 'https://example.org/face.png'
    await contests.ask(admin, 'PUT', `/v1/users/${goes.id}`, { image })
    for (const person of [goes, stays]) expect(await register(person, id)).toMatchObject({ status: 201 })
    for (const list of await readEverywhere(id)) expect(list).toMatchObject([{ image }, { id: stays.id }])

    await contests.ask(admin, 'DELETE', `/v1/users/${goes.id}`)
    const scrubbed = { name: 'Deleted user', email: '', image: '', is_admin: false }
    for (const list of await readEverywhere(id)) {
      expect(list).toEqual([
        { id: goes.id, ...scrubbed, join_date: expect.any(String) },
        await readUser(stays),
      ])
    }
    expect(await add(id, { user_id: goes.id })).toMatchObject({ status: 404 })
  })

  it('are 404 for an event that nobody knows [Error: 404]', async () => {
    for (const url of [`${publicUrl(NO_EVENT)}/participants`, `/v1/events/${NO_EVENT}/participants`]) {
      expect(await contests.ask(contests.admin, 'GET', url)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND', error: 'There is no such event' },
      })
    }
  })

  it('are for every user on the public path, for admins only on the other (403) [Error: 403]', async () => {
    const id = await contests.createEvent({ user_id: contests.user.id })
    for (const caller of [contests.user, contests.stranger, 'judge'] as const) {
      expect(await contests.ask(caller, 'GET', `${publicUrl(id)}/participants`)).toMatchObject({
        status: 200,
      })
      expect(await contests.ask(caller, 'GET', `/v1/events/${id}/participants`)).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN' },
      })
    }
  })
})

const FORMER = {
  name: 'Ada Formerly',
  email: 'ada.formerly@example.org',
  image: 'https://example.org/ada.png',
}

/** Everything that a person did before the account was deleted, and the ids under which it is found. */
interface Past {
  readonly gone: Person
  readonly mate: Person
  readonly event: number
  /** The values of each parameter of a path. */
  readonly values: Readonly<Record<string, readonly (string | number)[]>>
  /** Paths with a query, besides those of the routes. */
  readonly queries: readonly string[]
}

async function createGone(): Promise<Person> {
  const made = await contests.post(contests.admin, '/v1/basic_register', {
    ...FORMER,
    password: 'a password',
  })
  expect(made.status, made.text).toBe(201)
  return { ...FORMER, id: made.body.id, token: made.body.token, ...contests.service.as(made.body.token) }
}

/** Sends a request that must succeed; answers what it made. */
async function make(by: Caller, url: string, body?: unknown): Promise<TestResponse['body']> {
  const made = await contests.post(by, url, body)
  expect(made.status, made.text).toBe(201)
  return made.body
}

/** Submits as a person, in an event or by itself, and accepts it as a judge. */
async function submitAccepted(by: Person, fields: object): Promise<string> {
  const id = await contests.submit(by, { ...fields })
  expect(await contests.patch(id, { status: 'ACCEPTED', stdout: '42' })).toMatchObject({ status: 204 })
  return id
}

async function takePartInEverything(): Promise<Past> {
  const [gone, mate] = [await createGone(), await contests.service.createPerson()]
  const { admin, problem, language } = contests
  const own = await contests.createProblem({ title: 'Own', user_id: gone.id })
  const event = await contests.createEvent({
    ...{ title: 'Shared', teams: true, user_id: gone.id },
    problems: [{ problem_id: problem.id }, { problem_id: own.id }],
  })
  const url = `/v1/events/${event}`
  const { team_id } = await make(gone, `${url}/teams`, { name: 'The pair' })
  await make(mate, `${url}/teams/${team_id}/join`)
  const asked = await make(gone, `${url}/questions`, { question: 'Even?', problem_id: problem.id })
  const answered = await make(mate, `${url}/questions`, { question: 'Odd?' })
  for (const [by, { id }] of [[mate, asked] as const, [gone, answered] as const, [admin, asked] as const]) {
    expect(await contests.put(by, `${url}/questions/${id}/answer`, { answer: 'So.' })).toMatchObject({
      status: 200,
    })
  }
  const submissions = [
    await submitAccepted(gone, { event_id: event }),
    await submitAccepted(mate, { event_id: event }),
    await submitAccepted(gone, {}),
  ]
  const run = { ...submissionBody(gone, problem, language), stdin: '' }
  const ids = await contests.eventProblemIds(event)
  return {
    ...{ gone, mate, event },
    values: {
      user_id: [gone.id, mate.id],
      problem_id: [problem.id, own.id],
      event_id: [event],
      event_problem_id: [...ids.values()],
      team_id: [team_id],
      submission_id: submissions,
      id: [problem.id, await make(gone, '/v1/input_submissions', run)],
    },
    queries: [
      '/v1/users?username=formerly',
      '/v1/event_details?title=Shared',
      `${url}/submissions?user=${gone.id}`,
      `${url}/submissions?team=${team_id}`,
      `${url}/participants?limit=1`,
    ],
  }
}

/** Every path that the pattern of a route stands for; throws for a parameter without values. */
function pathsOf(pattern: string): string[] {
  const parameter = pattern.match(/:(\w+)/)
  if (parameter === null) return [pattern]
  const values = past.values[parameter[1] ?? '']
  if (values === undefined) throw new Error(`no value for ${parameter[0]} of ${pattern}`)
  return values.flatMap((value) => pathsOf(pattern.replace(parameter[0], String(value))))
}

const callers = () =>
  ({ admin: contests.admin, mate: past.mate, stranger: contests.stranger, judge: 'judge' }) as const

/** Asks every GET route of the service for everything, as everybody. */
async function readEverything(): Promise<Map<string, TestResponse>> {
  const patterns = contests.service.routes.filter(({ method }) => method === 'GET').map(({ url }) => url)
  const paths = [...patterns.flatMap(pathsOf), ...past.queries]
  const answers = new Map<string, TestResponse>()
  for (const [name, by] of Object.entries(callers())) {
    for (const path of paths) answers.set(`${name} ${path}`, await contests.get(by, path))
  }
  return answers
}

/** Every object in an answer that shows the user. */
function shownUsers(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return []
  const isUser = 'id' in value && value.id === past.gone.id && 'name' in value
  return [...(isUser ? [value] : []), ...Object.values(value).flatMap(shownUsers)]
}

/** The answer with the user's own objects replaced by a word, so that two may be compared that differ in nothing else. */
function withoutUser(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (shownUsers([value]).includes(value)) return 'the user'
  if (Array.isArray(value)) return value.map(withoutUser)
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withoutUser(field)]))
}

/** Whether a path leads to users themselves, or to the lists of one user: there the deleted one is none (D16, D26). */
const isOfUsers = (key: string) => /\/v1\/(users|user_submissions|user_problem_submissions)\b/.test(key)

const listTables = unprepared<{ name: string }>(`select format('%I', tables.table_name) as name
   from information_schema.tables
   where tables.table_schema = 'public'`)

const past = await takePartInEverything()
const before = await readEverything()
expect(await contests.ask(past.gone, 'DELETE', `/v1/users/${past.gone.id}`)).toMatchObject({ status: 204 })
const after = await readEverything()

describe('a user who took part in everything and is deleted', () => {
  it('was shown by name, e-mail and image in every place that the next tests look at', () => {
    const showing = [...before].filter(([, { text }]) => text.includes(FORMER.name)).map(([key]) => key)
    const { event, values } = past
    const [url, publicUrl] = [`/v1/events/${event}`, `/v1/public/events/${event}`]
    const everybody = [
      ...[publicUrl, `${publicUrl}/participants`, `${url}/questions`],
      ...[`${url}/teams/${values.team_id}`, `${url}/submissions?team=${values.team_id}`],
    ]
    for (const path of [...everybody, `${url}/teams/me`, '/v1/user/notifications']) {
      expect(showing).toContain(`mate ${path}`)
    }
    const ofAdmins = [
      `${url}/participants`,
      `${url}/submissions`,
      `/v1/submissions/${values.submission_id?.[0]}`,
    ]
    for (const path of [...everybody, ...ofAdmins]) expect(showing).toContain(`admin ${path}`)
    for (const path of [FORMER.email, FORMER.image]) {
      expect(before.get(`mate ${publicUrl}`)?.text).toContain(path)
    }
  })

  it('has no former name, e-mail or image in any GET response to any caller [State: user deleted]', () => {
    expect(after.size).toBe(before.size)
    for (const [key, { text }] of after) {
      for (const former of Object.values(FORMER)) expect(text, key).not.toContain(former)
    }
  })

  it('is Deleted user, without e-mail and image, in every place that showed a user [Fields: User]', () => {
    const places = [...before].filter(([key, { body }]) => !isOfUsers(key) && shownUsers(body).length > 0)
    expect(places.length).toBeGreaterThan(20)
    for (const [key, { body }] of places) {
      const users = shownUsers(after.get(key)?.body)
      expect(users, key).toHaveLength(shownUsers(body).length)
      for (const user of users) {
        expect(user, key).toEqual({
          ...{ id: past.gone.id, name: 'Deleted user', email: '', image: '', is_admin: false },
          join_date: expect.any(String),
        })
      }
    }
  })

  it('leaves counts, standings, teams, questions and submissions as they were', () => {
    const others = [...before].filter(([key]) => !isOfUsers(key))
    const { event } = past
    for (const name of ['attempts', 'problems_stats']) {
      expect(before.get(`admin /v1/events/${event}/${name}`)?.body).not.toEqual([])
    }
    expect(before.get(`admin /v1/public/events/${event}`)?.body).toMatchObject({ participant_count: 2 })
    for (const [key, answer] of others) {
      expect(after.get(key)?.status, key).toBe(answer.status)
      expect(withoutUser(after.get(key)?.body), key).toEqual(withoutUser(answer.body))
    }
  })

  it('is named in no row of any table', async () => {
    const { database } = contests.service
    const tables = await database.query(listTables)
    expect(tables.length).toBeGreaterThan(10)
    for (const { name } of tables) {
      const naming = unprepared(
        `select stored.* from ${name} as stored where stored::text ilike '%formerly%'`,
      )
      expect(await database.query(naming), name).toEqual([])
    }
  })

  it('is no user any more: not in the list of users, and 404 by id, with or without the own submissions', () => {
    const { gone, values } = past
    for (const path of ['/v1/users', '/v1/users?username=formerly']) {
      expect(shownUsers(after.get(`admin ${path}`)?.body)).toEqual([])
      expect(shownUsers(before.get(`admin ${path}`)?.body)).toHaveLength(1)
    }
    const paths = [
      ...[`/v1/users/${gone.id}`, `/v1/user_submissions/${gone.id}`],
      `/v1/user_problem_submissions/${gone.id}/${values.problem_id?.[0]}`,
    ]
    for (const path of paths) {
      expect(before.get(`admin ${path}`)?.status, path).toBe(200)
      expect(after.get(`admin ${path}`)?.status, path).toBe(404)
    }
  })

  it('reaches no route any more, the own notifications included (401) [Auth: deleted account]', async () => {
    const error = 'User account no longer exists'
    for (const { method, url, policy } of contests.service.routes) {
      if (policy !== 'user' && policy !== 'owner, judge or admin') continue
      for (const path of pathsOf(url.replace(':question_id', ':team_id'))) {
        const refused = await contests.service.send({ method, url: path, token: past.gone.token })
        expect(refused, `${method} ${path}`).toMatchObject({
          status: 401,
          body: { error, code: 'ACCOUNT_DELETED' },
        })
      }
    }
  })

  it('stays Deleted user when somebody else takes the freed name, e-mail and image', async () => {
    const heir = await make(contests.admin, '/v1/users', FORMER)
    expect(heir).toMatchObject(FORMER)
    expect(heir.id).not.toBe(past.gone.id)
    const url = `/v1/events/${past.event}`
    await make(contests.admin, `${url}/participants`, { user_id: heir.id })
    const { body } = await contests.get(contests.admin, `${url}/participants`)
    expect(body.map(({ name }: Person) => name)).toEqual(['Deleted user', past.mate.name, FORMER.name])
    const { text } = await contests.get(past.mate, `${url}/questions`)
    expect(text).not.toContain(FORMER.name)
  })
})
