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

/** What 0003 changes, as 0.2.0 left it; `folded` decides since. */
const BEFORE_NAMES = `
  delete from schema_versions where version = 3;
  drop index teams_event_id_name_key;
  drop index categories_name_key;
  create unique index categories_name_key on categories (lower(name));
  create unique index teams_event_id_name_key on teams (event_id, lower(name));
  insert into users (id, name, email) values ('00000000-0000-7000-8000-000000000000', 'A', 'a@example.org');
  insert into events (user_id, title, description, start_time, end_time, teams, languages)
  select users.id, 'Contest', '', now(), now() + interval '1 hour', true, '[]'
  from users, generate_series(1, 2)`
const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

test('of two names that are the same now, the older one stays and the newer one gets a number; the migration names each (D11, D36)', async () => {
  await createMigrated()
  await run(BEFORE_NAMES)
  // U+FDFA has 18 characters in NFKC: of long names, only the first 600 characters are compared.
  const long = '\uFDFA'.repeat(254)
  const names = ['Zoe\u0308', 'Red', 'ZO\u00CB', 'Zo\u00CB (2)', 'Zo\u200D\u00EB', `${long}\uFDFA`, long]
  const insert = 'insert into teams (id, event_id, name) values ($1, $2::integer, $3)'
  for (const [i, name] of names.entries()) await db.database.query(unprepared(insert), [idOf(i), 1, name])
  await db.database.query(unprepared(insert), [idOf(90), 2, 'Zo\u00EB'])
  const category = '\uFF27raphs'
  await db.database.query(unprepared('insert into categories values ($1, $2)'), [idOf(1), category])
  const warnings: string[] = []
  expect(await migrate(db.database, undefined, (text) => void warnings.push(text))).toEqual([3])
  const select = 'select name from teams where event_id = $1::integer order by id'
  const namesIn = async (event: number) =>
    (await db.database.query(unprepared<{ name: string }>(select), [event])).map(({ name }) => name)
  const renamed = [...names.slice(0, 2), 'ZO\u00CB (3)', names[3], 'Zo\u200D\u00EB (4)', names[5]]
  const teams = await namesIn(1)
  expect(teams).toEqual([...renamed, expect.stringMatching(/^\uFDFA{30,} \(2\)$/)])
  expect(await namesIn(2)).toEqual(['Zo\u00EB'])
  const found = await db.database.query(
    unprepared<{ name: string }>(
      `select name from categories where lower(name) like '%raphs%' order by name`,
    ),
  )
  expect(found.map(({ name }) => name)).toEqual(['Graphs', `${category} (2)`])
  const older = 'an older team has this name.'
  expect(warnings).toEqual([
    ...[2, 4, 6].map(
      (i) => `Team ${idOf(i)} of contest 1 is renamed from "${names[i]}" to "${teams[i]}": ${older}`,
    ),
    `Category ${idOf(1)} is renamed from "${category}" to "${category} (2)": an older category has this name.`,
  ])
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
