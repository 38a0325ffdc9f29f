import type { Queryable } from '../../../db/database.ts'
import type { BuildContext } from '../../../lists/written-list.ts'
import { ContestTable } from './contest-table.ts'
import { type ContestFacts, type Reading, standingsReadings } from './read-sql.ts'
import type { RankedBy } from './shown.ts'

/** Which table of a contest: for readers who see frozen results, or for the others (P23). */
export interface WantedTable {
  readonly event_id: number
  readonly is_live: boolean
}

/**
 * Brings the kept table of a contest up to date, and writes a text from it. One request at a time
 * uses a table. All texts of a contest are written from the same tables. Throws NOT_FOUND.
 */
export function withTable<F extends ContestFacts, T>(
  { db, cache }: Omit<BuildContext, 'audience'>,
  { by, statement }: Reading<F>,
  wanted: WantedTable,
  write: (table: ContestTable, contest: F) => Promise<T>,
): Promise<T> {
  const key = `table ${wanted.event_id} ${by} ${wanted.is_live}`
  const kept = cache.kept(key)
  const table = kept instanceof ContestTable ? kept : new ContestTable(wanted.is_live)
  if (kept !== table) cache.keep(key, table)
  return table.turn(async () => {
    const rows = await db.query(statement, { ...wanted, ...table.position })
    try {
      const text = await write(table, await table.update<F>(rows))
      cache.keep(key, table)
      return text
    } catch (err) {
      // It may be half updated.
      cache.drop(key)
      throw err
    }
  })
}

/** Reads a whole table that nobody keeps. Throws NOT_FOUND. */
export async function readTableOnce(db: Queryable, by: RankedBy, wanted: WantedTable) {
  const table = new ContestTable(wanted.is_live)
  const rows = await db.query(standingsReadings[by].statement, { ...wanted, ...table.position })
  return { table, contest: await table.update(rows) }
}
