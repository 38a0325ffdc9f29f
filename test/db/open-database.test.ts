import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { statement } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { databaseKind, openTestDatabase } from '../support/database.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const limits = { poolSize: 1, statementTimeoutMs: 5_000, connectTimeoutMs: 5_000 }
const version = statement<{ version: string }>('version', 'select version() as version')

test('without an address the database is embedded, under a folder that is made for it', async () => {
  const folder = await makeTemporaryFolder()
  const dataDir = join(folder, 'new', 'data')
  const database = await openDatabase({ ...limits, databaseUrl: undefined, dataDir })
  expect((await database.query(version))[0]?.version).toContain('PGlite')
  await database.close()
  expect(await readdir(dataDir)).toEqual(['database'])
})

test.runIf(databaseKind === 'postgres')(
  'with an address the server has it, and no folder is made',
  async () => {
    const db = await openTestDatabase()
    onTestFinished(() => db.close())
    const folder = await makeTemporaryFolder()
    const database = await openDatabase({ ...limits, databaseUrl: db.url, dataDir: join(folder, 'data') })
    expect((await database.query(version))[0]?.version).not.toContain('PGlite')
    await database.close()
    expect(await readdir(folder)).toEqual([])
  },
)
