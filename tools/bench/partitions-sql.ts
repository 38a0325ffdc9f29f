import type { Database } from '../../src/db/database.ts'
import { ask } from '../local-servers/database.ts'
import { SOURCE_CODE } from './values.ts'

/** The table as it is, and with a partition for each month of its ids. */
export const submissionsTables = ['one_table', 'by_month'] as const
export type SubmissionsTable = (typeof submissionsTables)[number]

const MONTHS = 12
const USERS = 20_000
const PROBLEMS = 1000
const ROWS_PER_CONTEST = 50_000
/** The first digits of the random part of ids: rows that exist, and rows that are measured. */
const [STORED, ADDED] = ['b', 'a']

const monthStart = (month: number) => Date.UTC(2026, month, 1)

/** The smallest UUID of version 7 of a moment. */
const idBound = (ms: number) => `'${toUuid(ms.toString(16).padStart(12, '0'))}-0000-0000-000000000000'`

const toUuid = (hex: string) => `${hex.slice(0, 8)}-${hex.slice(8)}`

/** Creates both tables, and the functions of the n-th row. The rows fill the year evenly. */
export function createTables(most: number): string[] {
  const stepMs = (monthStart(MONTHS) - monthStart(0)) / most
  const ms = `(${monthStart(0)} + (n * ${stepMs}::float8)::bigint)`
  const create = (signature: string, body: string) =>
    `create function ${signature} language sql immutable strict parallel safe return ${body}`
  const hashOf = (seed: number, values: number) =>
    `((hashint8(n + ${seed})::bigint & 2147483647) % ${values})`
  const partitions = Array.from(
    { length: MONTHS + 1 },
    (_, month) =>
      `create table by_month_${month + 1} partition of by_month
       for values from (${idBound(monthStart(month))}) to (${idBound(monthStart(month + 1))}) with (fillfactor = 85)`,
  )
  return [
    create('time_of(n bigint) returns timestamptz', `to_timestamp(${ms} / 1000.0)`),
    create(
      'id_at(n bigint, kind text, place bigint) returns uuid',
      `(lpad(to_hex(${ms}), 12, '0') || '7000' || kind || lpad(to_hex(place), 15, '0'))::uuid`,
    ),
    create('id_of(n bigint) returns uuid', `id_at(n, '${STORED}', n)`),
    create(
      'user_of(n bigint) returns uuid',
      `('00000000-0000-7000-8000-' || lpad(to_hex(${hashOf(0, USERS)}), 12, '0'))::uuid`,
    ),
    create('problem_of(n bigint) returns integer', `${hashOf(1, PROBLEMS)}::integer`),
    'create sequence next_row',
    'create table one_table (like submissions including all) with (fillfactor = 85)',
    'create table by_month (like submissions including all) partition by range (id)',
    ...partitions,
  ]
}

const COLUMNS = `id, user_id, problem_id, language_id, event_id, source_code, submit_time, queued_at, judged_at,
  status, time_elapsed, stdout`

/** The row `n` with this id: every second one is of a contest. */
const rowOf = (id: string, status: string) => `
  ${id}, user_of(n), problem_of(n), ('00000000-0000-7000-8000-' || lpad(to_hex(n % 20), 12, '0'))::uuid,
  case when n % 2 = 0 then n / ${ROWS_PER_CONTEST} end, '${SOURCE_CODE}' || n, time_of(n), time_of(n), time_of(n),
  '${status}', 0.25, 'ok'`

/** Adds the rows after `stored` up to `rows`. The indexes are built afterwards. */
export async function fillTable(
  database: Database,
  table: SubmissionsTable,
  { stored, rows }: { readonly stored: number; readonly rows: number },
): Promise<void> {
  const indexes = await ask<{ name: string; sql: string }>(
    database,
    `select indexes.indexname as name, indexes.indexdef as sql from pg_indexes as indexes
     where indexes.schemaname = 'public' and indexes.tablename = '${table}' and indexes.indexname <> '${table}_pkey'`,
  )
  for (const { name } of indexes) await ask(database, `drop index ${name}`)
  await ask(
    database,
    `insert into ${table} (${COLUMNS}) select ${rowOf('id_of(n)', 'ACCEPTED')}
     from generate_series(${stored + 1}::bigint, ${rows}::bigint) as numbers (n)`,
  )
  for (const { sql } of indexes) await ask(database, sql.replace(' ON ONLY ', ' ON '))
  await ask(database, `vacuum analyze ${table}`)
  await ask(database, 'checkpoint')
}

/** The statements to measure among so many rows; `:n` is a random one. */
export const partitionStatements = (table: SubmissionsTable, rows: number): Record<string, string> => ({
  'one by id': `select * from ${table} where id = id_of(:n)`,
  'newest 20 of a person': `select id, status from ${table} where user_id = user_of(:n)
    order by submit_time desc, id desc limit 20`,
  'newest 20 of a contest': `select id, status from ${table} where event_id = :n / ${ROWS_PER_CONTEST}
    order by submit_time desc, id desc limit 20`,
  verdict: `update ${table} set status = 'WRONG_ANSWER', time_elapsed = random() where id = id_of(:n)`,
  submit: `insert into ${table} (${COLUMNS})
    select ${rowOf(`id_at(n, '${ADDED}', nextval('next_row'))`, 'PENDING')} from (select ${rows}::bigint as n) as newest`,
})

/** The ways to remove the first month. */
export const deletions: Record<string, readonly string[]> = {
  'delete and vacuum': [`delete from one_table where id < ${idBound(monthStart(1))}`, 'vacuum one_table'],
  'drop the partition': ['drop table by_month_1'],
}
