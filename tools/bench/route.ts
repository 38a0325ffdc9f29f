import type { Statement, Value } from '../../src/db/database.ts'
import type { World } from './world.ts'

/** One request to the service, and the values with which its statement runs. */
export interface Exchange {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly token?: string
  readonly body?: string
  readonly values?: readonly Value[]
}

/** How pgbench runs a route's statement: SQL in the place of each `$n`, which may use the variables. */
export interface PgbenchScript {
  readonly statement: Statement
  /** Lines of `\set` that go before it. */
  readonly prologue: readonly string[]
  readonly values: readonly string[]
  /** Texts and numbers that are given as they are. */
  readonly variables: Readonly<Record<string, string>>
}

/** A hot route, as data. */
export interface HotRoute {
  readonly name: string
  /** Those of success; the first is that of the first request. */
  readonly statuses: readonly [number, ...number[]]
  /** What users send: each by another one, as far as there are so many. */
  readonly exchanges: (world: World) => Promise<Exchange[]>
  /** What the ceiling of one statement runs; it answers the column `body` of the row. */
  readonly statement?: Statement
  /** The one-statement ceiling checks this password too. */
  readonly password?: string
  /** Writes are held against pgbench instead. */
  readonly pgbench?: (world: World) => PgbenchScript
  /** What it leaves behind: submissions in the outbox, or verdicts of the first contest's submissions, one each. */
  readonly writes?: 'submissions' | 'verdicts'
  /** How many rows the answer has, where their number grows with the database. */
  readonly rows?: (world: World) => number
  /** The most connections that make sense: whole lists share two connections to the database, and nobody waits for one longer than a second. */
  readonly widest?: number
  /** Several routes by turns, so that it has no one ceiling. */
  readonly isMix?: true
  /** What the ratio to the ceiling is to be. */
  readonly target?: number
  /** Measured beside a mere `select` of as many bytes. */
  readonly isHeldToBytes?: true
  /** Only where the database has the large contest. */
  readonly needsLargeContest?: true
}

/** The bytes of a request. */
export function writeRequest(exchange: Exchange): string {
  const { method, path, token, body } = exchange
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1']
  if (token !== undefined) lines.push(`Authorization: ${token}`)
  if (body !== undefined)
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}
