import type { Database } from '../../../db/database.ts'
import { deleteOldJudges, disconnectJudges } from './sql.ts'

/** A worker registers every 15 seconds: three times may be lost. */
const CONNECTED_SECONDS = 60

const KEPT_DAYS = 7

/** Marks workers that have not registered for a minute as not connected. */
export async function disconnectSilentJudges(database: Database): Promise<void> {
  await database.query(disconnectJudges, { seconds: CONNECTED_SECONDS })
}

/** Deletes workers that have not registered for seven days. */
export async function forgetOldJudges(database: Database): Promise<void> {
  await database.query(deleteOldJudges, { days: KEPT_DAYS })
}
