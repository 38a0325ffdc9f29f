import { readFileSync } from 'node:fs'
import type { Database } from '../../src/db/database.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

const baseline = [
  'create table public.schema_versions (version bigint primary key, name text, md5 text, run_at timestamptz);',
  read('../../migrations/0009.do.baseline.sql'),
  read('../../migrations/0010.do.previous-release.sql'),
]
/** From version 10 to version 8, and from there to version 7. */
const [backTo8 = '', backTo7 = ''] = read('old-schema.sql').split(/^(?=-- Changes the schema of version 8)/m)

/**
 * Replaces the schema by the one that an older release left at `version` (8 or 7). Older versions
 * get the schema of version 7.
 */
export async function createOldSchema(database: Database, version: number): Promise<void> {
  const script = [
    'drop schema public cascade; create schema public;',
    ...baseline,
    backTo8,
    version < 8 ? backTo7 : '',
    `insert into schema_versions (version) select generate_series(0, ${version});`,
  ]
  await database.transaction((tx) => tx.execute(script.join('\n')))
}
