import { afterAll } from 'vitest'
import type { Database } from '../../../src/db/database.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { openPglite } from '../../../src/db/pglite.ts'
import { createDatabase } from '../database.ts'
import { makeServerFolder } from '../server-process.ts'

/** An empty database for one test file: on the server of TEST_DATABASE_URL, else embedded. */
export async function openEmptyDatabase(): Promise<Database> {
  const { TEST_DATABASE_URL: serverUrl } = process.env
  if (serverUrl) {
    const { database, drop } = await createDatabase(serverUrl, 'tools_test')
    afterAll(drop)
    return database
  }
  const folder = await makeServerFolder('tools-test')
  const database = await openPglite({ dataDir: folder.path })
  afterAll(() => database.close().finally(folder.remove))
  return database
}

/** The same with the service's tables. */
export async function openMigratedDatabase(): Promise<Database> {
  const database = await openEmptyDatabase()
  await migrate(database)
  return database
}
