import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeSchema } from '../../scripts/generated/schema.ts'
import type { Database } from '../../src/db/database.ts'
import { migrate, searchMigrations } from '../../src/db/migrate.ts'
import { unprepared } from '../../src/db/statement.ts'
import { openTestApp, signToken, type TestApp } from '../support/app.ts'
import { messagesFor } from '../support/judging.ts'
import { expectRecounted } from '../support/recount.ts'
import { refusal, unauthorized } from '../support/refusals.ts'
import { findWrongCells } from '../support/verification/recount.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const versionTable = (name: string) =>
  `create table ${name} (version bigint primary key, name text, md5 text, run_at timestamptz);`

/** A database that 0.2.0 left: its migrations, and rows in every table. */
const RELEASED = [
  'drop schema public cascade; create schema public;',
  ...['public.schema_versions', 'public.search_versions'].map(versionTable),
  read('../../migrations/0001.do.baseline.sql'),
  read('../../migrations/search/0001.do.baseline.sql'),
  read('database-0.2.0.sql'),
].join('\n')

const [FROZEN, EVENT] = [1, 2]
const idOf = (kind: string, n: number) => `00000000-0000-4000-${kind}000-${String(n).padStart(12, '0')}`
const [ONE, TWO, ROOT] = [idOf('8', 1), idOf('8', 2), idOf('8', 3)]
const [REJUDGED, WRONG, RIGHT, PENDING] = [idOf('b', 1), idOf('b', 2), idOf('b', 3), idOf('b', 5)]

let service: TestApp
type Rows = Record<string, { row: Record<string, unknown> }[]>
let rows: Rows

/** A user whose token was issued before the upgrade. */
const as = async (id: string, claims?: { ver?: number }) => service.as(await signToken(id, claims))

/** The rows of every table, but the versions that a migration changes. */
async function readRows(database: Database): Promise<Rows> {
  const tables = await database.query(
    unprepared<{ name: string }>(`select pg_tables.tablename as name
       from pg_tables
       where pg_tables.schemaname = 'public'
         and pg_tables.tablename not in ('schema_versions', 'search_versions', 'list_versions')`),
  )
  const found: Rows = {}
  for (const { name } of tables)
    found[name] = await database.query(
      unprepared<Rows[string][number]>(`select to_jsonb(t) as row from ${name} as t order by t::text`),
    )
  return found
}

describe('a database of 0.2.0 after its upgrade', () => {
  beforeAll(async () => {
    service = await openTestApp()
    const { database } = service
    await database.transaction((tx) => tx.execute(RELEASED))
    rows = await readRows(database)
    await migrate(database)
    await migrate(database, searchMigrations)
  })
  afterAll(() => service?.close())

  it('has the schema of a new one and its rows, and stays so', async () => {
    const { database } = service
    expect(await describeSchema(database)).toBe(read('../../docs/schema.sql'))
    expect(Object.values(rows).filter((list) => list.length === 0)).toEqual([])
    const upgraded = await readRows(database)
    // A migration may drop columns, but no rows.
    for (const [table, list] of Object.entries(rows))
      for (const [nth, { row }] of list.entries()) {
        const now = upgraded[table]?.[nth]?.row ?? {}
        expect({ ...row, ...now }, table).toEqual({ ...now, ...row })
        expect(Object.keys(now).length, table).toBeGreaterThan(1)
      }
    expect(await migrate(database)).toEqual([])
    expect(await migrate(database, searchMigrations)).toEqual([])
  })

  it('accepts its passwords and tokens (D9)', async () => {
    const credentials = { email: 'one@example.org', password: 'an old password' }
    const { id, token } = await service.anonymous.post('/v1/basic_login', credentials)
    expect(id).toBe(ONE)
    await service.as(token).get(`/v1/submissions/${RIGHT}`, 200)
    await service.anonymous.post('/v1/basic_login', { ...credentials, password: 'another password' }, 401)
    const count = '/v1/user/notifications/count'
    for (const claims of [{}, { ver: 1 }])
      expect(await (await as(ONE, claims)).get(count)).toEqual({ count: 1 })
    // The password was reset after this token.
    await (await as(TWO, { ver: 1 })).get(count, refusal(401, 'TOKEN_EXPIRED'))
    await (await as(TWO, { ver: 2 })).get(count, 200)
  })

  it('shows its problem with the tests', async () => {
    const fields = { id: 1, user_id: ONE, title: 'Sum', prompt: 'Add.', accept_timeout: 1, memory_limit: 256 }
    expect(await (await as(ONE)).get('/v1/problems/1')).toMatchObject(fields)
    const { test_cases } = await service.judge.get('/v1/problem_description/1/tests')
    expect(test_cases).toMatchObject([
      { input: 'ä', expected_output: '12', hidden: false },
      { input: '345', expected_output: 'x'.repeat(200), hidden: true },
    ])
  })

  it('shows its submissions with their verdicts to their owner only', async () => {
    const one = await as(ONE)
    const wrong = await one.get(`/v1/submissions/${WRONG}`)
    expect(wrong).toMatchObject({
      ...{ status: 'WRONG_ANSWER', source_code: 'int main() {}', stdout: 'out', time_elapsed: 0.25 },
      ...{ user: { id: ONE }, language: { name: 'C' } },
      test_case_results: [{ passed: true, stdout: 'out' }, { passed: false }],
    })
    expect(wrong.failed_test_case_id).toBe(wrong.test_case_results[1].test_case_id)
    expect(await one.get(`/v1/submissions/${REJUDGED}/verdicts`)).toMatchObject([
      { status: 'ACCEPTED' },
      { status: 'WRONG_ANSWER', time_elapsed: 0.5, stdout: 'out', stderr: 'err' },
    ])
    await (await as(TWO, { ver: 2 })).get(`/v1/submissions/${RIGHT}`, unauthorized)
  })

  it('shows its teams, questions, notifications and runs', async () => {
    const [one, two] = [await as(ONE), await as(TWO, { ver: 2 })]
    expect(await one.get(`/v1/events/${EVENT}/teams/me`)).toMatchObject({ id: idOf('a', 1), name: 'Team' })
    await two.get(`/v1/events/${EVENT}/teams/me`, 404)
    const texts = { question: 'How large?', answer: 'Small.' }
    const question = { id: idOf('d', 1), user_id: ONE, problem_id: 1, answered_by: ROOT, ...texts }
    expect(await one.get(`/v1/events/${EVENT}/questions`)).toMatchObject([question])
    // Staff had answered.
    await one.put(`/v1/events/${EVENT}/questions/${idOf('d', 1)}/answer`, { answer: 'Large.' }, 409)
    expect(await one.get('/v1/user/notifications')).toMatchObject([
      { notification_type: 'answer', is_read: false, question: { id: idOf('d', 1) } },
    ])
    // Read long ago.
    expect(await two.get('/v1/user/notifications')).toEqual([])
    const run = await service.anonymous.get(`/v1/public/input_submissions/${idOf('c', 1)}`)
    expect(run).toMatchObject({ status: 'PENDING' })
  })

  it('has standings that equal a recount, with its freeze and the revealed cell', async () => {
    expect(await findWrongCells(service.database, EVENT)).toEqual([])
    expect(await expectRecounted(service, EVENT)).toMatchObject([
      { user_id: ONE, problem_id: 1, attempts: 2, total_attempts: 2, minutes_to_solve: 20 },
      { user_id: TWO, problem_id: 1, attempts: 0, total_attempts: 1 },
      { user_id: TWO, problem_id: 2, attempts: 0, total_attempts: 1 },
    ])
    const one = await as(ONE)
    expect((await one.get(`/v1/events/${EVENT}/standings?by=user`)).rows).toMatchObject([
      { rank: 1, user: { id: ONE }, solved: 1, penalty: 40 },
      { user: { id: TWO }, solved: 0, penalty: 0 },
    ])
    expect((await one.get(`/v1/events/${FROZEN}/standings`)).rows).toMatchObject([
      { rank: 1, user: { id: TWO }, cells: [{ tries: 1, pending: 0, minutes: 50 }] },
      { rank: 2, user: { id: ONE }, cells: [{ tries: 0, pending: 1 }] },
    ])
  })

  it('has its pending submission in the queue, and counts the verdict', async () => {
    const { judge } = service
    expect(await messagesFor(service, PENDING)).toEqual([{ kind: 'submission', judging: 1 }])
    expect(await judge.get(`/v1/submissions/${PENDING}`)).toMatchObject({ status: 'PENDING', judging: 1 })
    await judge.post(`/v1/submissions/${PENDING}/heartbeat`, { judging: 1 }, 204)
    const { test_cases } = await judge.get('/v1/problem_description/1/tests')
    const test_case_results = test_cases.map(({ id }: { id: string }) => ({ test_case_id: id, passed: true }))
    const verdict = { status: 'ACCEPTED', judging: 1, time_elapsed: 0.1, test_case_results }
    await judge.patch(`/v1/submissions/${PENDING}`, verdict, 204)
    const seen = await (await as(TWO, { ver: 2 })).get(`/v1/submissions/${PENDING}`)
    expect(seen).toMatchObject({ status: 'ACCEPTED', time_elapsed: 0.1 })
    expect(await findWrongCells(service.database, EVENT)).toEqual([])
    const cells = await expectRecounted(service, EVENT)
    expect(cells[1]).toMatchObject({ user_id: TWO, problem_id: 1, attempts: 1, minutes_to_solve: 30 })
  })
})
