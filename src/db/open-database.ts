import type { Database } from './database.ts'
import { openPglite } from './pglite.ts'
import { openPostgres } from './postgres.ts'

export interface DatabaseOptions {
  /** Not set: the embedded database under `dataDir`. */
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  readonly poolSize: number
  readonly statementTimeoutMs: number
  readonly connectTimeoutMs: number
  /** Hears of lost connections, which need no action: the next statement opens another. */
  readonly onError?: ((err: Error) => void) | undefined
}

/** Opens PostgreSQL when there is an address, else PGlite (D38). */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl: url, dataDir, poolSize, statementTimeoutMs, connectTimeoutMs, onError } = options
  if (url === undefined) return openPglite({ dataDir, onError })
  return openPostgres({ url, poolSize, statementTimeoutMs, connectTimeoutMs, onError })
}
