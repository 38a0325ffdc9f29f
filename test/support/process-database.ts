import { cp } from 'node:fs/promises'
import { inject } from 'vitest'
import { closeLater } from './cleanup.ts'
import { openTestDatabase } from './database.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** Makes a database for a process, until the end of the test. Returns the variables for it. */
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
