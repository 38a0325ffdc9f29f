import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Postgrator from 'postgrator'
import { type Database, statement, type Transaction } from './database.ts'

/**
 * Brings the schema up to date in one transaction and answers the versions it applied. Instances that start at once
 * wait for each other.
 */
export async function migrate(database: Database): Promise<number[]> {
  return database.transaction(async (tx) => {
    await tx.execute('set local statement_timeout = 0')
    // Any constant of ours; the instance that waited then finds nothing left to do.
    await tx.execute('select pg_advisory_xact_lock(7231905646)')
    const applied = await postgratorOver(tx).migrate()
    return applied.map((migration) => migration.version)
  })
}

function postgratorOver(tx: Transaction): Postgrator {
  return new Postgrator({
    driver: 'pg',
    schemaTable: 'public.schema_versions',
    migrationPattern: join(escapePattern(migrationsFolder()), '*.do*.sql'),
    newline: 'LF',
    execQuery: async (text) => ({ rows: await tx.query(statement('', text)) }),
    execSqlScript: (script) => tx.execute(script),
  })
}

/** The folder beside package.json, from the source and from dist alike. */
function migrationsFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return join(folder, 'migrations')
}

function escapePattern(path: string): string {
  return path.replace(/[?*()[\]{}]/g, '\\$&')
}
