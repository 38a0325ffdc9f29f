import { expect } from 'vitest'
import type { Person, TestResponse } from '../support/app.ts'
import { type Contests, openContests } from './events-support.ts'

export const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

export const missing = (what: string) => ({
  status: 404,
  body: { code: 'NOT_FOUND', error: `There is no such ${what}` },
})

export type Caller = Parameters<Contests['ask']>[0]

/** What a test of people in contests needs besides the contests: people who take part and who go, and shorter ways to ask. */
export interface People extends Contests {
  get(by: Caller, url: string): Promise<TestResponse>
  post(by: Caller, url: string, body?: unknown): Promise<TestResponse>
  put(by: Caller, url: string, body?: unknown): Promise<TestResponse>
  createParticipant(eventId: number): Promise<Person>
  participantIds(eventId: number): Promise<string[]>
  /** A user's JSON as every route shows it. */
  readUser(person: Person): Promise<unknown>
  deleteUser(person: Person): Promise<void>
  /** The person with a token from before a password reset: whoever sends it is refused (401), and nothing is written. */
  withOldToken(person: Person): Promise<Person>
  deleteEvent(eventId: number): Promise<void>
}

export async function openPeople(): Promise<People> {
  const contests = await openContests()
  const { admin, ask, service } = contests
  const remove = async (url: string) => {
    expect(await ask(admin, 'DELETE', url)).toMatchObject({ status: 204 })
  }
  return {
    ...contests,
    get: (by, url) => ask(by, 'GET', url),
    post: (by, url, body) => ask(by, 'POST', url, body),
    put: (by, url, body) => ask(by, 'PUT', url, body),
    async createParticipant(eventId) {
      const person = await service.createPerson()
      await contests.register(person, eventId)
      return person
    },
    async participantIds(eventId) {
      const { status, body } = await ask(admin, 'GET', `/v1/events/${eventId}/participants`)
      expect(status).toBe(200)
      return body.map(({ id }: Person) => id)
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

/** Follows the links of a list from its first page; answers what the pages hold. */
export async function readPages(
  { get }: Pick<People, 'get'>,
  by: Caller,
  url: string,
): Promise<TestResponse['body'][]> {
  const pages: TestResponse['body'][] = []
  let next: string | undefined = url
  while (next !== undefined) {
    const answer: TestResponse = await get(by, next)
    expect(answer.status, answer.text).toBe(200)
    pages.push(answer.body)
    expect(pages.length).toBeLessThan(100)
    next = answer.headers.link?.match(/^<([^>]+)>; rel="next"$/)?.[1]
  }
  return pages
}
