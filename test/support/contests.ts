import { expect } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import type { Person, TestRequest, TestResponse } from './app.ts'
import { type ProblemService, serviceWithProblem, submissionBody } from './judging.ts'

export const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

export const missing = (what: string) => ({
  status: 404,
  body: { code: 'NOT_FOUND', error: `There is no such ${what}` },
})

/** The instant in so many minutes, in ISO 8601. */
export const isoIn = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

export const running = () => ({ start_time: isoIn(-60), end_time: isoIn(60) })
export const scheduled = () => ({ start_time: isoIn(60), end_time: isoIn(120) })
export const over = () => ({ start_time: isoIn(-120), end_time: isoIn(-60) })

export type Caller = Person | 'judge'

/** A service with a problem and people, and short calls for contests. */
export interface ContestService extends ProblemService {
  ask(caller: Caller, method: TestRequest['method'], url: string, body?: unknown): Promise<TestResponse>
  get(by: Caller, url: string): Promise<TestResponse>
  post(by: Caller, url: string, body?: unknown): Promise<TestResponse>
  put(by: Caller, url: string, body?: unknown): Promise<TestResponse>
  /** Creates an event as the admin, a running one without problems by default; resolves to its id. */
  createEvent(fields?: Record<string, unknown>): Promise<number>
  register(person: Person, eventId: number): Promise<void>
  /** The ids of an event's EventProblems, hidden ones too, by the ids of their problems. */
  eventProblemIds(eventId: number): Promise<Map<number, number>>
  createParticipant(eventId: number): Promise<Person>
  participantIds(eventId: number): Promise<string[]>
  readUser(person: Person): Promise<unknown>
  deleteUser(person: Person): Promise<void>
  /** The person with a token from before a password reset: requests with it are refused (401). */
  withOldToken(person: Person): Promise<Person>
  deleteEvent(eventId: number): Promise<void>
}

export async function serviceWithContests(variables: Record<string, string> = {}): Promise<ContestService> {
  const judging = await serviceWithProblem(variables)
  const { service, admin } = judging
  const ask: ContestService['ask'] = (caller, method, url, body) =>
    service.send({ method, url, token: caller === 'judge' ? service.judgeToken : caller.token, body })
  const expectStatus = async (sent: Promise<TestResponse>, status: number) => {
    const response = await sent
    expect(response.status, response.text).toBe(status)
    return response.body
  }
  const register: ContestService['register'] = (person, eventId) =>
    expectStatus(ask(person, 'POST', `/v1/public/events/${eventId}/register`), 201)
  const remove = (url: string): Promise<void> => expectStatus(ask(admin, 'DELETE', url), 204)
  return {
    ...judging,
    ask,
    get: (by, url) => ask(by, 'GET', url),
    post: (by, url, body) => ask(by, 'POST', url, body),
    put: (by, url, body) => ask(by, 'PUT', url, body),
    async createEvent(fields = {}) {
      const body = { title: 'A contest', ...running(), ...fields }
      return (await expectStatus(ask(admin, 'POST', '/v1/events', body), 201)).id
    },
    register,
    async eventProblemIds(eventId) {
      const { body } = await ask(admin, 'GET', `/v1/events/${eventId}/problems`)
      return new Map(body.map((one: { id: number; problem_id: number }) => [one.problem_id, one.id]))
    },
    async createParticipant(eventId) {
      const person = await service.createPerson()
      await register(person, eventId)
      return person
    },
    async participantIds(eventId) {
      const participants = await expectStatus(ask(admin, 'GET', `/v1/events/${eventId}/participants`), 200)
      return participants.map(({ id }: Person) => id)
    },
    readUser: async ({ id }) => (await ask(admin, 'GET', `/v1/users/${id}`)).body,
    async withOldToken(person) {
      const token = await service.tokens.issueUserToken({ id: person.id, isAdmin: false, sessionVersion: 0 })
      return { ...person, token }
    },
    deleteUser: ({ id }) => remove(`/v1/users/${id}`),
    deleteEvent: (eventId) => remove(`/v1/events/${eventId}`),
  }
}

/** Follows the links of a list from its first page; resolves to the pages. */
export async function readPages(
  { get }: Pick<ContestService, 'get'>,
  by: Caller,
  url: string,
): Promise<TestResponse['body'][]> {
  const pages: TestResponse['body'][] = []
  let next: string | undefined = url
  while (next !== undefined) {
    const response: TestResponse = await get(by, next)
    expect(response.status, response.text).toBe(200)
    pages.push(response.body)
    expect(pages.length).toBeLessThan(100)
    next = response.headers.link?.match(/^<([^>]+)>; rel="next"$/)?.[1]
  }
  return pages
}

/** Creates a running contest with problems as an admin; resolves to its id. */
export async function createContest(
  { service, admin }: ProblemService,
  problems: readonly { problem_id: number; [field: string]: unknown }[],
  fields: Record<string, unknown> = {},
): Promise<number> {
  const body = { title: 'Contest', ...running(), problems, ...fields }
  const made = await service.send({ method: 'POST', url: '/v1/events', token: admin.token, body })
  expect(made.status, made.text).toBe(201)
  return made.body.id
}

/** Submits as `person` to the first problem of `judging`, unless `fields` say otherwise. */
export function trySubmit(
  judging: ProblemService,
  person: Person,
  fields: Record<string, unknown>,
  token = person.token,
): Promise<TestResponse> {
  const body = { ...submissionBody(person, judging.problem, judging.language), ...fields }
  return judging.service.send({ method: 'POST', url: '/v1/submissions', token, body })
}

export const getOf = (
  judging: ProblemService,
  eventId: number,
  path: string,
  token: string,
): Promise<TestResponse> =>
  judging.service.send({ method: 'GET', url: `/v1/events/${eventId}/${path}`, token })

export const asAdmin = (
  judging: ProblemService,
  method: 'POST' | 'DELETE',
  url: string,
): Promise<TestResponse> => judging.service.send({ method, url, token: judging.admin.token })

export async function register(
  { service }: ProblemService,
  eventId: number,
  { token }: Person,
): Promise<void> {
  const url = `/v1/public/events/${eventId}/register`
  expect((await service.send({ method: 'POST', url, token })).status).toBe(201)
}
const moveContest = unprepared(`update events
   set start_time = now() + $2::float8 * interval '1 minute', end_time = now() + $3::float8 * interval '1 minute'
   where events.id = $1`)

/** Moves a contest in the database: it starts and ends so many minutes from now. */
export async function setTimes({ service }: ProblemService, eventId: number, startIn: number, endIn: number) {
  await service.database.query(moveContest, [eventId, startIn, endIn])
}

const selectParticipants = unprepared<{
  user_id: string
}>(`select event_participants.user_id::text from event_participants
   where event_participants.event_id = $1 order by event_participants.user_id`)

/** The ids of those who take part, as the database has them. */
export async function readParticipants({ service }: ProblemService, eventId: number): Promise<string[]> {
  const rows = await service.database.query(selectParticipants, [eventId])
  return rows.map(({ user_id }) => user_id)
}
