import { statement } from '../../src/db/database.ts'
import { openPostgres } from '../../src/db/postgres.ts'

export interface FuzzDatabase {
  readonly url: string
  /** Names that only the database knows. */
  readConstraintNames(): Promise<string[]>
  remove(): Promise<void>
}

/** Makes an empty database of its own on the server. */
export async function openDatabase(serverUrl: string): Promise<FuzzDatabase> {
  const name = `judge_fuzz_${process.pid}_${crypto.randomUUID().slice(0, 8)}`
  const address = new URL(serverUrl)
  address.pathname = `/${name}`
  await ask(serverUrl, `create database ${name}`)
  return {
    url: address.href,
    readConstraintNames: async () => {
      const rows = await ask(
        address.href,
        `select constraints.conname::text as name from pg_constraint as constraints
         where constraints.connamespace = 'public'::regnamespace`,
      )
      return rows.map((row) => row.name)
    },
    remove: async () => void (await ask(serverUrl, `drop database ${name} with (force)`)),
  }
}

async function ask(url: string, sql: string): Promise<{ name: string }[]> {
  const database = openPostgres({ url, poolSize: 1, statementTimeoutMs: 60_000, connectTimeoutMs: 10_000 })
  return database.query(statement<{ name: string }>('', sql)).finally(() => database.close())
}
