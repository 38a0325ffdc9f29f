import type { Database } from '../db/database.ts'
import { deleteOldChanges } from './sql.ts'

/** Positions are valid for the retention; a row is kept a little longer than its position. */
const MARGIN_HOURS = 0.25

/** Deletes changes that are older than `CHANGE_RETENTION_HOURS`, in batches (P25). */
export async function forgetOldChanges(
  database: Database,
  retentionHours: number,
  batch = 10_000,
): Promise<void> {
  let count: number
  do {
    const [deleted] = await database.query(deleteOldChanges, { hours: retentionHours + MARGIN_HOURS, batch })
    count = deleted?.count ?? 0
  } while (count === batch)
}
