import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import type { TestResponse } from './caller.ts'
import { onPostgres } from './needs.ts'
import { collideAt } from './row-lock.ts'

type Send = () => Promise<TestResponse>

interface Contender {
  readonly send: Send
  readonly allowed: readonly string[]
}

/** Requests that are sent at the same instant, and the invariant that they must keep. */
export interface Race {
  readonly contenders: readonly Contender[]
  /** How many requests succeed, if the allowed outcomes leave it open. */
  readonly successes?: number
  /** Checks the invariant; gets the responses in the order of the contenders. */
  holds?(responses: readonly TestResponse[]): Promise<unknown>
}

/** A race whose requests wait, in their order, for a row that another session has locked. */
interface Collision extends Race {
  /** A `select … for update` of the row of $1, and its id. */
  readonly lock: readonly [databaseUrl: string | undefined, select: string, id: string]
}

type Prepare<T> = Readonly<Record<string, (round: number) => Promise<T>>>

/** The service repeats a statement after a deadlock: only the database counts it. */
export const countDeadlocks = unprepared(
  'select deadlocks::integer from pg_stat_database where datname = current_database()',
)

/** Returns a request with its allowed outcomes, such as `201` or `409 USER_EXISTS`. */
export const allow = (send: Send, ...allowed: string[]): Contender => ({ send, allowed })

export const isSuccess = ({ status }: TestResponse) => status < 400

export const outcomeOf = (response: TestResponse) =>
  isSuccess(response) ? `${response.status}` : `${response.status} ${response.body.code}`

/** Defines a test per race, with this many rounds each. */
export function describeRaces(title: string, rounds: number, races: Prepare<Race>): void {
  describe(title, () => defineTests(rounds, races, (_, sends) => Promise.all(sends.map((send) => send()))))
}

/** Defines a test per collision, with three rounds. PostgreSQL only: PGlite has one session. */
export function describeCollisions(title: string, collisions: Prepare<Collision>): void {
  describe(title, onPostgres, () =>
    defineTests(3, collisions, ({ lock }, sends) => collideAt(...lock, sends)),
  )
}

function defineTests<T extends Race>(
  rounds: number,
  races: Prepare<T>,
  run: (race: T, sends: readonly Send[]) => Promise<TestResponse[]>,
): void {
  it.each(Object.entries(races))('%s', async (_, prepare) => {
    for (let round = 0; round < rounds; round += 1) {
      const race = await prepare(round)
      const sends = race.contenders.map(({ send }) => send)
      const responses = await run(race, sends)
      for (const [index, response] of responses.entries())
        expect(race.contenders[index]?.allowed, response.text).toContain(outcomeOf(response))
      const { successes = responses.filter(isSuccess).length } = race
      expect(responses.filter(isSuccess)).toHaveLength(successes)
      await race.holds?.(responses)
    }
  })
}
