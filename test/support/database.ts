import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { type Database, statement } from '../../src/db/database.ts'
import { openPglite } from '../../src/db/pglite.ts'
import { openPostgres } from '../../src/db/postgres.ts'

/** What the global setup made for the files to clone. */
export type Template =
  | { readonly kind: 'postgres'; readonly serverUrl: string; readonly name: string }
  | { readonly kind: 'pglite'; readonly dataDir: string }

/** What the suite runs on. */
export const databaseKind: 'postgres' | 'pglite' = process.env.TEST_DATABASE_URL ? 'postgres' : 'pglite'

export interface TestDatabase {
  readonly database: Database
  /** The address of a PostgreSQL database, for a second pool or a second process; PGlite has none. */
  readonly url: string | undefined
  /** Closes the database and removes it. */
  close(): Promise<void>
}

/** Opens a fresh, migrated database of this test file's own. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const template = inject('template')
  return template.kind === 'postgres'
    ? clonePostgres(template.serverUrl, template.name)
    : clonePglite(template.dataDir)
}

async function clonePglite(template: string): Promise<TestDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'judge-test-'))
  await cp(template, dataDir, { recursive: true })
  const database = await openPglite({ dataDir })
  const close = async (): Promise<void> => {
    await database.close()
    await rm(dataDir, { recursive: true })
  }
  return { database, url: undefined, close }
}

async function clonePostgres(serverUrl: string, template: string): Promise<TestDatabase> {
  const name = `${template}_${randomUUID().slice(0, 8)}`
  const admin = openAdmin(serverUrl)
  await admin
    .query(statement('', `create database ${name} template ${template}`))
    .finally(() => admin.close())
  const url = databaseUrl(serverUrl, name)
  const database = openPostgres({ url, poolSize: 8, statementTimeoutMs: 10_000, connectTimeoutMs: 10_000 })
  const close = async (): Promise<void> => {
    await database.close()
    await dropDatabase(serverUrl, name)
  }
  return { database, url, close }
}

async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  const admin = openAdmin(serverUrl)
  await admin.query(statement('', `drop database ${name} with (force)`)).finally(() => admin.close())
}

/** Opens the server's own database, to create and drop others from. */
export function openAdmin(serverUrl: string): Database {
  return openPostgres({ url: serverUrl, poolSize: 1, statementTimeoutMs: 60_000, connectTimeoutMs: 10_000 })
}

/** Answers the address of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
