import { StartError } from '../config/start-error.ts'
import { coalesceStatements } from './coalescer.ts'
import type { Database } from './database.ts'
import { openPglite } from './pglite.ts'
import { openPostgres, watchServers } from './postgres.ts'

/**
 * A pool of connections with its own limits, so that slow work never delays quick work: records,
 * whole lists, bodies of many megabytes, and background work.
 */
export type PoolName = 'quick' | 'lists' | 'bulk' | 'background'

export interface Pools extends Readonly<Record<PoolName, Database>> {
  /** How long a request may take in total, after its body has arrived. */
  readonly timeoutMs: Readonly<Record<PoolName, number>>
  close(): Promise<void>
}

/** How long a statement may wait for a connection, and then run, before it fails. */
const limits = {
  quick: { connectTimeoutMs: 500, statementTimeoutMs: 1500 },
  lists: { connectTimeoutMs: 2500, statementTimeoutMs: 10_000 },
  bulk: { connectTimeoutMs: 10_000, statementTimeoutMs: 10_000 },
  background: { connectTimeoutMs: 2000, statementTimeoutMs: 10_000 },
} as const satisfies Record<PoolName, object>

/** Enough time for one statement to wait and to run; the statements of a transaction share it. */
const TIMEOUT_MS = { quick: 2000, lists: 12_500, bulk: 30_000, background: 30_000 }

/** The embedded database has one session: quick statements wait for slow ones. */
const EMBEDDED_TIMEOUT_MS = { quick: 10_000, lists: 30_000, bulk: 30_000, background: 30_000 }

export interface PoolsOptions {
  /** Undefined: the embedded database under `dataDir`. */
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  /** Total connections of all pools, at least 4. */
  readonly poolSize: number
  /** Receives the errors of lost connections; the next statement opens a new one. */
  readonly onError?: ((err: Error) => void) | undefined
}

/**
 * Opens PostgreSQL, or without a URL PGlite (D38), whose single session serves as every pool. Throws
 * `StartError` if `DATA_DIR` cannot be used.
 */
export async function openPools(options: PoolsOptions): Promise<Pools> {
  const { databaseUrl: url, dataDir, poolSize, onError } = options
  if (url === undefined) {
    const opening = openPglite({ dataDir, onError })
    return onePool(
      await opening.catch((err: NodeJS.ErrnoException) => {
        const isFile = err.code === 'EEXIST' || err.code === 'ENOTDIR'
        throw new StartError('DATA_DIR', isFile ? `${dataDir} is not a folder` : err.message, err)
      }),
    )
  }
  const sizes = shareConnections(poolSize)
  const primary = watchServers(url)
  const open = (pool: PoolName) =>
    openPostgres({ url, primary, poolSize: sizes[pool], ...limits[pool], onError })
  const pools = {
    quick: coalesceStatements(open('quick'), inFlightOf(sizes.quick)),
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

/** Uses one database for every pool. */
export function onePool(session: Database, timeoutMs: Pools['timeoutMs'] = EMBEDDED_TIMEOUT_MS): Pools {
  const database = coalesceStatements(session, { reads: 1, writes: 1 })
  return {
    timeoutMs,
    quick: database,
    lists: database,
    bulk: database,
    background: database,
    close: () => database.close(),
  }
}

/** One statement takes about half of the connections for reads, and a third for writes. */
const inFlightOf = (connections: number) => ({
  reads: Math.ceil(connections / 2),
  writes: Math.ceil(connections / 3),
})

/** Splits connections: at least one for each pool, and most of them for `quick`. */
export function shareConnections(poolSize: number): Record<PoolName, number> {
  // Of ten connections three: one account builds two lists at a time.
  const lists = Math.max(1, Math.floor(poolSize * 0.3))
  const bulk = Math.max(1, Math.floor(poolSize / 10))
  return { lists, bulk, background: 1, quick: poolSize - lists - bulk - 1 }
}
