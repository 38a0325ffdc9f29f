import pg from 'pg'
import type { Connections } from './connections.ts'
import {
  type Database,
  DatabaseError,
  DatabaseUnavailable,
  type Requester,
  StatementUnwanted,
  type Transactable,
  type Transaction,
} from './database.ts'
import { bind, type Row, type Statement } from './statement.ts'

/** Uses the connections of a pool as the port. */
export function useConnections(connections: Connections): Database {
  return {
    ...statementsOver(connections),
    forRequest: (requester) => statementsOver(connections, requester),
    usage: () => connections.usage(),
    close: () => connections.close(),
  }
}

function statementsOver(connections: Connections, requester?: Requester): Transactable {
  const run = <T>(work: (client: pg.PoolClient) => Promise<T>) => useClient(connections, requester, work)
  return {
    query: (statement, ...values) => {
      const runOnce = () => run((client) => runStatement(client, statement, values[0]))
      return statement.isBatch ? runOnce() : retryDeadlocks(runOnce)
    },
    transaction: (work) => retryDeadlocks(() => run((client) => runTransaction(client, work))),
  }
}

const DEADLOCK = '40P01'
const DEADLOCK_TRIES = 4

/** PostgreSQL has rolled back the victim of a deadlock: it can run again. */
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

async function useClient<T>(
  connections: Connections,
  requester: Requester | undefined,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  if (requester?.isWaiting() === false) throw new StatementUnwanted()
  const client = await connections.take().catch((err: Error) => {
    throw new DatabaseUnavailable(`The database cannot be reached: ${describeReason(err)}`, err)
  })
  if (requester?.isWaiting() === false) {
    client.release()
    throw new StatementUnwanted()
  }
  try {
    const result = await work(client)
    client.release()
    return result
  } catch (err) {
    // `pool.query` would drop the connection on every error, even on a unique violation.
    client.release(err instanceof DatabaseUnavailable)
    if (err instanceof DatabaseUnavailable && !err.isRolledBack) connections.reportLoss()
    throw err
  }
}

async function runTransaction<T>(client: pg.PoolClient, work: (tx: Transaction) => Promise<T>): Promise<T> {
  await runQuery(client, { text: 'begin' })
  const guard = new TransactionGuard()
  try {
    const result = await work({
      query: (statement, ...values) => guard.run(() => runStatement(client, statement, values[0])),
      execute: (script) => guard.run(() => runScript(client, script)),
    })
    guard.end()
    await runQuery(client, { text: 'commit' })
    return result
  } catch (err) {
    guard.close()
    await rollBack(client, err)
    throw err
  }
}

/** A failed statement fails the transaction, even if `work` catches it. None runs after the end. */
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

  /** Throws the failure: PostgreSQL would silently turn the commit into a rollback. */
  end(): void {
    this.close()
    if (this.#failure !== undefined) throw this.#failure
  }
}

async function rollBack(client: pg.PoolClient, cause: unknown): Promise<void> {
  if (cause instanceof DatabaseUnavailable) return
  try {
    await runQuery(client, { text: 'rollback' })
  } catch {
    throw new DatabaseUnavailable('The connection was lost before the rollback.', cause)
  }
}

async function runStatement<R extends Row, V>(
  client: pg.PoolClient,
  statement: Statement<R, V>,
  values: unknown,
): Promise<R[]> {
  const { name, text } = statement
  return runQuery<R>(client, { name, text, values: bind(statement, values) })
}

/** The class of SQLSTATEs of warnings. */
const WARNING = '01'

type Notice = Partial<Record<'code' | 'message', string | undefined>>

/** Migrations may take long: no timeout but the longest that a timer can have. */
async function runScript(client: pg.PoolClient, text: string): Promise<string[]> {
  const warnings: string[] = []
  const listen = ({ code, message }: Notice) => {
    if (code?.startsWith(WARNING)) warnings.push(message ?? '')
  }
  client.on('notice', listen)
  try {
    await runQuery(client, { text, query_timeout: 2 ** 31 - 1 })
    return warnings
  } finally {
    client.off('notice', listen)
  }
}

/** `pg` reads `query_timeout` also from a query, which its types omit. */
type Query = pg.QueryConfig & { query_timeout?: number }

async function runQuery<R extends Row>(client: pg.PoolClient, query: Query): Promise<R[]> {
  try {
    const result = await client.query<R>(query)
    return result.rows
  } catch (err) {
    throw toPortError(err)
  }
}

// Connection lost (08), shutting down or not yet up (57P), too many connections, statement timeout,
// a transaction that was idle or ran for too long, a standby or a former primary (25006).
const UNAVAILABLE = /^(?:08|57P|53300$|57014$|25006$|25P0[34]$)/

const STATEMENT_TIMEOUT = '57014'

/** Whether the server does not accept the user, the password or the name of the database. */
export function isRefusedForGood({ cause }: DatabaseUnavailable): boolean {
  const reasons: unknown[] = cause instanceof AggregateError ? cause.errors : [cause]
  return reasons.every(
    (one) => one instanceof pg.DatabaseError && one.code !== undefined && !UNAVAILABLE.test(one.code),
  )
}

function toPortError(err: unknown): Error {
  if (!(err instanceof pg.DatabaseError) || err.code === undefined) {
    return new DatabaseUnavailable(`The database did not respond: ${describeReason(err)}`, err)
  }
  if (UNAVAILABLE.test(err.code)) {
    const message = `The database is unavailable (${err.code}): ${err.message}`
    return new DatabaseUnavailable(message, err, err.code === STATEMENT_TIMEOUT)
  }
  return new DatabaseError(err.message, err.code, err.constraint, err)
}

// With several hosts or addresses, the error is an AggregateError without a useful message.
function describeReason(err: unknown): string {
  if (err instanceof AggregateError) return err.errors.map(describeReason).join('; ')
  return err instanceof Error ? err.message : String(err)
}
