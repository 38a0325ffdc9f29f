import { randomUUID } from 'node:crypto'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, onTestFinished } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { openPglite } from '../../src/db/pglite.ts'
import { openPostgres, type PostgresOptions } from '../../src/db/postgres.ts'
import { unprepared } from '../../src/db/statement.ts'
import { databaseUrl } from '../../tools/local-servers/database.ts'
import { checkRows } from './checked-rows.ts'
import { closeLater, once } from './cleanup.ts'
import { type Emptying, emptyDatabase } from './empty-database.ts'

/** A migrated database of the global setup, which workers clone; `dataDir` is the embedded one. */
export type Template = { readonly dataDir: string; readonly emptying: Emptying } & (
  | { readonly kind: 'postgres'; readonly serverUrl: string; readonly name: string }
  | { readonly kind: 'pglite'; readonly folder: string }
)

export const databaseKind: 'postgres' | 'pglite' = process.env.TEST_DATABASE_URL ? 'postgres' : 'pglite'

export interface TestDatabase {
  readonly database: Database
  /** The URL of a PostgreSQL database, for a second pool or process; PGlite has none. */
  readonly url: string | undefined
  /** Empties the database for the next test file, or removes it if its schema has changed. */
  close(): Promise<void>
}

interface Clone {
  readonly url: string | undefined
  open(): Promise<{ database: Database; close(): Promise<void> }>
  /** Deletes all rows but the migrations' own; resolves to false if the schema has changed. */
  empty(): Promise<boolean>
  remove(): Promise<void>
}

/** Unused clones, which a worker process keeps for its next files. */
const unused: Clone[] = []

/**
 * Opens an empty migrated database that no other test uses; it closes with the test or file, which
 * fails if a row was not as its statement declares.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const clone = unused.pop() ?? (await cloneTemplate())
  const { database, close } = await clone.open()
  const violations = new Set<string>()
  const closeOnce = once(async () => {
    await close()
    if (await clone.empty()) unused.push(clone)
    else await clone.remove()
    expect([...violations]).toEqual([])
  })
  closeLater(closeOnce)
  return { database: checkRows(database, violations), url: clone.url, close: closeOnce }
}

/** For a loaded machine; tests of the limits open a database as in production. */
const PATIENT_TURNS = { maxWaiting: 100_000, requestMs: 60_000, backgroundMs: 60_000 }

function cloneTemplate(): Promise<Clone> {
  const template = inject('template')
  return template.kind === 'postgres' ? clonePostgres(template) : clonePglite(template)
}

type TemplateOf<Kind> = Extract<Template, { kind: Kind }>

async function clonePglite(template: TemplateOf<'pglite'>): Promise<Clone> {
  const dataDir = join(template.folder, randomUUID())
  // Takes a quarter of the CPU time of its asynchronous form.
  cpSync(template.dataDir, dataDir, { recursive: true })
  const database = await openPglite({ dataDir, bounds: PATIENT_TURNS })
  return {
    url: undefined,
    open: async () => ({ database, close: async () => {} }),
    empty: () => emptyDatabase(database, template.emptying),
    remove: () => database.close(),
  }
}

async function clonePostgres({
  serverUrl,
  emptying,
  name: template,
}: TemplateOf<'postgres'>): Promise<Clone> {
  const name = `${template}_${randomUUID().slice(0, 8)}`
  const admin = openPatient(serverUrl)
  await admin.query(unprepared(`create database ${name} template ${template}`)).finally(() => admin.close())
  const url = databaseUrl(serverUrl, name)
  const owner = openPatient(url)
  return {
    url,
    open: async () => {
      const database = openPatient(url, { poolSize: 8, idleInTransactionMs: 60_000 })
      return { database, close: () => database.close() }
    },
    empty: () => emptyDatabase(owner, emptying),
    remove: () => owner.close(),
  }
}

/** Opens a pool, by default of one connection, with limits for a busy machine. */
export function openPatient(url: string, options: Partial<PostgresOptions> = {}): Database {
  return openPostgres({ url, poolSize: 1, statementTimeoutMs: 60_000, connectTimeoutMs: 10_000, ...options })
}

/** Opens a pool that closes with the test. */
export function openPool(url: string, options?: Partial<PostgresOptions>): Database {
  const database = openPatient(url, options)
  onTestFinished(() => database.close())
  return database
}
