import type { Database } from '../../../db/database.ts'
import { deleteUnknownResets } from './sql.ts'

/** Deletes expired rows of reset requests for unknown e-mails (D13). */
export async function forgetUnknownResets(database: Database): Promise<void> {
  await database.query(deleteUnknownResets)
}
