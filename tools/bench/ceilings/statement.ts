import { createServer } from 'node:http'
import { verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import pg from 'pg'
import type { Value } from '../../../src/db/statement.ts'
import { listen } from '../../local-servers/free-ports.ts'
import { serveParent } from '../child.ts'
import { writeLeanBody } from './lean.ts'

/** The one-statement and the lean ceiling: `GET /n` runs the statement with the n-th values. */
export interface StatementService {
  readonly databaseUrl: string
  readonly poolSize: number
  readonly name: string
  readonly text: string
  readonly values: readonly (readonly Value[])[]
  /** Checks this password for a login, two at a time as the service does. */
  readonly password?: string | undefined
  /** Node writes the body from the row; otherwise it is the column `body`. */
  readonly isLean: boolean
}

/** Replies with the port. */
serveParent(async (service: StatementService): Promise<number> => {
  const { databaseUrl, poolSize, name, text, password, isLean } = service
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize, options: '-c jit=off' })
  const values = service.values.map((list) => [...list])
  const limit = pLimit(2)
  const find = async (n: number): Promise<string> => {
    const { rows } = await pool.query({ name, text, values: values[n] ?? [] })
    if (isLean) return writeLeanBody(rows[0])
    if (password === undefined) return rows[0].body
    await limit(() => verify(rows[0].password_hash, password))
    return JSON.stringify(rows[0])
  }
  const server = createServer((request, response) => {
    find(Number(request.url?.slice(1))).then(
      (body) => {
        const type = 'application/json; charset=utf-8'
        response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body)
      },
      (err: unknown) => response.writeHead(500, { 'content-length': 0 }).end(console.error(err)),
    )
  })
  return listen(server)
})
