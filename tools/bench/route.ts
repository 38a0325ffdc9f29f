import type { NamedValues, Statement } from '../../src/db/statement.ts'
import type { LeanStatement } from './ceilings/lean.ts'
import type { World } from './stage.ts'

/** A request to the service, and the values of its statement. */
export interface Exchange {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly token?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly values?: NamedValues
}

export interface PgbenchScript {
  readonly statement: Statement
  /** Lines with `\set`. */
  readonly prologue: readonly string[]
  /** SQL for each parameter. */
  readonly values: Readonly<Record<string, string>>
  /** The values of `:name` in the script. */
  readonly variables: Readonly<Record<string, string>>
}

/** Wanted ratios by the number of connections; others have no target. */
type Ratios = Readonly<Record<number, number>>

/** The columns of `submissions` with the time of a write. */
export const WRITTEN = { submissions: 'submit_time', verdicts: 'judged_at' } as const

export interface HotRoute {
  readonly name: string
  readonly statuses: readonly number[]
  readonly exchanges: (world: World) => Promise<Exchange[]>
  /** The statement of the ceiling, which sends the column `body`. */
  readonly statement?: Statement
  readonly password?: string
  /** Writes are compared with pgbench instead. */
  readonly pgbench?: (world: World) => PgbenchScript
  /** The records that it writes; verdicts are on the contest's submissions. */
  readonly writes?: keyof typeof WRITTEN
  /** Its response grows with the database. */
  readonly isGrowing?: true
  /** The most connections: whole lists share two database connections. */
  readonly widest?: number
  /** A mix of several routes, which has no ceiling. */
  readonly isMix?: true
  /** The wanted ratios to the one statement or to pgbench. */
  readonly targets?: Ratios
  /** The leanest statement for the same response, a ceiling of its own. */
  readonly lean?: LeanStatement
  readonly leanTargets?: Ratios
}

/** Writes a request as HTTP. */
export function writeRequest({ method, path, token, body, headers = {} }: Omit<Exchange, 'values'>): string {
  const lines = Object.entries({
    Host: '127.0.0.1',
    ...(token !== undefined && { Authorization: token }),
    ...(body !== undefined && {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}
