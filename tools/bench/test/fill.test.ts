import { describe, expect, it } from 'vitest'
import { bind, unprepared } from '../../../src/db/statement.ts'
import { findWrongCells, recountCells } from '../../../test/support/verification/recount.ts'
import { ask } from '../../local-servers/database.ts'
import { makeSecrets } from '../../local-servers/service.ts'
import { openEmptyDatabase } from '../../local-servers/test/test-database.ts'
import { writeLeanBody } from '../ceilings/lean.ts'
import { fill } from '../fill.ts'
import { hotRoutes } from '../routes.ts'
import { firstSubmissionOf, type Size, sizeL, sizeS, submissionsOutside } from '../sizes.ts'
import { createWorld } from '../stage.ts'
import { caseId, caseIdSql, submissionId, submissionIdSql, userId, userIdSql } from '../values.ts'

const tiny: Size = {
  ...{ name: 'tiny', users: 40, problems: 30, submissions: 600 },
  events: [
    { id: 1, people: 10, firstUser: 1, problems: 5, firstProblem: 1, submissions: 150 },
    { id: 2, people: 20, firstUser: 11, problems: 6, firstProblem: 6, submissions: 300 },
  ],
  regulars: 10,
  submissionsOfRegular: 8,
}

const database = await openEmptyDatabase()
await fill(database, tiny)

const read = (sql: string) => ask(database, sql)

describe('the database of the benchmark', () => {
  it('has the numbers of records of its size', async () => {
    const [counts] = await read(`
      select (select count(*)::integer from users) as users,
             (select count(*)::integer from problems) as problems,
             (select count(*)::integer from submissions) as submissions,
             (select count(*)::integer from submissions where event_id = 2) as in_second,
             (select count(*)::integer from event_participants where event_id = 2) as people,
             (select count(*)::integer from event_problems where event_id = 2) as event_problems,
             (select count(*)::integer from submissions where status = 'PENDING') as pending`)
    expect(counts).toEqual({
      ...{ users: 40, problems: 30, submissions: 600, in_second: 300 },
      ...{ people: 20, event_problems: 6, pending: 0 },
    })
  })

  it('has the right standings, and would show wrong ones', async () => {
    for (const [event, cells] of [50, 120].entries()) {
      expect(await recountCells(database, event + 1)).toHaveLength(cells)
      expect(await findWrongCells(database, event + 1)).toEqual([])
    }
    const id = submissionId(firstSubmissionOf(tiny, tiny.events[0]))
    await read(`update submissions set status = 'ACCEPTED' where id = '${id}'`)
    expect(await findWrongCells(database, 1)).toHaveLength(1)
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

  it('has what the routes read, and gives a lean statement the response of its route', async () => {
    const world = await createWorld(database, tiny, makeSecrets())
    let compared = 0
    for (const { name, lean, statement, password, exchanges } of hotRoutes) {
      const [exchange] = await exchanges(world)
      if (statement === undefined || exchange === undefined) continue
      const [row] = await database.query(statement, exchange.values ?? {})
      expect(row, name).toBeDefined()
      if (password === undefined) expect(String(row?.body).length, name).toBeGreaterThan(10)
      if (lean === undefined) continue
      compared += 1
      const [found = {}] = await database.query(unprepared(lean.text), bind(lean, exchange.values))
      expect(JSON.parse(writeLeanBody(found)), name).toEqual(JSON.parse(String(row?.body)))
    }
    expect(compared).toBe(3)
  })
})

it.each([sizeS, sizeL])('gives all people of a contest of $name as many submissions', (size) => {
  for (const event of size.events) expect(event.submissions % event.people).toBe(0)
  expect(submissionsOutside(size)).toBeGreaterThan(size.regulars * size.submissionsOfRegular)
  expect(size.events[0]).toEqual(sizeS.events[0])
})
