import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bindBatch } from '../../../src/db/batch-form.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { bind, unprepared } from '../../../src/db/statement.ts'
import { findWrongCells, recountCells } from '../../../verification/recount.ts'
import { ask } from '../../local-servers/database.ts'
import { makeSecrets } from '../../local-servers/service.ts'
import { openEmptyDatabase } from '../../local-servers/test/test-database.ts'
import { writeLeanBody } from '../ceilings/lean.ts'
import { fill } from '../fill.ts'
import { hotRoutes } from '../routes.ts'
import { firstSubmissionOf, type Size, sizeL, sizeS, submissionsOutside } from '../sizes.ts'
import { createWorld } from '../stage.ts'
import { caseId, caseIdSql, submissionId, submissionIdSql, userId, userIdSql } from '../values.ts'

/** The smallest database with two contests; the second one is frozen. */
const tiny: Size = {
  ...{ name: 'tiny', users: 40, problems: 30, submissions: 600 },
  events: [
    { id: 1, people: 10, firstUser: 1, problems: 5, firstProblem: 1, submissions: 150 },
    { id: 2, people: 20, firstUser: 11, problems: 6, firstProblem: 6, submissions: 300, isFrozen: true },
  ],
  regulars: 10,
  submissionsOfRegular: 8,
}

let opened: Awaited<ReturnType<typeof openEmptyDatabase>>
let schemaBefore: unknown

const read = (sql: string) => ask(opened.database, sql)

const SCHEMA = `
  select pg_get_constraintdef(constraints.oid) as definition from pg_constraint as constraints
  where constraints.connamespace = 'public'::regnamespace
  union all
  select indexes.indexdef from pg_indexes as indexes where indexes.schemaname = 'public'
  order by definition`

beforeAll(async () => {
  opened = await openEmptyDatabase()
  await migrate(opened.database)
  schemaBefore = await read(SCHEMA)
  await fill(opened.database, tiny)
})

afterAll(() => opened.close())

describe('the database of the benchmark', () => {
  it('has the numbers of records of its size', async () => {
    const [counts] = await read(`
      select (select count(*)::integer from users) as users,
             (select count(*)::integer from problems) as problems,
             (select count(*)::integer from submissions) as submissions,
             (select count(*)::integer from submissions where event_id = 1) as in_first,
             (select count(*)::integer from submissions where event_id = 2) as in_second,
             (select count(*)::integer from event_participants where event_id = 2) as people,
             (select count(*)::integer from event_problems where event_id = 2) as event_problems,
             (select count(*)::integer from submissions where status = 'PENDING') as pending`)
    expect(counts).toEqual({
      ...{ users: 40, problems: 30, submissions: 600, in_first: 150, in_second: 300 },
      ...{ people: 20, event_problems: 6, pending: 0 },
    })
  })

  it.each([
    [1, 50],
    [2, 120],
  ])('has the right standings of contest %i', async (event, cells) => {
    expect(await recountCells(opened.database, event)).toHaveLength(cells)
    expect(await findWrongCells(opened.database, event)).toEqual([])
  })

  it('shows no result of a frozen contest since an hour after its start', async () => {
    const frozen = "submissions.submit_time >= events.start_time + interval '1 hour'"
    const [counts] = await read(`
      select count(*)::integer as cells,
             count(*) filter (where event_scores.frozen_from is not null)::integer as frozen,
             count(*) filter (where counted.is_shown)::integer as shown,
             count(*) filter (where counted.is_accepted and not counted.is_shown)::integer as unknown,
             count(*) filter (
               where coalesce(event_scores.shown_pending, 0) <> counted.frozen
                  or event_scores.pending <> 0
                  or (event_scores.first_accepted_time is not null) <> counted.is_accepted
                  or (case when event_scores.frozen_from is null then event_scores.first_accepted_time
                           else event_scores.shown_accepted_time end is not null) <> counted.is_shown)::integer as wrong
      from event_scores
      cross join lateral (
        select count(*) filter (where ${frozen}) as frozen,
               bool_or(submissions.status = 'ACCEPTED') as is_accepted,
               bool_or(submissions.status = 'ACCEPTED' and not ${frozen}) as is_shown
        from submissions
        join events on events.id = submissions.event_id
        where submissions.event_id = event_scores.event_id and submissions.user_id = event_scores.user_id
          and submissions.problem_id = event_scores.problem_id) as counted
      where event_scores.event_id = 2`)
    expect(counts).toMatchObject({ cells: 120, wrong: 0 })
    for (const kind of ['frozen', 'shown', 'unknown']) expect(counts?.[kind], kind).toBeGreaterThan(5)
    expect(await read('select from event_scores where event_id = 1 and frozen_from is not null')).toEqual([])
  })

  it('would show wrong standings', async () => {
    const id = submissionId(firstSubmissionOf(tiny, tiny.events[0]))
    await read(`update submissions set status = 'ACCEPTED' where id = '${id}'`)
    expect(await findWrongCells(opened.database, 1)).toHaveLength(1)
  })

  it('has every key and index of the migrations', async () => {
    expect(await read(SCHEMA)).toEqual(schemaBefore)
  })

  it('has the same ids in SQL and TypeScript', async () => {
    const id = caseId(10_030, 20)
    const [ids] = await read(
      `select ${userIdSql('7')}::text as user_id, ${submissionIdSql('600')}::text as submission_id, ${caseIdSql('30', '20')}::text as case_id`,
    )
    expect(ids).toEqual({ user_id: userId(7), submission_id: submissionId(600), case_id: id })
    const known = `select from test_cases where id = '${id}' and problem_id = 30 and position = 20`
    expect(await read(known)).toHaveLength(1)
  })

  it('gives each regular user the same number of submissions, and results the right ids', async () => {
    const counts = await read(
      `select distinct count(*)::integer as count from submissions where event_id is null
       and user_id in (select ${userIdSql('n')} from generate_series(1, 10) as made (n)) group by user_id`,
    )
    expect(counts).toEqual([{ count: 8 }])
    const [wrong] = await read(`
      select count(*)::integer as results,
             count(*) filter (where result ->> 'submission_id' <> submissions.id::text or test_cases.id is null)::integer as wrong
      from submissions
      cross join json_array_elements(submissions.test_case_results) as result
      left join test_cases on test_cases.id = (result ->> 'test_case_id')::uuid and test_cases.problem_id = submissions.problem_id
      where submissions.event_id = 1`)
    expect(wrong).toEqual({ results: 150 * 20, wrong: 0 })
  })

  it('has the records that the routes read', async () => {
    const world = await createWorld(opened.database, tiny, makeSecrets())
    for (const route of hotRoutes) {
      const [exchange] = await route.exchanges(world)
      if (route.statement === undefined || exchange === undefined) continue
      const [row] = await opened.database.query(route.statement, exchange.values ?? {})
      expect(row, route.name).toBeDefined()
      if (route.password === undefined) expect(String(row?.body).length, route.name).toBeGreaterThan(10)
    }
  })

  it('gives a lean statement the same response as the statement of its route', async () => {
    const world = await createWorld(opened.database, tiny, makeSecrets())
    const routes = hotRoutes.filter(({ lean }) => lean !== undefined)
    expect(routes.length).toBeGreaterThan(5)
    for (const { name, lean, statement, exchanges } of routes) {
      const [exchange] = await exchanges(world)
      if (lean === undefined || statement === undefined || exchange === undefined) throw new Error(name)
      const [row] = await opened.database.query(statement, exchange.values ?? {})
      const rows = await opened.database.query(unprepared(lean.text), bind(lean, exchange.values))
      expect(JSON.parse(writeLeanBody(lean.shape, rows)), name).toEqual(JSON.parse(String(row?.body)))
    }
  })

  it('has the records that batches of writes need', async () => {
    const world = await createWorld(opened.database, tiny, makeSecrets())
    const routes = hotRoutes.filter(({ coalesced }) => coalesced !== undefined)
    expect(routes).toHaveLength(3)
    for (const { name, coalesced, exchanges } of routes) {
      const requests = (await exchanges(world)).slice(0, 3)
      if (coalesced?.batch === undefined) throw new Error(`${name} has no batch`)
      const values = requests.map((request) => ({ ...request.values, id: randomUUID() }))
      const { text } = coalesced.batch
      const rows = await opened.database.query(unprepared(text), bindBatch(coalesced.batch, values))
      expect(rows.map(({ outcome }) => outcome)).toHaveLength(3)
      for (const { outcome } of rows) expect(['created', 'stored'], name).toContain(outcome)
    }
  })
})

it.each([sizeS, sizeL])('gives all people of a contest of $name as many submissions', (size) => {
  for (const event of size.events) expect(event.submissions % event.people).toBe(0)
  expect(submissionsOutside(size)).toBeGreaterThan(size.regulars * size.submissionsOfRegular)
  expect(size.events[0]).toEqual(sizeS.events[0])
})
