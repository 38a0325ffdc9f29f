import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { describeSchema } from '../../scripts/generated/schema.ts'
import { readVersion } from '../../src/config/project.ts'
import { migrate, searchMigrations } from '../../src/db/migrate.ts'
import { unprepared } from '../../src/db/statement.ts'
import { openPool, openTestDatabase } from '../support/database.ts'
import { readTables } from '../support/database-contents.ts'
import { onPostgres } from '../support/needs.ts'

const versions = unprepared<{ version: string }>(
  'select version from schema_versions where version > 0 order by version',
)

const db = await openTestDatabase()
const run = (script: string) => db.database.transaction((tx) => tx.execute(script))

const dropAll = () => run('drop schema public cascade; create schema public')
/** Undoes the changes of the tests before. */
async function createMigrated(): Promise<void> {
  await dropAll()
  await migrate(db.database)
}

test('an empty database gets every migration once, and the schema of docs/schema.sql', async () => {
  await dropAll()
  const applied = await migrate(db.database)
  expect(applied[0]).toBe(1)
  expect(await db.database.query(versions)).toEqual(applied.map((version) => ({ version: String(version) })))
  expect(await migrate(db.database)).toEqual([])
  await migrate(db.database, searchMigrations)
  const file = await readFile(new URL('../../docs/schema.sql', import.meta.url), 'utf8')
  expect(await describeSchema(db.database)).toBe(file)
})

test('a database that a later release has migrated stays as it is', async () => {
  await createMigrated()
  await run('insert into schema_versions (version) values (999999)')
  expect(await migrate(db.database)).toEqual([])
})

test('a failed migration changes nothing', async () => {
  await dropAll()
  await run('create table outbox (id integer)')
  await expect(migrate(db.database)).rejects.toMatchObject({ sqlState: '42P07' })
  const tables = await db.database.query(
    unprepared("select tablename as name from pg_tables where schemaname = 'public'"),
  )
  expect(tables).toEqual([{ name: 'outbox' }])
})

test('an applied migration that differs from its file is refused with the name of the file', async () => {
  await createMigrated()
  await run(`update schema_versions set md5 = 'another' where version = 1`)
  await expect(migrate(db.database)).rejects.toThrow(
    'migrations/0001.do.baseline.sql differs from the one that this database was migrated with. Restore the file; put changes into a new migration.',
  )
})

test('every schema version of 0.1.0 is refused, and its database is not changed', async () => {
  await createMigrated()
  await migrate(db.database, searchMigrations)
  const message = `DATABASE_URL or DATA_DIR: this is a database of version 0.1.0, and version ${readVersion()} does not upgrade it. Export the contests with the old build (judge contest export), or start with an empty database.`
  const old = [
    ['search_versions', `(1, 'problem-search')`],
    ['search_versions', `(2, 'baseline'), (3, 'matching-problems')`],
    ['schema_versions', `(1, 'accounts-problems-submissions-queue'), (2, 'contests')`],
    ['schema_versions', `(9, 'baseline'), (44, 'judge-failures')`],
  ] as const
  for (const [table, versions] of old) {
    await run(
      `delete from ${table} where version > 0; insert into ${table} (version, name) values ${versions}`,
    )
    const rows = await readTables(db.database)
    const set = table === 'search_versions' ? searchMigrations : undefined
    await expect(migrate(db.database, set)).rejects.toThrow(message)
    expect(await readTables(db.database)).toEqual(rows)
  }
})

describe('by several instances at once', onPostgres, () => {
  const openInstance = (statementTimeoutMs = 10_000) => openPool(db.url ?? '', { statementTimeoutMs })

  test('one of them migrates an empty database, and all succeed', async () => {
    await dropAll()
    const instances = [openInstance(), openInstance(), openInstance()]
    // The connections exist before, so the migrations start together.
    await Promise.all(instances.map((database) => database.query(unprepared('select 1 as one'))))
    const applied = await Promise.all(instances.map((database) => migrate(database)))
    expect(applied.filter((list) => list.length > 0)).toHaveLength(1)
    expect(await db.database.query(versions)).toEqual(
      applied.flat().map((version) => ({ version: String(version) })),
    )
  })

  test('one waits for another longer than the statement timeout', async () => {
    await dropAll()
    const [first, second] = [openInstance(), openInstance(100)]
    let isDone = false
    let waiting: Promise<number[]> | undefined
    await first.transaction(async (tx) => {
      await tx.execute('select pg_advisory_xact_lock(7231905646)')
      waiting = migrate(second).finally(() => {
        isDone = true
      })
      await tx.query(unprepared('select pg_sleep(0.5)'))
      expect(isDone).toBe(false)
    })
    expect(await waiting).toContain(1)
  })

  test('one fails after 3 s of waiting for a locked table, instead of blocking requests behind it', async () => {
    await createMigrated()
    const migrating = openInstance()
    await db.database.transaction(async (tx) => {
      await tx.execute('lock table schema_versions in access exclusive mode')
      await expect(migrate(migrating)).rejects.toMatchObject({ sqlState: '55P03' })
    })
    expect(await migrate(migrating)).toEqual([])
  })
})
