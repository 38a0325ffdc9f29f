import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder, readVersion } from '../config/project.ts'
import { StartError } from '../config/start-error.ts'
import type { Queryable } from './database.ts'
import { unprepared } from './statement.ts'

/** The tables of the applied migrations. */
export type VersionTable = 'public.schema_versions' | 'public.search_versions'

const hasTable = unprepared<{ has_table: boolean }>('select to_regclass($1) is not null as has_table')
const readNewest = unprepared<{ version: number }>(
  'select coalesce(max(version), 0)::integer as version from public.schema_versions',
)

/**
 * Throws `StartError` for a database of 0.1.0. It lacks the baseline of 0.2.0: its version 1, if it
 * has one, is another migration. Its numbers come back later.
 */
export async function refuseOldDatabase(
  database: Queryable,
  table: VersionTable = 'public.schema_versions',
): Promise<void> {
  const [found] = await database.query(hasTable, [table])
  if (found?.has_table !== true) return
  const isOld = unprepared<{ is_old: boolean }>(
    `select exists (select from ${table} where version > 0)
            and not exists (select from ${table} where version = 1 and name = 'baseline') as is_old`,
  )
  const [applied] = await database.query(isOld)
  if (applied?.is_old !== true) return
  throw new StartError(
    'DATABASE_URL or DATA_DIR',
    `this is a database of version 0.1.0, and version ${readVersion()} does not upgrade it. Export the contests with the old build (judge contest export), or start with an empty database.`,
  )
}

/** How the database's schema differs from the one of this release; undefined if it does not. */
export async function findSchemaFault(database: Queryable): Promise<'missing' | 'old' | undefined> {
  const [schema] = await database.query(hasTable, ['public.schema_versions'])
  if (schema?.has_table !== true) return 'missing'
  const [stored] = await database.query(readNewest)
  return (stored?.version ?? 0) < newestVersion() ? 'old' : undefined
}

function newestVersion(): number {
  const files = readdirSync(join(projectFolder(), 'migrations'))
  return Math.max(...files.map((file) => Number(/^(\d+)\.do\./.exec(file)?.[1] ?? 0)))
}
