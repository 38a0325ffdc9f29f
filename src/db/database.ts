import type { Arguments, Row, Statement } from './statement.ts'

export interface Queryable {
  /** Runs one statement and returns its rows. Throws `DatabaseError` as the database reports it. */
  query<R extends Row, V>(statement: Statement<R, V>, ...values: Arguments<V>): Promise<R[]>
}

export interface Transaction extends Queryable {
  /** Runs a script of several statements, without values. Resolves to its warnings. */
  execute(script: string): Promise<string[]>
}

/** Statements and transactions, without the rest of a database. */
export interface Transactable extends Queryable {
  /** Runs `work` in a transaction, again after a deadlock; an error rolls it back. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

/** The request behind statements. */
export interface Requester {
  /** False when the client has its response or has gone: then no statement is started. */
  isWaiting(): boolean
  /** In the embedded database goes before most others, as background work does. */
  readonly isUrgent: boolean
  /** The requests of a batch. */
  readonly requesters?: readonly Requester[]
}

/** The port to the database: PostgreSQL through `pg`, or PGlite embedded in the process. */
export interface Database extends Transactable {
  /** The same database for the statements of a request; others are background work. */
  forRequest(requester: Requester): Transactable
  /** The connections at this moment, and how many statements wait for one. */
  usage(): { readonly open: number; readonly idle: number; readonly waiting: number }
  close(): Promise<void>
}

/** An error of the database. Recognise it by SQLSTATE and constraint, never by its message. */
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

/** The database is out of reach or did not respond in time; the statement may have run. */
export class DatabaseUnavailable extends Error {
  /** The database ended the statement because of its time limit: it changed nothing. */
  readonly isRolledBack: boolean

  constructor(message: string, cause?: unknown, isRolledBack = false) {
    super(message, { cause })
    this.isRolledBack = isRolledBack
    this.name = 'DatabaseUnavailable'
  }
}

/** Too many statements waited for their turn: this one did not run. */
export class DatabaseOverloaded extends DatabaseUnavailable {
  constructor(message = 'Too many statements wait for the database.') {
    super(message)
    this.name = 'DatabaseOverloaded'
  }
}

/** The statement did not run, because nobody waits for its result any more. */
export class StatementUnwanted extends DatabaseOverloaded {
  constructor() {
    super('Nobody waits for the result of this statement.')
    this.name = 'StatementUnwanted'
  }
}
