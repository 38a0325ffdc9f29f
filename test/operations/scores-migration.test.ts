import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { listAttempts } from '../../src/features/standings/sql.ts'
import { databaseKind, openTestDatabase, type TestDatabase } from '../support/database.ts'
import { MIGRATIONS, migrateAsBefore } from '../support/old-schema.ts'
import { lockRows } from '../support/row-lock.ts'

/** The releases before: one knew neither versions of lists nor counts by a trigger, one no texts of cells. */
const LAST_OF_OLD_RELEASES = [3, 5]

/** How the old release merged outcomes into a cell, and how it read cells and problems. */
const OLD_STATEMENTS = {
  merge: `(integer, uuid, integer, jsonb) as
    insert into event_scores (event_id, user_id, problem_id, outcomes)
    select $1, $2, $3, $4
    on conflict (event_id, user_id, problem_id)
    do update set outcomes = event_scores.outcomes || excluded.outcomes`,
  cells: `(integer) as
    select event_scores.attempts, event_scores.total_attempts, utc(event_scores.first_accepted_time) as first_accepted_time
    from event_scores
    where event_scores.event_id = $1
    order by event_scores.user_id, event_scores.problem_id`,
  counts: `(integer, integer) as
    select count(event_scores.first_accepted_time)::integer as accepted, count(*)::integer as attempted
    from event_scores
    where event_scores.event_id = $1 and event_scores.problem_id = $2`,
}

const PERSON = '00000000-0000-4000-8000-000000000001'
const OTHER = '00000000-0000-4000-8000-000000000002'
const WORLD = `
  insert into users (id, name, email) values ('${PERSON}', 'one', 'one@example.org'), ('${OTHER}', 'two', 'two@example.org');
  insert into problems (user_id, title, identifier, prompt, source, difficulty, public, accept_timeout, execution_timeout, memory_limit)
  values ('${PERSON}', 'Sum', 'sum', 'Add.', '', 'EASY', true, 1, 1, 256);
  insert into events (user_id, title, description, start_time, end_time, teams, languages)
  values ('${PERSON}', 'Contest', '', now(), now() + interval '1 hour', false, '[]');`

// PGlite has one session, which nobody else migrates.
describe.runIf(databaseKind === 'postgres').each(LAST_OF_OLD_RELEASES)(
  'the migrations of the cells, beside an instance that knows the first %s,',
  (last) => {
    const due = MIGRATIONS.filter((number) => number > last)

    let db: TestDatabase
    let old: pg.Client

    beforeEach(async () => {
      db = await openTestDatabase()
      await migrateAsBefore(db.database, last)
      await db.database.transaction((tx) => tx.execute(WORLD))
      old = new pg.Client(db.url)
      await old.connect()
      for (const [name, text] of Object.entries(OLD_STATEMENTS)) await old.query(`prepare ${name} ${text}`)
    })
    afterEach(async () => {
      await old?.end()
      await db?.close()
    })

    const merge = (user: string, outcomes: object) =>
      old.query(`execute merge (1, '${user}', 1, '${JSON.stringify(outcomes)}')`)
    const readCells = async () => (await old.query('execute cells (1)')).rows
    const readCounts = async () => (await old.query('execute counts (1, 1)')).rows

    it('leaves its prepared statements to store and to read what is right', async () => {
      // Often enough for plans that PostgreSQL keeps.
      for (let n = 0; n < 8; n += 1) {
        await merge(PERSON, { [`before-${n}`]: [n * 1_000_000, 'WRONG_ANSWER'] })
        await readCells()
        await readCounts()
      }
      expect(await migrate(db.database)).toEqual(due)
      const before = { attempts: 8, total_attempts: 8, first_accepted_time: null }
      expect(await readCells()).toEqual([before])
      await merge(PERSON, { compiled: [8_000_000, 'COMPILE_TIME_ERROR'], right: [9_000_000, 'ACCEPTED'] })
      await merge(PERSON, { late: [10_000_000, 'WRONG_ANSWER'] })
      await merge(OTHER, { first: [1_000_000, 'PENDING'] })
      expect(await readCells()).toEqual([
        { attempts: 9, total_attempts: 11, first_accepted_time: '1970-01-01T00:00:09Z' },
        { attempts: 0, total_attempts: 1, first_accepted_time: null },
      ])
      expect(await readCounts()).toEqual([{ accepted: 1, attempted: 2 }])
    })

    it('shows the cells of before as those that are written since', async () => {
      await merge(PERSON, { right: [9_000_000, 'ACCEPTED'] })
      await merge(OTHER, { wrong: [1_000_000, 'WRONG_ANSWER'] })
      await migrate(db.database)
      const withText = async () => {
        const { rows } = await old.query('select count(cell)::integer as count from event_scores')
        return rows[0].count
      }
      const readAttempts = async () =>
        (await db.database.query(listAttempts.whole, [null, 2, null, 1]))[0]?.body ?? ''
      expect(await withText()).toBe(0)
      const ofBefore = await readAttempts()
      expect(JSON.parse(ofBefore)).toEqual([
        {
          user_id: PERSON,
          problem_id: 1,
          attempts: 1,
          total_attempts: 1,
          first_accepted_time: '1970-01-01T00:00:09Z',
          minutes_to_solve: 0,
        },
        { user_id: OTHER, problem_id: 1, attempts: 1, total_attempts: 1 },
      ])
      await old.query('update event_scores set outcomes = event_scores.outcomes')
      expect(await withText()).toBe(2)
      expect(await readAttempts()).toBe(ofBefore)
    })

    it('leaves nobody a way to write counts that are not those of the outcomes', async () => {
      await migrate(db.database)
      await merge(PERSON, { right: [9_000_000, 'ACCEPTED'] })
      const right = [{ attempts: 1, total_attempts: 1, first_accepted_time: '1970-01-01T00:00:09Z' }]
      await old.query('update event_scores set attempts = 7, total_attempts = 7, first_accepted_time = null')
      expect(await readCells()).toEqual(right)
      await old.query(`
      begin;
      set local session_replication_role = replica;
      update event_scores set attempts = 7;
      commit`)
      expect(await readCells()).toEqual(right)
    })

    it('holds up nobody but who needs the cells, while it waits for a long reader of them', async () => {
      const reader = await lockRows(db.url ?? '', 'select count(*) from event_scores', [])
      const migrating = migrate(db.database)
      await reader.untilWaiting(1)
      await old.query(
        `set lock_timeout = 100; update problems set title = 'Another'; update events set title = 'Another'`,
      )
      await reader.release()
      expect(await migrating).toEqual(due)
    })
  },
)
