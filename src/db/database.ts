/** A value as both drivers bind it. Instants travel as ISO 8601 text, JSON as text. */
export type Value = string | number | boolean | null | readonly (string | number | boolean | null)[]

export type Row = Record<string, unknown>

/**
 * One SQL statement with the row that it answers; the text is the only place that knows the columns.
 * PostgreSQL keeps it prepared under `name`, so one name stands for one text.
 */
export interface Statement<R extends Row = Row> {
  readonly name: string
  readonly text: string
  /** Carries the row's type only; never set. */
  readonly row?: R
}

/** Names a statement and its row: `statement<{ body: string }>('read_user', 'select …')`. */
export function statement<R extends Row>(name: string, text: string): Statement<R> {
  return { name, text }
}

export interface Queryable {
  /** Runs one statement and answers its rows. Throws `DatabaseError` as the database reports it. */
  query<R extends Row>(statement: Statement<R>, values?: readonly Value[]): Promise<R[]>
}

export interface Transaction extends Queryable {
  /** Runs a script of several statements, without values. */
  execute(script: string): Promise<void>
}

/** The port to the database: PostgreSQL through `pg`, or PGlite embedded in the process. */
export interface Database extends Queryable {
  /** Runs `work` in one transaction, anew after a deadlock; a throw rolls it back and is thrown on. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Its connections at this moment, and how many statements wait for one. */
  usage(): { readonly open: number; readonly idle: number; readonly waiting: number }
  close(): Promise<void>
}

/** What the database refused, by SQLSTATE and constraint name (never by message text). */
export class DatabaseError extends Error {
  readonly sqlState: string
  readonly constraint: string | undefined

  constructor(message: string, sqlState: string, constraint: string | undefined, cause?: unknown) {
    super(message, { cause })
    this.name = 'DatabaseError'
    this.sqlState = sqlState
    this.constraint = constraint
  }
}

/** The database cannot be reached or did not answer in time; the statement may or may not have run. */
export class DatabaseUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'DatabaseUnavailable'
  }
}
