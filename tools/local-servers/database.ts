import type { Database, Queryable } from '../../src/db/database.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { type Row, unprepared } from '../../src/db/statement.ts'

/** A name that no other run uses, for a database or a queue. */
export const uniqueName = (prefix: string) => `${prefix}_${process.pid}_${crypto.randomUUID().slice(0, 8)}`

/** Runs a statement without parameters. */
export const ask = <R extends Row>(db: Queryable, sql: string): Promise<R[]> => db.query(unprepared<R>(sql))

/** Opens two connections for a tool's statements. Transactions may wait on a busy machine. */
export const openDatabase = (url: string, statementTimeoutMs = 600_000): Database =>
  openPostgres({
    ...{ url, poolSize: 2, statementTimeoutMs, connectTimeoutMs: 5000 },
    idleInTransactionMs: statementTimeoutMs,
  })

/** The URL of another database on the same server. */
export const databaseUrl = (serverUrl: string, name: string): string =>
  Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href

/** Creates an empty database and connects to it. */
export async function createDatabase(serverUrl: string, prefix: string, statementTimeoutMs?: number) {
  const name = uniqueName(prefix)
  const onServer = (sql: string) => {
    const server = openDatabase(serverUrl)
    return ask(server, sql).finally(() => server.close())
  }
  await onServer(`create database ${name}`)
  const url = databaseUrl(serverUrl, name)
  const database = openDatabase(url, statementTimeoutMs)
  const drop = async () => {
    await database.close()
    await onServer(`drop database ${name} with (force)`)
  }
  return { url, database, drop }
}
