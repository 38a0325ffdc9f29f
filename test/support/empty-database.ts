import type { Database } from '../../src/db/database.ts'
import { unprepared } from '../../src/db/statement.ts'

const listTables = unprepared<{ name: string }>(`select pg_class.relname as name from pg_class
   where pg_class.relkind = 'r' and pg_class.relnamespace = 'public'::regnamespace
     and pg_class.relname <> 'schema_versions'`)

/** A text that differs after a change of the schema. */
const describeSchema = unprepared<{ schema: string }>(`select concat_ws(' ',
     (select sum(hashtext(concat_ws(' ', pg_class.oid, pg_class.relname, pg_class.reloptions))::bigint)
      from pg_class where pg_class.relnamespace = 'public'::regnamespace),
     (select sum(hashtext(concat_ws(' ', attrelid, attname, atttypid, attnotnull, atthasdef))::bigint)
      from pg_attribute where attrelid >= 16384),
     (select sum(hashtext(concat_ws(' ', pg_proc.oid, pg_proc.prosrc, pg_proc.prosqlbody))::bigint)
      from pg_proc where pg_proc.oid >= 16384),
     (select sum(hashtext(concat_ws(' ', pg_trigger.oid, pg_trigger.tgenabled))::bigint) from pg_trigger),
     (select sum(hashtext(pg_constraint.oid::text)::bigint) from pg_constraint),
     (select count(*) from pg_namespace where pg_namespace.nspname not like 'pg_%'),
     (select count(*) from pg_extension)) as schema`)

const endOtherSessions =
  unprepared(`select pg_terminate_backend(other.pid, 10000) from pg_stat_activity as other
   where other.datname = current_database() and other.pid <> pg_backend_pid()`)

const LARGE_BYTES = 8_000_000

/** How a clone of a template is emptied. */
export interface Emptying {
  readonly script: string
  /** Describes the schema of the template. */
  readonly schema: string | undefined
}

/** Writes the script that takes the clones of a template back to its rows. */
export async function prepareEmptying(database: Database): Promise<Emptying> {
  const tables = (await database.query(listTables)).map(({ name }) => name)
  const names = tables.join(', ')
  const isLarge = `(select sum(pg_total_relation_size(name)) from unnest('{${names}}'::text[]) as name) > ${LARGE_BYTES}`
  const script = `
    set local session_replication_role = replica;
    do $$ begin
      if ${isLarge} then truncate ${names};
      else ${tables.map((name) => `delete from ${name};`).join(' ')}
      end if;
    end $$;
    select setval(format('%I.%I', schemaname, sequencename), 1, false) from pg_sequences
    where schemaname = 'public' and last_value is not null;
    ${(await Promise.all(tables.map((name) => writeRows(database, name)))).join('')}`
  return { script, schema: await readSchema(database) }
}

/** Deletes the rows that the template lacks; resolves to false if the schema has changed. */
export async function emptyDatabase(database: Database, { script, schema }: Emptying): Promise<boolean> {
  await database.query(endOtherSessions)
  if ((await readSchema(database)) !== schema) return false
  await database.transaction((tx) => tx.execute(script))
  return true
}

const readSchema = async (database: Database) => (await database.query(describeSchema))[0]?.schema

async function writeRows(database: Database, table: string): Promise<string> {
  const [found] = await database.query(
    unprepared<{ rows: string | null }>(`select json_agg(${table})::text as rows from ${table}`),
  )
  const rows = found?.rows?.replaceAll("'", "''")
  return rows ? `insert into ${table} select * from json_populate_recordset(null::${table}, '${rows}');` : ''
}
