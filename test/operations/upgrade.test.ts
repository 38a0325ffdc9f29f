import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeSchema } from '../../scripts/generated/schema.ts'
import type { Database } from '../../src/db/database.ts'
import { migrate, searchMigrations } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { unprepared } from '../../src/db/statement.ts'
import { listAttempts } from '../../src/features/standings/sql.ts'
import { databaseKind, openTestDatabase, type TestDatabase } from '../support/database.ts'
import { createOldSchema } from '../support/old-schema.ts'
import { lockRows } from '../support/row-lock.ts'

const ONE = '00000000-0000-4000-8000-000000000001'
const TWO = '00000000-0000-4000-8000-000000000002'
const OLD_ROWS = readFileSync(new URL('../support/old-rows.sql', import.meta.url), 'utf8')
const APPLIED = [9, 10]

/** Statements of the previous release that use the changed tables. */
const OLD_STATEMENTS = {
  merge: `(integer, uuid, integer, jsonb) as
    insert into event_scores (event_id, user_id, problem_id, outcomes)
    select $1, $2, $3, $4
    on conflict (event_id, user_id, problem_id)
    do update set outcomes = event_scores.outcomes || excluded.outcomes`,
  items: `(integer) as
    select (coalesce(event_scores.cell, cell_text(event_scores.user_id, event_scores.problem_id, event_scores.attempts,
              event_scores.total_attempts, event_scores.first_accepted_time)) || '}')::json as item
    from event_scores
    where event_scores.event_id = $1
    order by event_scores.user_id, event_scores.problem_id`,
  counts: `(integer, integer) as
    select count(event_scores.first_accepted_time)::integer as accepted, count(*)::integer as attempted
    from event_scores
    where event_scores.event_id = $1 and event_scores.problem_id = $2`,
}

let db: TestDatabase
let newSchema: string[][]
beforeAll(async () => {
  db = await openTestDatabase()
  newSchema = await readSchemaParts()
})
afterAll(() => db.close())

const run = (script: string) => db.database.transaction((tx) => tx.execute(script))

async function createOldDatabase(version: number): Promise<void> {
  await createOldSchema(db.database, version)
  await run(OLD_ROWS)
}

/** The parts of the schema: the order of the columns in a table does not matter. */
async function readSchemaParts(): Promise<string[][]> {
  const parts = (await describeSchema(db.database)).split('\n\n')
  return parts.map((part) =>
    part
      .split('\n')
      .map((line) => line.replace(/,$/, '').replace(/ +/g, ' '))
      .sort(),
  )
}

type Rows = Record<string, object[]>

/** The rows of every table, without the columns and tables that a migration changes. */
async function readRows(): Promise<Rows> {
  const tables = await db.database.query(
    unprepared<{ name: string }>(`select pg_tables.tablename as name
       from pg_tables
       where pg_tables.schemaname = 'public' and pg_tables.tablename not in ('schema_versions', 'list_versions')`),
  )
  const rows: Rows = {}
  for (const { name } of tables) {
    const found = await db.database.query(
      unprepared<{ row: object }>(`select to_jsonb(t) - 'cell' as row from ${name} as t order by t::text`),
    )
    rows[name] = found.map(({ row }) => row)
  }
  return rows
}

async function readItems(): Promise<string> {
  const [row] = await db.database.query(listAttempts.whole, {
    actor: null,
    actor_role: 2,
    actor_session: null,
    event_id: 1,
  })
  return row?.body ?? ''
}

describe.each([7, 8])('a database at version %i', (version) => {
  it('gets the schema of a new database and keeps its rows', async () => {
    await createOldDatabase(version)
    const rows = await readRows()
    expect(Object.values(rows).filter((list) => list.length === 0)).toEqual([])
    expect(await migrate(db.database)).toEqual(APPLIED)
    expect(await readSchemaParts()).toEqual(newSchema)
    expect(await readRows()).toMatchObject(rows)
    expect(await migrate(db.database)).toEqual([])
  })

  it('gets a version of the tests for each problem, and their size', async () => {
    await createOldDatabase(version)
    await migrate(db.database)
    const problems = await db.database.query(
      unprepared<{
        bytes: number
        version: string
      }>(`select problems.tests_bytes::integer as bytes, problems.tests_version::text as version
         from problems order by problems.id`),
    )
    expect(problems.map(({ bytes }) => bytes)).toEqual([100_007, 0])
    expect(problems[0]?.version).not.toBe(problems[1]?.version)
  })

  it('shows its cells of the standings like cells written later', async () => {
    await createOldDatabase(version)
    await migrate(db.database)
    const items = await readItems()
    expect(JSON.parse(items)).toEqual([
      {
        user_id: ONE,
        problem_id: 1,
        attempts: 1,
        total_attempts: 1,
        first_accepted_time: '1970-01-01T00:00:09Z',
        minutes_to_solve: 0,
      },
      { user_id: TWO, problem_id: 1, attempts: 1, total_attempts: 1 },
    ])
    await run('update event_scores set outcomes = event_scores.outcomes')
    expect(await readItems()).toBe(items)
  })
})

it('databases at versions 1 to 6 are refused and stay as they are', async () => {
  for (const version of [1, 2, 3, 4, 5, 6]) {
    await createOldSchema(db.database, version)
    const schema = await readSchemaParts()
    await expect(migrate(db.database)).rejects.toThrow(
      `The database is at version ${version}, which is too old for this release. Start the previous release once, then this one.`,
    )
    expect(await readSchemaParts()).toEqual(schema)
  }
})

it('a search schema at version 1 is recorded as the baseline', async () => {
  await createOldSchema(db.database, 8)
  await migrate(db.database)
  expect(await migrate(db.database, searchMigrations)).toEqual([2])
  await run('update search_versions set version = 1 where version = 2')
  expect(await migrate(db.database, searchMigrations)).toEqual([2])
  expect(await migrate(db.database, searchMigrations)).toEqual([])
})

it('nobody can write counts of a cell that differ from its outcomes', async () => {
  await createOldDatabase(8)
  await migrate(db.database)
  const items = await readItems()
  await run(
    'update event_scores set attempts = 7, total_attempts = 7, first_accepted_time = now(), item = null',
  )
  expect(await readItems()).toBe(items)
  await run(`set local session_replication_role = replica; update event_scores set attempts = 7, item = '7'`)
  expect(await readItems()).toBe(items)
})

it('the minutes of a cell follow a changed start of its event', async () => {
  await createOldDatabase(8)
  await migrate(db.database)
  await run(`
    update event_scores set outcomes = event_scores.outcomes;
    update events set start_time = '1969-12-31T23:50:00Z'`)
  expect(JSON.parse(await readItems())[0]).toMatchObject({ minutes_to_solve: 10 })
})

// PGlite has one session, so no second instance can use it.
describe.runIf(databaseKind === 'postgres')('a database at version 8, with other sessions open,', () => {
  let old: pg.Client
  const instances: Database[] = []

  beforeEach(async () => {
    await createOldDatabase(8)
    old = new pg.Client(db.url)
    await old.connect()
    for (const [name, text] of Object.entries(OLD_STATEMENTS)) await old.query(`prepare ${name} ${text}`)
  })
  afterEach(async () => {
    await old.end()
    await Promise.all(instances.splice(0).map((instance) => instance.close()))
  })

  const merge = (user: string, outcomes: object) =>
    old.query(`execute merge (1, '${user}', 1, '${JSON.stringify(outcomes)}')`)
  const readOldItems = async () => (await old.query('execute items (1)')).rows.map(({ item }) => item)
  const readCounts = async () => (await old.query('execute counts (1, 1)')).rows

  it('lets the prepared statements of the previous release read and store correct values', async () => {
    // PostgreSQL keeps the plan of a statement that ran several times.
    for (let n = 0; n < 8; n += 1) {
      await merge(TWO, { [`before-${n}`]: [n * 1_000_000, 'WRONG_ANSWER'] })
      await readOldItems()
      await readCounts()
    }
    const items = await readOldItems()
    expect(await migrate(db.database)).toEqual(APPLIED)
    expect(await readOldItems()).toEqual(items)
    await merge(TWO, { compiled: [8_000_000, 'COMPILE_TIME_ERROR'], right: [9_000_000, 'ACCEPTED'] })
    await merge(TWO, { late: [10_000_000, 'WRONG_ANSWER'] })
    expect(await readOldItems()).toEqual([
      items[0],
      {
        user_id: TWO,
        problem_id: 1,
        attempts: 10,
        total_attempts: 12,
        first_accepted_time: '1970-01-01T00:00:09Z',
      },
    ])
    expect(await readCounts()).toEqual([{ accepted: 2, attempted: 2 }])
    expect(JSON.parse(await readItems())).toMatchObject(await readOldItems())
  })

  it('blocks no requests except those for participants and cells while it waits for a long reader', async () => {
    const reader = await lockRows(db.url ?? '', 'select count(*) from event_scores', [])
    const migrating = migrate(db.database)
    await reader.untilWaiting(1)
    await old.query(
      `set lock_timeout = 100; update problems set title = 'Another'; update events set title = 'Another'`,
    )
    await reader.release()
    expect(await migrating).toEqual(APPLIED)
  })

  it('is upgraded once by instances that start together', async () => {
    for (let n = 0; n < 3; n += 1)
      instances.push(
        openPostgres({ url: db.url ?? '', poolSize: 1, statementTimeoutMs: 10_000, connectTimeoutMs: 5_000 }),
      )
    await Promise.all(instances.map((instance) => instance.query(unprepared('select 1'))))
    const applied = await Promise.all(instances.map((instance) => migrate(instance)))
    expect(applied.toSorted((one, other) => other.length - one.length)).toEqual([APPLIED, [], []])
  })
})
