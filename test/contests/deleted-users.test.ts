import { describe, expect, it } from 'vitest'
import { statement } from '../../src/db/database.ts'
import { submissionBody } from '../features/judging-support.ts'
import type { Person, TestResponse } from '../support/app.ts'
import { type Caller, openPeople } from './people-support.ts'

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

const people = await openPeople()
const past = await takePartInEverything()
const before = await readEverything()
expect(await people.ask(past.gone, 'DELETE', `/v1/users/${past.gone.id}`)).toMatchObject({ status: 204 })
const after = await readEverything()

async function createGone(): Promise<Person> {
  const made = await people.post(people.admin, '/v1/basic_register', { ...FORMER, password: 'a password' })
  expect(made.status, made.text).toBe(201)
  return { ...FORMER, id: made.body.id, token: made.body.token }
}

/** Sends a request that must succeed; answers what it made. */
async function make(by: Caller, url: string, body?: unknown): Promise<TestResponse['body']> {
  const made = await people.post(by, url, body)
  expect(made.status, made.text).toBe(201)
  return made.body
}

/** Submits as a person, in an event or by itself, and accepts it as a judge. */
async function submitAccepted(by: Person, fields: object): Promise<string> {
  const id = await people.submit(by, { ...fields })
  expect(await people.patch(id, { status: 'ACCEPTED', stdout: '42' })).toMatchObject({ status: 204 })
  return id
}

async function takePartInEverything(): Promise<Past> {
  const [gone, mate] = [await createGone(), await people.service.createPerson()]
  const { admin, problem, language } = people
  const own = await people.createProblem({ title: 'Own', user_id: gone.id })
  const event = await people.createEvent({
    ...{ title: 'Shared', teams: true, user_id: gone.id },
    problems: [{ problem_id: problem.id }, { problem_id: own.id }],
  })
  const url = `/v1/events/${event}`
  const { team_id } = await make(gone, `${url}/teams`, { name: 'The pair' })
  await make(mate, `${url}/teams/${team_id}/join`)
  const asked = await make(gone, `${url}/questions`, { question: 'Even?', problem_id: problem.id })
  const answered = await make(mate, `${url}/questions`, { question: 'Odd?' })
  for (const [by, { id }] of [[mate, asked] as const, [gone, answered] as const, [admin, asked] as const]) {
    expect(await people.put(by, `${url}/questions/${id}/answer`, { answer: 'So.' })).toMatchObject({
      status: 200,
    })
  }
  const submissions = [
    await submitAccepted(gone, { event_id: event }),
    await submitAccepted(mate, { event_id: event }),
    await submitAccepted(gone, {}),
  ]
  const run = { ...submissionBody(gone, problem, language), stdin: '' }
  const ids = await people.eventProblemIds(event)
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
  ({ admin: people.admin, mate: past.mate, stranger: people.stranger, judge: 'judge' }) as const

/** Asks every GET route of the service for everything, as everybody. */
async function readEverything(): Promise<Map<string, TestResponse>> {
  const patterns = people.service.routes.filter(({ method }) => method === 'GET').map(({ url }) => url)
  const paths = [...patterns.flatMap(pathsOf), ...past.queries]
  const answers = new Map<string, TestResponse>()
  for (const [name, by] of Object.entries(callers())) {
    for (const path of paths) answers.set(`${name} ${path}`, await people.get(by, path))
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

const listTables = statement<{ name: string }>(
  'list_tables',
  `select format('%I', tables.table_name) as name
   from information_schema.tables
   where tables.table_schema = 'public'`,
)

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

  it('is nowhere to be read of by former name, e-mail or image, whoever asks whichever GET route [State: user deleted]', () => {
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
    const { database } = people.service
    const tables = await database.query(listTables)
    expect(tables.length).toBeGreaterThan(10)
    for (const { name } of tables) {
      const naming = statement(
        '',
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
    for (const { method, url, policy } of people.service.routes) {
      if (policy !== 'user' && policy !== 'owner, judge or admin') continue
      for (const path of pathsOf(url.replace(':question_id', ':team_id'))) {
        const refused = await people.service.send({ method, url: path, token: past.gone.token })
        expect(refused, `${method} ${path}`).toMatchObject({
          status: 401,
          body: { error, code: 'ACCOUNT_DELETED' },
        })
      }
    }
  })

  it('stays Deleted user when somebody else takes the freed name, e-mail and image', async () => {
    const heir = await make(people.admin, '/v1/users', FORMER)
    expect(heir).toMatchObject(FORMER)
    expect(heir.id).not.toBe(past.gone.id)
    const url = `/v1/events/${past.event}`
    await make(people.admin, `${url}/participants`, { user_id: heir.id })
    const { body } = await people.get(people.admin, `${url}/participants`)
    expect(body.map(({ name }: Person) => name)).toEqual(['Deleted user', past.mate.name, FORMER.name])
    const { text } = await people.get(past.mate, `${url}/questions`)
    expect(text).not.toContain(FORMER.name)
  })
})
