import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { NOBODY } from '../../support/ids.ts'
import { serviceWithProblem } from '../../support/judging.ts'
import { onPostgres } from '../../support/needs.ts'
import { createProblem } from '../../support/problems.ts'
import { notFound, refusal } from '../../support/refusals.ts'
import { lockRows } from '../../support/row-lock.ts'

interface TestCase {
  readonly id: string
  readonly input: string
}

const judging = await serviceWithProblem()
const { service, admin, user } = judging

const problemUrl = (id: number) => `/v1/problems/${id}`
const testsUrl = (id: number) => `/v1/problem_description/${id}/tests`
const testCases = (...inputs: string[]) => inputs.map((input) => ({ input, expected_output: `${input}!` }))
const create = (...inputs: string[]) => createProblem(service, admin, { test_cases: testCases(...inputs) })
const put = (id: number, body: Record<string, unknown>) => admin.put(problemUrl(id), body, 200)
const casesOf = async (id: number): Promise<TestCase[]> =>
  (await service.judge.get(problemUrl(id))).test_cases
const inputsOf = async (id: number) => (await casesOf(id)).map(({ input }) => input)
const idsOf = async (id: number) => (await casesOf(id)).map((testCase) => testCase.id)

const shown = { input: 'shown in', expected_output: 'shown out', hidden: false }
const hidden = { input: 'hidden in', expected_output: 'hidden out', hidden: true }

const readTests = (id: number, tag?: string, caller = service.judge) =>
  caller.send('GET', testsUrl(id), undefined, tag === undefined ? {} : { 'if-none-match': tag })
const tagOf = async (id: number) => (await readTests(id)).headers.etag ?? ''

it('the test cases of a problem are complete for judges; others get hidden ones without their texts (D18) [GET /v1/problems/{problem_id}] [Fields: TestCase]', async () => {
  const author = await service.createPerson()
  const fields = { public: true, user_id: author.id, test_cases: [hidden, shown, hidden] }
  const url = problemUrl(await createProblem(service, admin, fields))
  const blank = { input: '', expected_output: '', hidden: true }
  expect((await service.judge.get(url)).test_cases).toMatchObject([hidden, shown, hidden])
  for (const caller of [user, author, admin])
    expect((await caller.get(url)).test_cases).toMatchObject([blank, shown, blank])
})

it('they are complete for judges and admins on their own route, with the limits (D21) [GET /v1/problem_description/{id}/tests]', async () => {
  const fields = { accept_timeout: 2.5, memory_limit: 64, test_cases: [hidden, shown] }
  const id = await createProblem(service, admin, fields)
  const expected = { ...fields, problem_id: id, execution_timeout: 5, test_cases: await casesOf(id) }
  for (const caller of [service.judge, admin]) expect(await caller.get(testsUrl(id))).toEqual(expected)
})

it('the tests of a deleted problem and their parts are served to judges while submissions to it or shadow judgings are pending, also as 304; others get 404 (D21)', async () => {
  const { problem, submit, giveVerdict } = judging
  const list = `/v1/problem_description/${problem.id}/test_cases`
  const urls = [testsUrl(problem.id), list, `${list}/${problem.cases[0]}`]
  const { body, headers } = await readTests(problem.id)
  const [first, second] = [await submit(user), await submit(user)]
  const shadow = await admin.post('/v1/admin/shadow_judgings', { submission_id: first }, 201)
  await admin.delete(problemUrl(problem.id))
  for (const id of [first, second, shadow.id]) {
    const { etag } = headers
    expect(await readTests(problem.id)).toMatchObject({ status: 200, body, headers: { etag } })
    expect(await readTests(problem.id, etag)).toMatchObject({ status: 304 })
    for (const url of urls) {
      await service.judge.get(url, 200)
      await admin.get(url, refusal(404, 'NOT_FOUND'))
    }
    const failed_test_case_id = problem.cases[1] ?? ''
    const results = [{ test_case_id: failed_test_case_id, passed: false }]
    await giveVerdict(id, { status: 'WRONG_ANSWER', failed_test_case_id, test_case_results: results })
  }
  for (const tag of [headers.etag, undefined])
    expect(await readTests(problem.id, tag)).toMatchObject(notFound('problem'))
  for (const url of urls) await service.judge.get(url, refusal(404, 'NOT_FOUND'))
  await admin.post(`/v1/problems/${problem.id}/test_cases`, { test_cases: [shown] }, notFound('problem'))
  // A rejudging leaves these submissions out (P6).
  const rejudging = await admin.post('/v1/admin/rejudge', { user_id: user.id }, 200)
  expect(rejudging).toMatchObject({ total: 0, count: 0 })
})

describe('updating test cases (D20)', () => {
  it('replaces all of them with new ids, in the order of the body', async () => {
    const id = await create('a', 'b', 'c')
    const before = await idsOf(id)
    await put(id, { test_cases: testCases('y', 'x', 'z', 'w') })
    expect(await inputsOf(id)).toEqual(['y', 'x', 'z', 'w'])
    for (const after of await idsOf(id)) expect(before).not.toContain(after)
  })

  it('keeps the ids that the body repeats, in either case, with new content and order', async () => {
    const id = await create('a', 'b', 'c')
    const [a, b, c] = await idsOf(id)
    const test_cases = [
      { id: c?.toUpperCase(), input: 'C', expected_output: 'C!', hidden: true },
      { input: 'new', expected_output: 'new!' },
      { id: a, input: 'A', expected_output: 'A!' },
    ]
    await put(id, { test_cases })
    const after = await casesOf(id)
    expect(after).toEqual([
      { id: c, problem_id: id, input: 'C', expected_output: 'C!', hidden: true },
      { id: expect.any(String), problem_id: id, input: 'new', expected_output: 'new!', hidden: false },
      { id: a, problem_id: id, input: 'A', expected_output: 'A!', hidden: false },
    ])
    expect([a, b, c]).not.toContain(after[1]?.id)
  })

  it('replaces unknown ids and ids of another problem, which does not change', async () => {
    const [other, id] = [await create('a', 'b', 'c'), await create('a')]
    const before = await casesOf(other)
    const sent = [NOBODY, before[0]?.id, before[2]?.id]
    await put(id, { test_cases: sent.map((known) => ({ id: known, input: 'x', expected_output: 'x' })) })
    for (const testCaseId of await idsOf(id)) expect(sent).not.toContain(testCaseId)
    expect(await casesOf(other)).toEqual(before)
  })

  it('never mixes the test cases of concurrent updates', async () => {
    const id = await create('a', 'b', 'c')
    const known = await idsOf(id)
    const sets = ['p', 'q', 'r', 's'].map((input) => {
      const texts = { input, expected_output: input }
      return known.flatMap((knownId) => [{ id: knownId, ...texts }, texts])
    })
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(sets.map((test_cases) => put(id, { test_cases })))
      const inputs = await inputsOf(id)
      expect(inputs).toHaveLength(6)
      expect(new Set(inputs).size, inputs.join()).toBe(1)
    }
  })
})

describe('the entity tag of the tests', () => {
  it('is the same for judges and admins, differs between problems, and gets a 304 without a body', async () => {
    const id = await create('a')
    const tag = await tagOf(id)
    expect((await readTests(id, undefined, admin)).headers.etag).toBe(tag)
    expect(await tagOf(await create('a'))).not.toBe(tag)
    for (const known of [tag, `"other", ${tag}`, '*']) {
      const { status, text, headers } = await readTests(id, known)
      expect({ status, text, etag: headers.etag }).toEqual({ status: 304, text: '', etag: tag })
    }
    expect(await readTests(id, '"other"')).toMatchObject({ status: 200, headers: { etag: tag } })
  })

  it.each([
    ['another input', { test_cases: [{ input: 'b', expected_output: 'a!' }, ...testCases('b')] }],
    ['another output', { test_cases: [{ input: 'a', expected_output: 'b!' }, ...testCases('b')] }],
    ['a hidden test case', { test_cases: [{ ...testCases('a')[0], hidden: true }, ...testCases('b')] }],
    ['new ids for the same texts', { test_cases: testCases('a', 'b') }],
    ['a third test case', { test_cases: testCases('a', 'b', 'c') }],
    ['another accept_timeout', { accept_timeout: 3 }],
    ['another execution_timeout', { execution_timeout: 3 }],
    ['another memory_limit', { memory_limit: 33 }],
    ['another timeout', { timeout: 4 }],
    ['another order', undefined],
  ])('changes after an update with %s', async (_, change) => {
    const id = await create('a', 'b')
    const { body, headers } = await readTests(id)
    await put(id, change ?? { test_cases: body.test_cases.toReversed() })
    const after = await readTests(id, headers.etag)
    expect(after.status).toBe(200)
    expect(after.headers.etag).not.toBe(headers.etag)
  })

  it('stays the same after changes of other fields and problems', async () => {
    const id = await create('a')
    const tag = await tagOf(id)
    await put(id, { title: 'New', prompt: 'New', identifier: 'new', difficulty: 'HARD', public: true })
    await admin.put(`/v1/admin/problems/${id}/toggle-visibility`)
    await create('a')
    expect((await readTests(id, tag)).status).toBe(304)
  })

  it.each([
    'insert into test_cases select gen_random_uuid(), problem_id, 9, input, expected_output, hidden from test_cases',
    `update test_cases set input = input || '!'`,
    'delete from test_cases',
    'truncate test_cases',
  ])('changes, as does the stored size, after a direct write in SQL: %s', async (script) => {
    const id = await create('a')
    const tag = await tagOf(id)
    await service.database.transaction((tx) => tx.execute(script))
    expect((await readTests(id, tag)).status).toBe(200)
    const compareSizes = unprepared(`select problems.tests_bytes
         = (select coalesce(sum(octet_length(input || expected_output)), 0)
            from test_cases where test_cases.problem_id = problems.id) as "isRight"
       from problems where problems.id = $1`)
    expect(await service.database.query(compareSizes, [id])).toEqual([{ isRight: true }])
  })

  it('belongs to the tests even if they change during the read', onPostgres, async () => {
    const id = await create('a')
    const before = await tagOf(id)
    const write = `do $$ begin
      lock table test_cases in access exclusive mode;
      update test_cases set input = 'changed' where problem_id = ${id};
    end $$`
    const lock = await lockRows(service.databaseUrl ?? '', write, [])
    const reading = readTests(id)
    // By now the request has read the version and waits for the test cases.
    await lock.untilWaiting(1)
    await lock.release()
    const { body, headers } = await reading
    expect(body.test_cases).toMatchObject([{ input: 'changed' }])
    expect(headers.etag).not.toBe(before)
    expect((await readTests(id, headers.etag)).status).toBe(304)
  })
})
