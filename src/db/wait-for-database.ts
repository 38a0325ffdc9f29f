import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../config/start-error.ts'
import { type Database, DatabaseUnavailable } from './database.ts'
import { isRefusedForGood } from './pg-pool.ts'
import { unprepared } from './statement.ts'

const POLL_MS = 500

/**
 * Waits until PostgreSQL responds, at most `waitSeconds`; `onWait` gets the first reason to wait.
 * Throws `StartError` then, and at once if the server refuses the user, password or database.
 */
export async function waitForDatabase(
  database: Database,
  waitSeconds: number,
  onWait: (reason: string) => void,
): Promise<void> {
  const endMs = performance.now() + waitSeconds * 1000
  for (let tries = 1; ; tries += 1) {
    try {
      await database.query(unprepared('select 1'))
      return
    } catch (err) {
      if (!(err instanceof DatabaseUnavailable)) throw err
      if (isRefusedForGood(err) || performance.now() >= endMs)
        throw new StartError('DATABASE_URL', err.message, err)
      if (tries === 1) onWait(err.message)
      await sleep(POLL_MS)
    }
  }
}
