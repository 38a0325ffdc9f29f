import type { Queryable } from '../../src/db/database.ts'
import { ask } from '../local-servers/database.ts'

/** The database and the queue of a scenario. */
interface Stores {
  readonly database: Queryable
  /** The number of messages in the queue; undefined if it does not exist. */
  countMessages(): Promise<number | undefined>
}

const PENDING_SHADOWS = `select from shadow_judgings where shadow_judgings.status = 'PENDING'`

/** Whether everything is judged, and no message is left. */
export async function isDrained({ database, countMessages }: Stores): Promise<boolean> {
  return (
    (await countPending(database)) === 0 &&
    (await ask(database, PENDING_SHADOWS)).length === 0 &&
    (await ask(database, 'select from outbox limit 1')).length === 0 &&
    (await countMessages()) === 0
  )
}

/** Counts submissions without a verdict, of these or of all. */
export async function countPending(db: Queryable, ids?: readonly string[]): Promise<number> {
  const among = ids && `and submissions.id = any('{${ids.join(',')}}')`
  return (await ask(db, `select from submissions where submissions.status = 'PENDING' ${among ?? ''}`)).length
}
