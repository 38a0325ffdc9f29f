import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import Postgrator from 'postgrator'
import { projectFolder } from '../config/project.ts'
import { type Database, DatabaseError, DatabaseUnavailable, type Transaction } from './database.ts'
import { unprepared } from './statement.ts'

/** A folder of migrations and the table that records the applied ones. */
interface MigrationSet {
  readonly folder: string
  readonly table: string
  /** The number of the first migration. */
  readonly baseline: number
  /** Scripts that change the schema of an older version to the baseline. */
  readonly upgrades: { readonly [version: number]: readonly string[] }
}

const schemaMigrations: MigrationSet = {
  folder: 'migrations',
  table: 'public.schema_versions',
  baseline: 9,
  upgrades: { 7: ['upgrade/from-0007.sql', 'upgrade/from-0008.sql'], 8: ['upgrade/from-0008.sql'] },
}

/** The migrations of the search in PostgreSQL. They need the extension pg_trgm. */
export const searchMigrations: MigrationSet = {
  folder: 'migrations/search',
  table: 'public.search_versions',
  baseline: 2,
  upgrades: { 1: [] },
}

const LOCK_TIMEOUT_MS = 3000

/**
 * Brings the schema up to date in one transaction and returns the applied versions. Instances that
 * start together wait for each other. The migration fails after 3 s at a locked table (55P03).
 */
export async function migrate(database: Database, set: MigrationSet = schemaMigrations): Promise<number[]> {
  return database.transaction(async (tx) => {
    await tx.execute('set local statement_timeout = 0')
    await tx.execute('select pg_advisory_xact_lock(7231905646)')
    // Requests queue behind a migration that waits for a long reader, such as a dump.
    await tx.execute(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    const postgrator = postgratorOver(tx, set)
    const applied = [...(await upgradeToBaseline(postgrator, set)), ...(await runMigrations(postgrator, set))]
    return applied.map((migration) => migration.version)
  })
}

/** Records an older database as being at the baseline after its upgrade scripts have run. */
async function upgradeToBaseline(
  postgrator: Postgrator,
  set: MigrationSet,
): Promise<readonly Postgrator.Migration[]> {
  const version = await postgrator.getDatabaseVersion()
  if (version === 0 || version >= set.baseline) return []
  const scripts = set.upgrades[version]
  if (scripts === undefined)
    throw new Error(
      `The database is at version ${version}, which is too old for this release. Start the previous release once, then this one.`,
    )
  const text = scripts
    .map((script) => readFileSync(join(projectFolder(), set.folder, script), 'utf8'))
    .join('\n')
  const migrations = await postgrator.getMigrations()
  const baseline = migrations.filter((migration) => migration.version === set.baseline)
  return postgrator.runMigrations(baseline.map((migration) => ({ ...migration, getSql: () => text })))
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

function escapePattern(path: string): string {
  return path.replace(/[?*()[\]{}]/g, '\\$&')
}
