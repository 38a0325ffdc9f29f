import { describeSchema } from '../../scripts/generated/schema.ts'
import type { Database } from '../../src/db/database.ts'
import { unprepared } from '../../src/db/statement.ts'

/** The sorted rows of each table, as text with all columns. */
export async function readTables(database: Database): Promise<Map<string, string[]>> {
  const tables = await database.query(
    unprepared<{ name: string }>(`select pg_class.relname as name
       from pg_class
       where pg_class.relkind in ('r', 'p') and pg_class.relnamespace = 'public'::regnamespace
       order by 1`),
  )
  const contents = new Map<string, string[]>()
  for (const { name } of tables) {
    const rows = await database.query(
      unprepared<{ row: string }>(
        `select t::text as row from public."${name}" as t order by t::text collate "C"`,
      ),
    )
    contents.set(
      name,
      rows.map(({ row }) => row),
    )
  }
  return contents
}

/** The next number of every sequence. */
export async function readSequences(database: Database): Promise<Map<string, number>> {
  const rows = await database.query(
    unprepared<{
      name: string
      value: number
    }>(`select sequencename as name, coalesce(last_value, 0)::double precision as value
       from pg_sequences where schemaname = 'public' order by 1`),
  )
  return new Map(rows.map(({ name, value }) => [name, value]))
}

/** The lines of the schema as SQL. */
export async function readSchema(database: Database): Promise<string[]> {
  return (await describeSchema(database)).split('\n')
}
