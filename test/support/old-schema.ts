import { copyFile, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))

/** The numbers of the migrations, in their order. */
export const MIGRATIONS = [1, 2, 3, 4, 5, 6, 7, 8]

/** Replaces the schema of the database by that of an old release. */
export async function migrateAsBefore(database: Database, last: number): Promise<void> {
  await database.transaction((tx) => tx.execute('drop schema public cascade; create schema public'))
  const folder = await makeTemporaryFolder()
  const files = await readdir(join(PROJECT, 'migrations'))
  const own = files.filter((file) => Number.parseInt(file, 10) <= last)
  for (const file of own) await copyFile(join(PROJECT, 'migrations', file), join(folder, file))
  const applied = await migrate(database, {
    folder: relative(PROJECT, folder),
    table: 'public.schema_versions',
  })
  expect(applied).toEqual(MIGRATIONS.filter((number) => number <= last))
}
