import { expect } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import { unprepared, type Value } from '../../src/db/statement.ts'
import { gate } from './queue.ts'

interface RowLock {
  /** Waits until as many statements of this database wait for a lock. */
  untilWaiting(statements: number): Promise<void>
  release(): Promise<void>
}

const countWaiting = unprepared<{ waiting: number }>(`select count(*)::integer as waiting
   from pg_stat_activity
   where datname = current_database() and wait_event_type = 'Lock'`)

/**
 * Starts requests one after the other against rows that are locked (a `select … for update` of the rows of $1), each once the one before
 * waits, and lets them go together: what they do at the same instant, in a known order.
 */
export async function collideAt<T>(
  databaseUrl: string | undefined,
  select: string,
  id: string,
  requests: readonly (() => Promise<T>)[],
): Promise<T[]> {
  const lock = await lockRows(databaseUrl ?? '', select, [id])
  const answers: Promise<T>[] = []
  try {
    for (const request of requests) {
      answers.push(request())
      await lock.untilWaiting(answers.length)
    }
  } finally {
    await lock.release()
  }
  return Promise.all(answers)
}

/** Locks the rows of a `select … for update` (or `for share`) in a session of its own, until `release`. */
export async function lockRows(url: string, select: string, values: readonly Value[]): Promise<RowLock> {
  const database = openPostgres({ url, poolSize: 2, statementTimeoutMs: 20_000, connectTimeoutMs: 10_000 })
  const [locked, released] = [gate(), gate()]
  const holding = database.transaction(async (tx) => {
    await tx.query(unprepared(select), values)
    locked.open()
    await released.passed
  })
  await Promise.race([locked.passed, holding])
  return {
    untilWaiting: (statements) =>
      expect
        .poll(async () => (await database.query(countWaiting))[0]?.waiting, { timeout: 10_000 })
        .toBe(statements),
    release: async () => {
      released.open()
      await holding.finally(() => database.close())
    },
  }
}
