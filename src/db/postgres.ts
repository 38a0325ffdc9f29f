import { splitHosts } from '@judge-data-layer/runtime/server-hosts'
import type pg from 'pg'
import { connectTo, connectToPrimary } from './connections.ts'
import type { Database } from './database.ts'
import { useConnections } from './pg-pool.ts'
import { type Primary, watchPrimary } from './primary.ts'

export interface PostgresOptions {
  readonly url: string
  readonly poolSize: number
  /** PostgreSQL ends a statement that runs longer; it fails with `DatabaseUnavailable`. */
  readonly statementTimeoutMs: number
  /** Limits both connecting and waiting for a free connection. */
  readonly connectTimeoutMs: number
  /** PostgreSQL ends a transaction that waits longer for its client. Default: 5 s. */
  readonly idleInTransactionMs?: number
  /** Watches the servers of a URL with several hosts for all pools. Default: a watch of its own. */
  readonly primary?: Primary | undefined
  /** Receives the errors of idle connections. */
  readonly onError?: ((err: Error) => void) | undefined
}

/** A frozen instance must not keep the rows that others wait for. */
const IDLE_IN_TRANSACTION_MS = 5000
const IDLE_IN_TRANSACTION = 'idle_in_transaction_session_timeout'
const KEEPALIVE_DELAY_MS = 10_000

const setting = (name: string, value: string | number) => `-c ${name}=${value}`

/** The server ends the session of a lost machine; on a Unix socket it ignores these times. */
const SETTINGS = [
  setting('tcp_keepalives_idle', 10),
  setting('tcp_keepalives_interval', 5),
  setting('tcp_keepalives_count', 3),
  setting('tcp_user_timeout', 20_000),
  // Compiling a statement took 58 ms where running it takes 0.4 ms.
  setting('jit', 'off'),
]

/** Adds settings of the session to a URL; those that its `options` already has win. */
function addOptions(url: string, settings: readonly string[]): string {
  const [address = '', query] = url.split('?', 2)
  const params = new URLSearchParams(query)
  params.set('options', [...settings, params.get('options') ?? ''].join(' ').trim())
  return `${address}?${params}`
}

/**
 * Opens a pool of connections to PostgreSQL. It connects with the first statement; with several
 * hosts to the one that accepts writes.
 */
export function openPostgres(options: PostgresOptions): Database {
  const { url, onError } = options
  const primary = options.primary ?? watchServers(url)
  const configOf = (one: string) => configureConnections({ ...options, url: one })
  return useConnections(
    primary === undefined ? connectTo(configOf(url), onError) : connectToPrimary(primary, configOf, onError),
  )
}

/** Watches the servers of a URL with several hosts. Undefined for one host. */
export function watchServers(url: string): Primary | undefined {
  const urls = splitHosts(url)
  return urls.length > 1 ? watchPrimary(urls) : undefined
}

function configureConnections(options: PostgresOptions): pg.PoolConfig {
  const { url, poolSize, statementTimeoutMs, connectTimeoutMs } = options
  const { idleInTransactionMs = IDLE_IN_TRANSACTION_MS } = options
  return {
    connectionString: addOptions(url, [...SETTINGS, setting(IDLE_IN_TRANSACTION, idleInTransactionMs)]),
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // PostgreSQL ends a slow statement first; this limit is for a lost network.
    query_timeout: statementTimeoutMs + connectTimeoutMs,
    application_name: 'judge-data-layer',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_DELAY_MS,
    // Connections stay open: a new one must prepare its statements again.
    idleTimeoutMillis: 0,
    onConnect: refuseStandby,
  }
}

const IN_RECOVERY = 'select from pg_control_system() where pg_is_in_recovery()'

/** A proxy may lead to a former primary, and a standby shows old rows. */
async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(IN_RECOVERY)
  if (rows.length > 0) throw new Error('the server is a standby, which accepts no writes')
}
