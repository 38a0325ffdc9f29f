import { type ActorStatement, actorStatement } from '../db/actor-statement.ts'
import { type NamedValues, type Params, row } from '../db/statement.ts'

/** A polled text in rows: an instance keeps them, and reads only changed ones again. */
export interface RowsDefinition {
  /** Common table expressions that `basis` uses. */
  readonly with?: string
  /** SQL expression that changes with everything that may change rows besides the table's own rows. */
  readonly basis: string
  /** The table whose rows have a `changed_xid`. */
  readonly table: string
  /**
   * Common table expressions after `since`. `listed` has the columns `id`, `rank`, `place` and
   * `text`: without tabs and line feeds, and no text if the row has gone. It has all rows, or where
   * `IS_KEPT` those that have changed since `:kept_snapshot`.
   */
  readonly listed: string
  /** SQL expression of the text before the rows. */
  readonly head: string
  readonly tail: string
  /** The text before a row, by its rank. Rows of one rank are in the order of their places. */
  readonly prefix: (rank: number) => string
}

/** The rows that were read, joined by `ROW_END`, and the position of the next read. */
export type RowsRow = {
  version: string | null
  audience: string | null
  is_kept: boolean
  basis: string
  snapshot: string
  head: string
  rows: string | null
}

/** How to read a text in rows, and how to write it. */
export interface RowsForm extends Pick<RowsDefinition, 'tail' | 'prefix'> {
  readonly statement: ActorStatement<RowsRow, NamedValues>
}

/** JSON texts have no such characters. */
export const FIELD_END = '\t'
export const ROW_END = '\n'

/** SQL condition: the rows that were read at `:kept_snapshot` are still right, but for changes. */
export const IS_KEPT = '(select since.is_kept from since)'

/**
 * SQL: the values of `column` in the rows of a table that have changed since `:kept_snapshot`. As
 * in the change log, a transaction that was open then counts whenever it commits (P25). Numbers
 * above the present snapshot are from before a restore.
 */
export const changedSince = (table: string, column: string, condition: string) => `
      select ${table}.${column}
      from ${table}
      where ${condition} and ${table}.changed_xid >= pg_snapshot_xmax(:kept_snapshot::pg_snapshot)
        and ${table}.changed_xid < pg_snapshot_xmax(pg_current_snapshot())
      union
      select ${table}.${column}
      from pg_snapshot_xip(:kept_snapshot::pg_snapshot) as open (xid)
      join ${table} on ${condition} and ${table}.changed_xid = open.xid`

/**
 * SQL: the running server since its last crash, and the database and file of a table. Positions of
 * another one mean nothing: a restored backup repeats them, and so does a crash that loses numbers
 * of transactions. A crash resets the statistics, also if only one session crashed.
 */
const storageOf = (table: string) => `pg_postmaster_start_time(),
               (select pg_stat_bgwriter.stats_reset from pg_stat_bgwriter), pg_relation_filepath('${table}')`

/** The text that is read in rows: SQL of its state, and the condition that its owner exists. */
interface RowsContext {
  readonly name: string
  readonly params: Params
  readonly state: string
  readonly exists: string | undefined
}

/** Defines the statement of a text in rows. The first read has no snapshot and gets all rows. */
export function defineRows(
  { name, params, state, exists = 'true' }: RowsContext,
  { tail, prefix, ...rows }: RowsDefinition,
): RowsForm {
  const statement = actorStatement<RowsRow, Params>({
    name: `${name}_rows`,
    params: { ...params, kept_basis: 'text | null', kept_snapshot: 'text | null' },
    row: row<RowsRow>(),
    select: `
    select part.*, state.version, state.audience
    from (${state}) as state
    cross join (
    with ${rows.with === undefined ? '' : `${rows.with}, `}since as materialized (
      select basis.text as basis,
             coalesce(basis.text = :kept_basis and pg_snapshot_xmax(:kept_snapshot::pg_snapshot)
               <= pg_snapshot_xmax(pg_current_snapshot()), false) as is_kept
      from (select md5(concat_ws(' ', ${storageOf(rows.table)}, ${rows.basis})) as text) as basis
    ), ${rows.listed}
    select since.is_kept, since.basis, pg_current_snapshot()::text as snapshot, ${rows.head} as head, (
             select string_agg(concat(listed.id, e'\\t', listed.rank, e'\\t', listed.place, e'\\t', listed.text), e'\\n')
             from listed) as rows
    from since
    ) as part
    where ${exists}`,
  })
  return { statement, tail, prefix }
}
