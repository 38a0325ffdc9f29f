import { expect } from 'vitest'
import { unprepared, type Value } from '../../src/db/statement.ts'
import { openPatient } from './database.ts'
import { gate } from './queue.ts'

const countWaiting = unprepared<{ waiting: number }>(`select count(*)::integer as waiting
   from pg_stat_activity
   where datname = current_database() and wait_event_type = 'Lock'`)

/**
 * Locks rows (a `select … for update` of the row $1) and starts the requests, each after the one
 * before waits for the lock. Then releases them together: concurrent work in a known order.
 */
export async function collideAt<T>(
  databaseUrl: string | undefined,
  select: string,
  id: string,
  requests: readonly (() => Promise<T>)[],
): Promise<T[]> {
  const lock = await lockRows(databaseUrl ?? '', select, [id])
  const responses: Promise<T>[] = []
  try {
    for (const request of requests) {
      responses.push(request())
      await lock.untilWaiting(responses.length)
    }
  } finally {
    await lock.release()
  }
  return Promise.all(responses)
}

/** Locks rows with a `select … for update` (or `for share`) in another session, until `release`. */
export async function lockRows(url: string, select: string, values: readonly Value[]) {
  const database = openPatient(url, { poolSize: 2, idleInTransactionMs: 60_000 })
  const [locked, released] = [gate(), gate()]
  const holding = database.transaction(async (tx) => {
    await tx.query(unprepared(select), values)
    locked.open()
    await released.passed
  })
  await Promise.race([locked.passed, holding])
  return {
    /** Waits until this many statements of the database wait for a lock. */
    untilWaiting: (statements: number): Promise<void> =>
      expect.poll(async () => (await database.query(countWaiting))[0]?.waiting).toBe(statements),
    release: async () => {
      released.open()
      await holding.finally(() => database.close())
    },
  }
}
