import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Database, statement } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { databaseKind, openTestDatabase, type TestDatabase } from '../support/database.ts'

const versions = statement<{ version: string }>(
  'versions',
  'select version from schema_versions where version > 0 order by version',
)

let db: TestDatabase
beforeEach(async () => {
  db = await openTestDatabase()
})
afterEach(() => db.close())

async function empty(database: Database): Promise<void> {
  await database.transaction((tx) => tx.execute('drop schema public cascade; create schema public'))
}

test('applies every migration to an empty database, and then nothing', async () => {
  await empty(db.database)
  const applied = await migrate(db.database)
  expect(applied[0]).toBe(1)
  expect(await db.database.query(versions)).toEqual(applied.map((version) => ({ version: String(version) })))
  expect(await migrate(db.database)).toEqual([])
})

test('leaves a database alone that a later release has migrated', async () => {
  await db.database.transaction((tx) => tx.execute('insert into schema_versions (version) values (999999)'))
  expect(await migrate(db.database)).toEqual([])
})

test('leaves nothing of a migration that fails', async () => {
  await db.database.transaction((tx) =>
    tx.execute('drop schema public cascade; create schema public; create table outbox (id integer)'),
  )
  await expect(migrate(db.database)).rejects.toMatchObject({ sqlState: '42P07' })
  const tables = await db.database.query(
    statement('tables', "select tablename as name from pg_tables where schemaname = 'public'"),
  )
  expect(tables).toEqual([{ name: 'outbox' }])
})

describe.runIf(databaseKind === 'postgres')('by several instances at once', () => {
  const opened: Database[] = []
  afterEach(() => Promise.all(opened.splice(0).map((database) => database.close())))

  function openInstance(statementTimeoutMs = 10_000): Database {
    const url = db.url ?? ''
    const database = openPostgres({ url, poolSize: 1, statementTimeoutMs, connectTimeoutMs: 5_000 })
    opened.push(database)
    return database
  }

  test('an empty database is migrated by one of them, and all end well', async () => {
    await empty(db.database)
    const instances = [openInstance(), openInstance(), openInstance()]
    // Connected before, so that they start together.
    await Promise.all(instances.map((database) => database.query(statement('one', 'select 1 as one'))))
    const applied = await Promise.all(instances.map((database) => migrate(database)))
    expect(applied.filter((list) => list.length > 0)).toHaveLength(1)
    expect(await db.database.query(versions)).toEqual(
      applied.flat().map((version) => ({ version: String(version) })),
    )
  })

  test('a migrated database is left as it is', async () => {
    const before = await db.database.query(versions)
    expect(await Promise.all([migrate(openInstance()), migrate(openInstance())])).toEqual([[], []])
    expect(await db.database.query(versions)).toEqual(before)
  })

  test('one waits for another for longer than a statement may take', async () => {
    await empty(db.database)
    const [first, second] = [openInstance(), openInstance(100)]
    let isDone = false
    let waiting: Promise<number[]> | undefined
    await first.transaction(async (tx) => {
      await tx.execute('select pg_advisory_xact_lock(7231905646)')
      waiting = migrate(second).finally(() => {
        isDone = true
      })
      await tx.query(statement('sleep', 'select pg_sleep(0.5)'))
      expect(isDone).toBe(false)
    })
    expect(await waiting).toContain(1)
  })

  test('one that would wait for a table behind a long reader gives up before it stops everybody else', async () => {
    const migrating = openInstance()
    await db.database.transaction(async (tx) => {
      await tx.execute('lock table schema_versions in access exclusive mode')
      await expect(migrate(migrating)).rejects.toMatchObject({ sqlState: '55P03' })
    })
    expect(await migrate(migrating)).toEqual([])
  })
})
