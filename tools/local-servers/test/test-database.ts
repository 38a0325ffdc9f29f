import type { Database } from '../../../src/db/database.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { openPglite } from '../../../src/db/pglite.ts'
import { createDatabase } from '../database.ts'
import { makeServerFolder } from '../server-process.ts'

/** An empty database for one test file: on the server of TEST_DATABASE_URL, else embedded. */
export async function openEmptyDatabase(): Promise<{ database: Database; close(): Promise<void> }> {
  const { TEST_DATABASE_URL: serverUrl } = process.env
  if (serverUrl) {
    const { database, drop } = await createDatabase(serverUrl, 'tools_test')
    return { database, close: drop }
  }
  const folder = await makeServerFolder('tools-test')
  const database = await openPglite({ dataDir: folder.path })
  const close = async () => {
    await database.close()
    folder.remove()
  }
  return { database, close }
}

/** The same with the service's tables. */
export async function openMigratedDatabase() {
  const opened = await openEmptyDatabase()
  await migrate(opened.database)
  return opened
}
