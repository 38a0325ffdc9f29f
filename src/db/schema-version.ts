import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '../config/project.ts'
import type { Database } from './database.ts'
import { unprepared } from './statement.ts'

const hasSchema = unprepared<{ has_schema: boolean }>(
  `select to_regclass('public.schema_versions') is not null as has_schema`,
)
const readVersion = unprepared<{ version: number }>(
  'select coalesce(max(version), 0)::integer as version from public.schema_versions',
)

/** How the database's schema differs from the one of this release; undefined if it does not. */
export async function findSchemaFault(database: Database): Promise<'missing' | 'old' | undefined> {
  const [schema] = await database.query(hasSchema)
  if (schema?.has_schema !== true) return 'missing'
  const [stored] = await database.query(readVersion)
  return (stored?.version ?? 0) < newestVersion() ? 'old' : undefined
}

function newestVersion(): number {
  const files = readdirSync(join(projectFolder(), 'migrations'))
  return Math.max(...files.map((file) => Number(/^(\d+)\.do\./.exec(file)?.[1] ?? 0)))
}
