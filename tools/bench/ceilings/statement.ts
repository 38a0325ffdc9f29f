import { verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import pg from 'pg'
import type { Value } from '../../../src/db/statement.ts'
import { serveParent } from '../child.ts'
import { type LeanStatement, writeLeanBody } from './lean.ts'
import { serveBodies } from './respond.ts'

/** The one-statement and the lean ceiling: `GET /n` runs the statement with the n-th values. */
export interface StatementService {
  readonly databaseUrl: string
  readonly poolSize: number
  readonly name: string
  readonly text: string
  readonly values: readonly (readonly Value[])[]
  /** Checks this password for a login, two at a time as the service does. */
  readonly password?: string | undefined
  /** Node writes the body from the rows; otherwise it is the column `body`. */
  readonly shape?: LeanStatement['shape']
}

/** Replies with the port. */
serveParent(async (service: StatementService): Promise<number> => {
  const { databaseUrl, poolSize, name, text, password, shape } = service
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize, options: '-c jit=off' })
  const values = service.values.map((list) => [...list])
  const limit = pLimit(2)
  const find = async (n: number): Promise<string> => {
    const { rows } = await pool.query({ name, text, values: values[n] ?? [] })
    if (shape !== undefined) return writeLeanBody(shape, rows)
    if (password === undefined) return rows[0].body
    await limit(() => verify(rows[0].password_hash, password))
    return JSON.stringify(rows[0])
  }
  return serveBodies(find)
})
