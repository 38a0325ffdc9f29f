import type { Database } from './database.ts'
import { unprepared } from './statement.ts'

const tables = unprepared<{ name: string }>(`select format('%I.%I', schemaname, relname) as name
  from pg_stat_user_tables
  order by relname`)

/**
 * Frees the space of deleted and replaced rows, and renews the planner's statistics: the embedded
 * database has no autovacuum. One table at a time, so that requests run in between.
 */
export async function vacuumTables(database: Database): Promise<void> {
  for (const { name } of await database.query(tables)) {
    await database.query(unprepared(`vacuum (analyze) ${name}`))
  }
}
