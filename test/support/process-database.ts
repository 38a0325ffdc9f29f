import { cp } from 'node:fs/promises'
import { inject } from 'vitest'
import { closeLater } from './cleanup.ts'
import { openTestDatabase } from './database.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** Returns the variables of a new database for a process; it is removed after the test or the file. */
export async function freshDatabaseVariables(): Promise<Record<string, string>> {
  const template = inject('template')
  if (template.kind === 'pglite') {
    const dataDir = await makeTemporaryFolder()
    await cp(template.dataDir, dataDir, { recursive: true })
    return { DATA_DIR: dataDir }
  }
  const { url = '', close } = await openTestDatabase()
  closeLater(close)
  return { DATABASE_URL: url }
}
