import { expect } from 'vitest'
import { type Judging, openJudging } from '../features/judging-support.ts'
import type { Person, TestRequest, TestResponse } from '../support/app.ts'

export const NO_EVENT = 2_147_483_647

const HOUR_MS = 3_600_000
const fromNow = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()

/** Times of a contest that runs, of one that has yet to start, and of one that is over. */
export const running = () => ({ start_time: fromNow(-1), end_time: fromNow(1) })
export const scheduled = () => ({ start_time: fromNow(1), end_time: fromNow(2) })
export const over = () => ({ start_time: fromNow(-2), end_time: fromNow(-1) })

type Method = TestRequest['method']
type Caller = Person | 'judge'

/** What a test of contests needs: the application with its people, and short ways to ask it. */
export interface Contests extends Judging {
  /** Sends a request as somebody. */
  ask(caller: Caller, method: Method, url: string, body?: unknown): Promise<TestResponse>
  /** Makes an event as the admin does, a running one without problems unless told otherwise; answers its id. */
  createEvent(fields?: Record<string, unknown>): Promise<number>
  /** Lets a person take part. */
  register(person: Person, eventId: number): Promise<void>
  /** The ids of an event's EventProblems by the ids of their problems, hidden ones too. */
  eventProblemIds(eventId: number): Promise<Map<number, number>>
}

/** Opens an application as `openJudging` does, with the ways of contests. */
export async function openContests(variables: Record<string, string> = {}): Promise<Contests> {
  const judging = await openJudging(variables)
  const { service, admin } = judging
  const ask: Contests['ask'] = (caller, method, url, body) =>
    service.send({ method, url, token: caller === 'judge' ? service.judgeToken : caller.token, body })
  return {
    ...judging,
    ask,
    async createEvent(fields = {}) {
      const answer = await ask(admin, 'POST', '/v1/events', { title: 'A contest', ...running(), ...fields })
      expect(answer.status, answer.text).toBe(201)
      return answer.body.id
    },
    async register(person, eventId) {
      const answer = await ask(person, 'POST', `/v1/public/events/${eventId}/register`)
      expect(answer.status, answer.text).toBe(201)
    },
    async eventProblemIds(eventId) {
      const { body } = await ask(admin, 'GET', `/v1/events/${eventId}/problems`)
      return new Map(body.map((one: { id: number; problem_id: number }) => [one.problem_id, one.id]))
    },
  }
}
