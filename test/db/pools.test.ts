import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { statement } from '../../src/db/database.ts'
import { openPools, shareConnections } from '../../src/db/pools.ts'
import { databaseKind, openTestDatabase } from '../support/database.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const limits = { poolSize: 4 }
const version = statement<{ version: string }>('version', 'select version() as version')

test('without an address the database is embedded, under a folder that is made for it', async () => {
  const folder = await makeTemporaryFolder()
  const dataDir = join(folder, 'new', 'data')
  const pools = await openPools({ ...limits, databaseUrl: undefined, dataDir })
  expect((await pools.quick.query(version))[0]?.version).toContain('PGlite')
  await pools.close()
  expect(await readdir(dataDir)).toEqual(['database'])
})

test.runIf(databaseKind === 'postgres')(
  'with an address the server has it, and no folder is made',
  async () => {
    const db = await openTestDatabase()
    onTestFinished(() => db.close())
    const folder = await makeTemporaryFolder()
    const pools = await openPools({ ...limits, databaseUrl: db.url, dataDir: join(folder, 'data') })
    expect((await pools.quick.query(version))[0]?.version).not.toContain('PGlite')
    await pools.close()
    expect(await readdir(folder)).toEqual([])
  },
)

test.runIf(databaseKind === 'postgres')('no pool changes what the server does for durability', async () => {
  const db = await openTestDatabase()
  onTestFinished(() => db.close())
  const pools = await openPools({ ...limits, databaseUrl: db.url, dataDir: '' })
  onTestFinished(() => pools.close())
  const changed = statement<{ name: string }>(
    '',
    `select pg_settings.name from pg_settings
     where pg_settings.source in ('client', 'session') and pg_settings.name in ('synchronous_commit', 'jit')`,
  )
  // That what a pool sets when it connects would be seen.
  for (const pool of [pools.quick, pools.lists, pools.bulk, pools.background])
    expect(await pool.query(changed)).toEqual([{ name: 'jit' }])
})

test.each([4, 5, 10, 100, 1000])(
  'of %i connections every pool has one at least, and no more are opened',
  (poolSize) => {
    const shares = Object.values(shareConnections(poolSize))
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(1)
    expect(shares.reduce((sum, share) => sum + share)).toBe(poolSize)
  },
)
