import type { Config } from '../../../config/config.ts'
import type { Database } from '../../../db/database.ts'
import { deleteInBatches } from '../../../db/delete-in-batches.ts'
import { deleteOldAnonymousRuns, deleteOldUserRuns } from './sql.ts'

/** Deletes runs that are older than `RUN_RETENTION_HOURS`, finished or not, in batches (D27). */
export async function forgetOldRuns(
  database: Database,
  { withoutAccount, withAccount }: Config['runs']['retentionHours'],
  batch = 1000,
): Promise<void> {
  const anonymous = { hours: withoutAccount, batch }
  await deleteInBatches(batch, () => database.query(deleteOldAnonymousRuns, anonymous))
  await deleteInBatches(batch, () => database.query(deleteOldUserRuns, { hours: withAccount, batch }))
}
