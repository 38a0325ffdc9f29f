import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeSchema } from '../../scripts/generated/schema.ts'
import { migrate, searchMigrations } from '../../src/db/migrate.ts'
import { unprepared } from '../../src/db/statement.ts'
import { listAttempts } from '../../src/features/standings/attempts-sql.ts'
import { openTestDatabase } from '../support/database.ts'
import { onPostgres } from '../support/needs.ts'
import { createOldSchema } from '../support/old-schema.ts'
import { lockRows } from '../support/row-lock.ts'

const ONE = '00000000-0000-4000-8000-000000000001'
const TWO = '00000000-0000-4000-8000-000000000002'
const OLD_ROWS = readFileSync(new URL('../support/old-rows.sql', import.meta.url), 'utf8')
const MIGRATIONS = new URL('../../migrations/', import.meta.url)
const APPLIED = readdirSync(MIGRATIONS)
  .flatMap((name) => (/^\d+\.do\./.test(name) ? [Number.parseInt(name, 10)] : []))
  .toSorted((one, other) => one - other)

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

const db = await openTestDatabase()
const run = (script: string) => db.database.transaction((tx) => tx.execute(script))

async function createOldDatabase(version: number): Promise<void> {
  await createOldSchema(db.database, version)
  await run(OLD_ROWS)
}

/** Reads the parts of the schema; the order of a table's columns does not matter. */
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

/** Reads the rows of every table, except what a migration changes. */
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
  const judge = { actor: null, actor_role: 2, actor_session: null }
  const [row] = await db.database.query(listAttempts.whole, { ...judge, event_id: 1 })
  return row?.body ?? ''
}

const selectProblems = unprepared<{ bytes: number; version: string; is_as_uploaded: boolean }>(
  `select problems.tests_bytes::integer as bytes, problems.tests_version::text as version,
          problems.updated_at = problems.upload_date as is_as_uploaded
   from problems order by problems.id`,
)

const newSchema = await readSchemaParts()

it.each([7, 8])('a database at version %i gets the new schema and keeps its rows', async (version) => {
  await createOldDatabase(version)
  const rows = await readRows()
  expect(Object.values(rows).filter((list) => list.length === 0)).toEqual([])
  expect(await migrate(db.database)).toEqual(APPLIED)
  expect(await readSchemaParts()).toEqual(newSchema)
  expect(await readRows()).toMatchObject(rows)
  expect(await migrate(db.database)).toEqual([])

  // Each problem gets the size of its tests, a version of its own and the time of its upload.
  const problems = await db.database.query(selectProblems)
  expect(problems.map(({ bytes }) => bytes)).toEqual([100_007, 0])
  expect(problems[0]?.version).not.toBe(problems[1]?.version)
  expect(problems.map(({ is_as_uploaded }) => is_as_uploaded)).toEqual([true, true])

  // Its cells of the standings are listed like cells written later.
  const items = await readItems()
  const accepted = { first_accepted_time: '1970-01-01T00:00:09Z', minutes_to_solve: 0 }
  expect(JSON.parse(items)).toEqual([
    { user_id: ONE, problem_id: 1, attempts: 1, total_attempts: 1, ...accepted },
    { user_id: TWO, problem_id: 1, attempts: 1, total_attempts: 1 },
  ])
  await run('update event_scores set outcomes = event_scores.outcomes')
  expect(await readItems()).toBe(items)
})

it('accounts whose names or e-mails only the new folding makes the same get a suffix; the plain one stays', async () => {
  await createOldDatabase(8)
  const long = '\uFDFA'.repeat(255)
  const sent: [string, string][] = [
    ['\uFB01ona', '\uFB01ona@example.org'],
    ['Fiona', 'FIONA@example.org'],
    ['\uFF26iona', '\uFF46iona@example.org'],
    ['Zoe\u0308', 'zoe\u0308@example.org'],
    ['Zo\u00EB', 'zo\u00EB@example.org'],
    ['Deleted user', 'deleted@example.org'],
    [`${long}1`, `${long}1@example.org`],
    [`${long}2`, `${long}2@example.org`],
  ]
  for (const [i, [name, email]] of sent.entries())
    await db.database.query(
      unprepared(`insert into users (id, name, email, join_date)
                  values (gen_random_uuid(), $1, $2, now() + $3::integer * interval '1 second')`),
      [name, email, i],
    )
  await run(`insert into users (id, name, email, deleted_at) select gen_random_uuid(), 'Deleted user', '', now()
             from generate_series(1, 2)`)
  await migrate(db.database)
  const stored = await db.database.query(
    unprepared<{ name: string; email: string }>(
      `select users.name, users.email from users
       where users.deleted_at is null order by users.join_date`,
    ),
  )
  const suffixed = (name: string) => expect.stringMatching(new RegExp(`^${name}-[0-9a-f]{8}$`))
  const moved = (email: string) =>
    expect.stringMatching(new RegExp(`^${email}\\.duplicate-[0-9a-f]{8}\\.invalid$`))
  expect(stored.slice(-sent.length)).toEqual([
    { name: suffixed('\uFB01ona'), email: moved('\uFB01ona@example.org') },
    { name: 'Fiona', email: 'FIONA@example.org' },
    { name: suffixed('\uFF26iona'), email: moved('\uFF46iona@example.org') },
    { name: suffixed('Zoe\u0308'), email: moved('zoe\u0308@example.org') },
    { name: 'Zo\u00EB', email: 'zo\u00EB@example.org' },
    { name: expect.stringMatching(/^User [0-9a-f]{8}$/), email: 'deleted@example.org' },
    { name: `${long}1`, email: `${long}1@example.org` },
    { name: suffixed('\uFDFA{30}'), email: moved('\uFDFA{30}') },
  ])
})

it('databases at versions 1 to 6 are refused and stay as they are', async () => {
  await createOldSchema(db.database, 6)
  const schema = await readSchemaParts()
  for (const version of [6, 5, 4, 3, 2, 1]) {
    await run(`delete from schema_versions where version > ${version}`)
    await expect(migrate(db.database)).rejects.toThrow(
      `The database is at version ${version}, which is too old for this release. Start the previous release once, then this one.`,
    )
  }
  expect(await readSchemaParts()).toEqual(schema)
})

it('a search schema at version 1 is recorded as the baseline', async () => {
  await createOldSchema(db.database, 8)
  await migrate(db.database)
  expect(await migrate(db.database, searchMigrations)).toEqual([2, 3])
  await run('drop function matching_problems')
  await run('delete from search_versions where version > 2')
  await run('update search_versions set version = 1 where version = 2')
  expect(await migrate(db.database, searchMigrations)).toEqual([2, 3])
  expect(await migrate(db.database, searchMigrations)).toEqual([])
})

it('the cells of an upgraded database follow only their outcomes and the start of the event', async () => {
  await createOldDatabase(8)
  await migrate(db.database)
  const items = await readItems()
  await run(
    'update event_scores set attempts = 7, total_attempts = 7, first_accepted_time = now(), item = null',
  )
  expect(await readItems()).toBe(items)
  await run(`set local session_replication_role = replica; update event_scores set attempts = 7, item = '7'`)
  expect(await readItems()).toBe(items)
  await run(`update events set start_time = '1969-12-31T23:50:00Z'`)
  expect(JSON.parse(await readItems())[0]).toMatchObject({ minutes_to_solve: 10 })
})

// PGlite has one session, so no second instance can use it.
describe('a database at version 8, with other sessions open,', onPostgres, () => {
  let old: pg.Client

  beforeEach(async () => {
    await createOldDatabase(8)
    old = new pg.Client(db.url)
    await old.connect()
    for (const [name, text] of Object.entries(OLD_STATEMENTS)) await old.query(`prepare ${name} ${text}`)
  })
  afterEach(() => old.end())

  const merge = (outcomes: object) =>
    old.query(`execute merge (1, '${TWO}', 1, '${JSON.stringify(outcomes)}')`)
  const readOldItems = async () => (await old.query('execute items (1)')).rows.map(({ item }) => item)
  const readCounts = async () => (await old.query('execute counts (1, 1)')).rows

  it('lets the prepared statements of the previous release read and store correct values', async () => {
    // PostgreSQL keeps the plan of a statement that ran several times.
    for (let n = 0; n < 8; n += 1) {
      await merge({ [`before-${n}`]: [n * 1_000_000, 'WRONG_ANSWER'] })
      await readOldItems()
      await readCounts()
    }
    const items = await readOldItems()
    expect(await migrate(db.database)).toEqual(APPLIED)
    expect(await readOldItems()).toEqual(items)
    await merge({ compiled: [8_000_000, 'COMPILE_TIME_ERROR'], right: [9_000_000, 'ACCEPTED'] })
    await merge({ late: [10_000_000, 'WRONG_ANSWER'] })
    expect(await readOldItems()).toEqual([
      items[0],
      { ...items[1], attempts: 10, total_attempts: 12, first_accepted_time: '1970-01-01T00:00:09Z' },
    ])
    expect(await readCounts()).toEqual([{ accepted: 2, attempted: 2 }])
    expect(JSON.parse(await readItems())).toMatchObject(await readOldItems())
  })

  it('clears the details of verdicts when the previous release queues submissions again', async () => {
    await migrate(db.database)
    await old.query(`update submissions set status = 'ACCEPTED', judged_at = now(), memory_used = 5, score = 7,
      worker = 'w', judge_message = 'm', case_details = '[]', renewed_at = now()`)
    const { rows } = await old.query(`update submissions set status = 'PENDING', judged_at = null
      returning memory_used, score, worker, judge_message, case_details, renewed_at`)
    expect(rows.length).toBeGreaterThan(0)
    expect(new Set(rows.flatMap((cleared) => Object.values(cleared)))).toEqual(new Set([null]))
  })

  it('blocks only requests for participants and cells while its migration waits for a long reader', async () => {
    const reader = await lockRows(db.url ?? '', 'select count(*) from event_scores', [])
    const migrating = migrate(db.database)
    await reader.untilWaiting(1)
    await old.query(
      `set lock_timeout = 100; update problems set title = 'Another'; update events set title = 'Another'`,
    )
    await reader.release()
    expect(await migrating).toEqual(APPLIED)
  })
})
