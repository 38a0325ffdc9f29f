import type { Database } from '../db/database.ts'
import { deleteInBatches } from '../db/delete-in-batches.ts'
import { DELETED_AT_ONCE, deleteOldChanges } from './sql.ts'

/** Positions are valid for the retention; a row is kept a little longer than its position. */
const MARGIN_HOURS = 0.25

/** Deletes changes that are older than `CHANGE_RETENTION_HOURS`, in batches (P25). */
export async function forgetOldChanges(database: Database, retentionHours: number): Promise<void> {
  const hours = retentionHours + MARGIN_HOURS
  await deleteInBatches(DELETED_AT_ONCE, () => database.query(deleteOldChanges, { hours }))
}
