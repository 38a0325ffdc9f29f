import pg from 'pg'
import {
  type Database,
  DatabaseError,
  DatabaseUnavailable,
  type Transaction,
} from './database.ts'
import { bind, type Row, type Statement } from './statement.ts'

export interface PoolDatabaseOptions {
  /** How long the answer to one statement is waited for; not set: without bound. Scripts are never bounded. */
  readonly answerTimeoutMs?: number
  /** Hears of connections lost while they were idle. */
  readonly onError?: ((err: Error) => void) | undefined
}

/** Answers the port over a pool of `pg` clients; every statement is prepared under its name on each connection. */
export function openPool(config: pg.PoolConfig, options: PoolDatabaseOptions): Database {
  const pool = new pg.Pool(config)
  pool.on('error', (err) => options.onError?.(err))
  // A connection that breaks while it is lent out rejects its query; without a listener it would end the process too.
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    query: (statement, ...values) =>
      retryDeadlocks(() => useClient(pool, (client) => runStatement(client, statement, values[0], options))),
    transaction: (work) =>
      retryDeadlocks(() => useClient(pool, (client) => runTransaction(client, work, options))),
    usage: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}

const DEADLOCK = '40P01'
const DEADLOCK_TRIES = 4

/** The victim of a deadlock has been undone as a whole, and whom it stood in the way of has gone on: it runs again. */
async function retryDeadlocks<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; tries < DEADLOCK_TRIES; tries += 1) {
    try {
      return await run()
    } catch (err) {
      if (!(err instanceof DatabaseError && err.sqlState === DEADLOCK)) throw err
    }
  }
  return run()
}

async function useClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((err: Error) => {
    throw new DatabaseUnavailable(`The database cannot be reached: ${describeReason(err)}`, err)
  })
  try {
    const result = await work(client)
    client.release()
    return result
  } catch (err) {
    // Not `pool.query`: that one drops the connection on every error, a mere unique violation included.
    client.release(err instanceof DatabaseUnavailable)
    throw err
  }
}

async function runTransaction<T>(
  client: pg.PoolClient,
  work: (tx: Transaction) => Promise<T>,
  options: PoolDatabaseOptions,
): Promise<T> {
  await runScript(client, 'begin', options)
  const guard = new TransactionGuard()
  try {
    const result = await work({
      query: (statement, ...values) => guard.run(() => runStatement(client, statement, values[0], options)),
      execute: (script) => guard.run(() => runScript(client, script, {})),
    })
    guard.end()
    await runScript(client, 'commit', options)
    return result
  } catch (err) {
    guard.close()
    await rollBack(client, err, options)
    throw err
  }
}

/** Holds `work` to its transaction: a failed statement fails the whole, even if caught, and none runs after the end. */
class TransactionGuard {
  #isOpen = true
  #failure: unknown

  async run<T>(runOne: () => Promise<T>): Promise<T> {
    if (!this.#isOpen)
      throw new Error('This transaction has ended; its statements must be awaited within it.')
    try {
      return await runOne()
    } catch (err) {
      this.#failure ??= err
      throw err
    }
  }

  close(): void {
    this.#isOpen = false
  }

  /** Throws what failed: PostgreSQL would answer the commit with a silent rollback. */
  end(): void {
    this.close()
    if (this.#failure !== undefined) throw this.#failure
  }
}

async function rollBack(client: pg.PoolClient, cause: unknown, options: PoolDatabaseOptions): Promise<void> {
  if (cause instanceof DatabaseUnavailable) return
  try {
    await runScript(client, 'rollback', options)
  } catch {
    throw new DatabaseUnavailable('The connection was lost before the rollback.', cause)
  }
}

async function runStatement<R extends Row, V>(
  client: pg.PoolClient,
  statement: Statement<R, V>,
  values: unknown,
  options: PoolDatabaseOptions,
): Promise<R[]> {
  const { name, text } = statement
  return runQuery<R>(client, { name, text, values: bind(statement, values) }, options)
}

async function runScript(client: pg.PoolClient, text: string, options: PoolDatabaseOptions): Promise<void> {
  await runQuery(client, { text }, options)
}

async function runQuery<R extends Row>(
  client: pg.PoolClient,
  config: pg.QueryConfig,
  options: PoolDatabaseOptions,
): Promise<R[]> {
  try {
    const result = await client.query<R>(addTimeout(config, options.answerTimeoutMs))
    return result.rows
  } catch (err) {
    throw toPortError(err)
  }
}

// `pg` reads `query_timeout` from the query too (0 is none), which its types leave out.
function addTimeout(config: pg.QueryConfig, timeoutMs = 0): pg.QueryConfig {
  return Object.assign(config, { query_timeout: timeoutMs })
}

// Connection lost (08), shutting down or not yet up (57P), too many connections, statement timeout.
const UNAVAILABLE = /^(?:08|57P|53300$|57014$)/

function toPortError(err: unknown): Error {
  if (!(err instanceof pg.DatabaseError) || err.code === undefined) {
    return new DatabaseUnavailable(`The database did not answer: ${describeReason(err)}`, err)
  }
  if (UNAVAILABLE.test(err.code)) {
    return new DatabaseUnavailable(`The database did not answer (${err.code}): ${err.message}`, err)
  }
  return new DatabaseError(err.message, err.code, err.constraint, err)
}

// A name that resolves to several addresses fails with an AggregateError, whose own message is empty.
function describeReason(err: unknown): string {
  if (err instanceof AggregateError) return err.errors.map(describeReason).join('; ')
  return err instanceof Error ? err.message : String(err)
}
