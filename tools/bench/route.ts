import type { NamedValues, Statement } from '../../src/db/statement.ts'
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

/** A route's statement for pgbench. */
export interface PgbenchScript {
  readonly statement: Statement
  /** Lines with `\set`. */
  readonly prologue: readonly string[]
  /** SQL for each parameter. */
  readonly values: Readonly<Record<string, string>>
  /** The values of `:name` in the script. */
  readonly variables: Readonly<Record<string, string>>
}

/** A measured route. */
export interface HotRoute {
  readonly name: string
  /** The successful statuses; the first request gets the first one. */
  readonly statuses: readonly [number, ...number[]]
  /** Requests of different users. */
  readonly exchanges: (world: World) => Promise<Exchange[]>
  /** The statement of the ceiling, which sends the column `body`. */
  readonly statement?: Statement
  /** The ceiling checks this password as well. */
  readonly password?: string
  /** Writes are compared with pgbench instead. */
  readonly pgbench?: (world: World) => PgbenchScript
  /** The records that it writes: submissions, or verdicts on the first contest's submissions. */
  readonly writes?: 'submissions' | 'verdicts'
  /** The number of rows in the response, if it grows with the database. */
  readonly rows?: (world: World) => number
  /** The most connections: whole lists share two database connections. */
  readonly widest?: number
  /** A mix of several routes, which has no ceiling. */
  readonly isMix?: true
  /** The wanted ratio to the ceiling. */
  readonly target?: number
  /** Also compared with a plain `select` of the same bytes. */
  readonly isComparedWithBytes?: true
  readonly needsLargeEvent?: true
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
