import { cp } from 'node:fs/promises'
import { inject } from 'vitest'
import { closeLater } from './cleanup.ts'
import { databaseKind, openTestDatabase } from './database.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** Copies the embedded database, until the end of the test; returns its folder. */
export async function copyEmbeddedDatabase(): Promise<string> {
  const dataDir = await makeTemporaryFolder()
  await cp(inject('template').dataDir, dataDir, { recursive: true })
  return dataDir
}

/** Makes a database for a process, until the end of the test. Returns the variables for it. */
export async function freshDatabaseVariables(): Promise<Record<string, string>> {
  if (databaseKind === 'pglite') return { DATA_DIR: await copyEmbeddedDatabase() }
  const { url = '', close } = await openTestDatabase()
  closeLater(close)
  return { DATABASE_URL: url }
}
