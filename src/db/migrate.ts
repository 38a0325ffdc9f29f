import { basename, join } from 'node:path'
import Postgrator from 'postgrator'
import { projectFolder } from '../config/project.ts'
import { type Database, DatabaseError, DatabaseUnavailable, type Transaction } from './database.ts'
import { refuseOldDatabase, type VersionTable } from './schema-version.ts'
import { unprepared } from './statement.ts'

/** A folder of migrations and the table that records the applied ones. */
interface MigrationSet {
  readonly folder: string
  readonly table: VersionTable
}

const schemaMigrations: MigrationSet = { folder: 'migrations', table: 'public.schema_versions' }

/** The migrations of the search in PostgreSQL. They need the extension pg_trgm. */
export const searchMigrations: MigrationSet = {
  folder: 'migrations/search',
  table: 'public.search_versions',
}

const LOCK_TIMEOUT_MS = 3000

/**
 * Brings the schema up to date in one transaction and returns the applied versions. `onWarning` gets
 * what the migrations say about single rows. Instances that start together wait for each other. The
 * migration fails after 3 s at a locked table (55P03). Throws `StartError` for a database of 0.1.0.
 */
export async function migrate(
  database: Database,
  set: MigrationSet = schemaMigrations,
  onWarning: (text: string) => void = () => {},
): Promise<number[]> {
  const warnings: string[] = []
  const versions = await database.transaction(async (tx) => {
    warnings.length = 0
    await tx.execute('set local statement_timeout = 0')
    await tx.execute('select pg_advisory_xact_lock(7231905646)')
    // Requests queue behind a migration that waits for a long reader, such as a dump.
    await tx.execute(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    await refuseOldDatabase(tx, set.table)
    const applied = await runMigrations(postgratorOver(tx, set, warnings), set)
    return applied.map((migration) => migration.version)
  })
  for (const warning of warnings) onWarning(warning)
  return versions
}

async function runMigrations(postgrator: Postgrator, set: MigrationSet): Promise<Postgrator.Migration[]> {
  let validating: Postgrator.Migration | undefined
  postgrator.on('validation-started', (migration) => {
    validating = migration
  })
  postgrator.on('validation-finished', () => {
    validating = undefined
  })
  return postgrator.migrate().catch((err: unknown) => {
    if (validating === undefined || err instanceof DatabaseError || err instanceof DatabaseUnavailable)
      throw err
    const file = `${set.folder}/${basename(validating.filename)}`
    throw new Error(
      `${file} differs from the one that this database was migrated with. Restore the file; put changes into a new migration.`,
      { cause: err },
    )
  })
}

function postgratorOver(tx: Transaction, { folder, table }: MigrationSet, warnings: string[]): Postgrator {
  return new Postgrator({
    driver: 'pg',
    schemaTable: table,
    migrationPattern: join(escapePattern(join(projectFolder(), folder)), '*.do*.sql'),
    newline: 'LF',
    execQuery: async (text) => ({ rows: await tx.query(unprepared(text)) }),
    execSqlScript: async (script) => void warnings.push(...(await tx.execute(script))),
  })
}

function escapePattern(path: string): string {
  return path.replace(/[?*()[\]{}]/g, '\\$&')
}
