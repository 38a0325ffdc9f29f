import type { Database } from '../../src/db/database.ts'
import { unprepared } from '../../src/db/statement.ts'

/** The rows of every table as text, all columns, in order: a table made tomorrow is among them. */
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

/** What the schema is made of, a line each: columns, constraints, indexes, functions, storage options, extensions, triggers. */
export async function readSchema(database: Database): Promise<string[]> {
  const rows = await database.query(
    unprepared<{
      line: string
    }>(`with own as (select * from pg_class where relnamespace = 'public'::regnamespace)
       select 'column ' || own.relname || '.' || attname || ' ' || format_type(atttypid, atttypmod)
                || case when attnotnull then ' not null' else '' end || ' ' || attidentity::text || attgenerated::text
                || coalesce(' ' || pg_get_expr(adbin, adrelid), '') as line
       from own
       join pg_attribute on attrelid = own.oid and attnum > 0 and not attisdropped
       left join pg_attrdef on adrelid = attrelid and adnum = attnum
       where own.relkind in ('r', 'p')
       union all
       select 'constraint ' || own.relname || ' ' || conname || ' ' || pg_get_constraintdef(pg_constraint.oid)
       from pg_constraint join own on own.oid = conrelid
       union all
       select pg_get_indexdef(own.oid) from own where relkind = 'i'
       union all
       select 'options ' || relname || ' ' || reloptions::text from own where reloptions is not null
       union all
       select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')
       union all
       select pg_get_triggerdef(pg_trigger.oid) from pg_trigger join own on own.oid = tgrelid where not tgisinternal
       union all
       select 'extension ' || extname || ' ' || extversion from pg_extension
       order by 1`),
  )
  return rows.map(({ line }) => line)
}
