import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Postgrator from 'postgrator'
import type { Database, Transaction } from './database.ts'
import { unprepared } from './statement.ts'

/** A folder of migrations with the table that remembers which of them have run. */
interface MigrationSet {
  readonly folder: string
  readonly table: string
}

const schemaMigrations: MigrationSet = { folder: 'migrations', table: 'public.schema_versions' }

/** What only a service with its search in PostgreSQL needs; it asks for the extension pg_trgm. */
export const searchMigrations: MigrationSet = { folder: 'migrations/search', table: 'public.search_versions' }

const LOCK_TIMEOUT_MS = 3000

/**
 * Brings the schema up to date in one transaction and answers the versions it applied. Instances that start at once
 * wait for each other; for a table that somebody else holds a migration waits 3 s, and fails with SQLSTATE 55P03.
 */
export async function migrate(database: Database, set: MigrationSet = schemaMigrations): Promise<number[]> {
  return database.transaction(async (tx) => {
    await tx.execute('set local statement_timeout = 0')
    // Any constant of ours; the instance that waited then finds nothing left to do.
    await tx.execute('select pg_advisory_xact_lock(7231905646)')
    // Behind a migration that waits for a table's long reader, such as a dump, everybody else who needs the table would wait too.
    await tx.execute(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    const applied = await postgratorOver(tx, set).migrate()
    return applied.map((migration) => migration.version)
  })
}

function postgratorOver(tx: Transaction, { folder, table }: MigrationSet): Postgrator {
  return new Postgrator({
    driver: 'pg',
    schemaTable: table,
    migrationPattern: join(escapePattern(join(projectFolder(), folder)), '*.do*.sql'),
    newline: 'LF',
    execQuery: async (text) => ({ rows: await tx.query(unprepared(text)) }),
    execSqlScript: (script) => tx.execute(script),
  })
}

/** The folder of package.json, from the source and from dist alike. */
function projectFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}

function escapePattern(path: string): string {
  return path.replace(/[?*()[\]{}]/g, '\\$&')
}
