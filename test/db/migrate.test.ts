import { afterAll, beforeAll, expect, test } from 'vitest'
import { statement } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

test('a migrated database has the tables and nothing left to apply', async () => {
  const rows = await db.database.query(
    statement<{ count: string }>('count_seeds', 'select count(*) as count from seeds'),
  )
  expect(rows).toEqual([{ count: '0' }])
  expect(await migrate(db.database)).toEqual([])
})
