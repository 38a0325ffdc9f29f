import type { Database } from './database.ts'
import { openPglite } from './pglite.ts'
import { openPostgres } from './postgres.ts'

/**
 * The ways to the database, each with connections and bounds of its own, so that what takes long never stands before what is quick: the records,
 * whole lists, what may have tens of megabytes, and what the service does unasked.
 */
export type PoolName = 'quick' | 'lists' | 'bulk' | 'background'

export interface Pools extends Readonly<Record<PoolName, Database>> {
  /** How long a request of a pool may take altogether, once its body is there. */
  readonly timeoutMs: Readonly<Record<PoolName, number>>
  close(): Promise<void>
}

/** How long a statement of a pool waits for a connection, and then may run: longer is `DatabaseUnavailable`. */
const bounds = {
  quick: { connectTimeoutMs: 500, statementTimeoutMs: 1500 },
  lists: { connectTimeoutMs: 1000, statementTimeoutMs: 10_000 },
  bulk: { connectTimeoutMs: 10_000, statementTimeoutMs: 10_000 },
  background: { connectTimeoutMs: 2000, statementTimeoutMs: 10_000 },
} as const satisfies Record<PoolName, object>

/** What waits for a connection and runs one statement has the time for both; a transaction of several shares it. */
const TIMEOUT_MS = { quick: 2000, lists: 11_000, bulk: 30_000, background: 30_000 }

/** The embedded database has one session: what is quick waits for what is not. */
const EMBEDDED_TIMEOUT_MS = { quick: 10_000, lists: 30_000, bulk: 30_000, background: 30_000 }

export interface PoolsOptions {
  /** Not set: the embedded database under `dataDir`. */
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  /** Connections of all pools together, at least 4. */
  readonly poolSize: number
  /** Hears of lost connections, which need no action: the next statement opens another. */
  readonly onError?: ((err: Error) => void) | undefined
}

/** Opens PostgreSQL when there is an address, else PGlite (D38), which has one session and so one pool. */
export async function openPools(options: PoolsOptions): Promise<Pools> {
  const { databaseUrl: url, dataDir, poolSize, onError } = options
  if (url === undefined) return onePool(await openPglite({ dataDir, onError }))
  const sizes = shareConnections(poolSize)
  const open = (pool: PoolName) => openPostgres({ url, poolSize: sizes[pool], ...bounds[pool], onError })
  const pools = {
    quick: open('quick'),
    lists: open('lists'),
    bulk: open('bulk'),
    background: open('background'),
  }
  return {
    ...pools,
    timeoutMs: TIMEOUT_MS,
    close: async () => void (await Promise.all(Object.values(pools).map((pool) => pool.close()))),
  }
}

/** One database as every pool. */
export function onePool(database: Database, timeoutMs: Pools['timeoutMs'] = EMBEDDED_TIMEOUT_MS): Pools {
  return {
    timeoutMs,
    quick: database,
    lists: database,
    bulk: database,
    background: database,
    close: () => database.close(),
  }
}

/** At least one connection a pool, and most of them for the quick one. */
export function shareConnections(poolSize: number): Record<PoolName, number> {
  const lists = Math.max(1, Math.floor(poolSize / 5))
  const bulk = Math.max(1, Math.floor(poolSize / 10))
  return { lists, bulk, background: 1, quick: poolSize - lists - bulk - 1 }
}
