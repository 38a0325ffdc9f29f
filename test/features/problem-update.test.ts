import { describe, expect, it } from 'vitest'
import { lockProblem } from '../../src/features/problems/sql.ts'
import { openTestApp } from '../support/app.ts'
import { databaseKind } from '../support/database.ts'
import { collideAt } from '../support/row-lock.ts'
import {
  createCategory,
  createProblem,
  NO_PROBLEM,
  NOBODY,
  readProblem,
  submit,
  wrongFields,
} from './problems-support.ts'

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })

const put = (id: number, body: Record<string, unknown>) =>
  service.send({ method: 'PUT', url: `/v1/problems/${id}`, token: admin.token, body })

interface TestCase {
  readonly id: string
  readonly input: string
  readonly expected_output: string
  readonly hidden: boolean
}

const casesOf = async (id: number): Promise<TestCase[]> => (await readProblem(service, id)).test_cases

const inputsOf = async (id: number) => (await casesOf(id)).map(({ input }) => input)

const testCases = (...inputs: string[]) => inputs.map((input) => ({ input, expected_output: `${input}!` }))

/** A problem with a value in every field. */
const createFull = () =>
  createProblem(service, admin, {
    source: 'Contest 7',
    timeout: 9,
    accept_timeout: 8,
    execution_timeout: 7,
    memory_limit: 64,
    test_cases: testCases('a', 'b', 'c'),
  })

describe('updating a problem', () => {
  it('answers 200 with its id and an event_problem_id of 0 [PUT /v1/problems/{problem_id}]', async () => {
    const id = await createFull()
    expect(await put(id, { title: 'New' })).toMatchObject({ status: 200, body: { id, event_problem_id: 0 } })
  })

  it.each([
    { title: 'New' },
    { identifier: 'new' },
    { prompt: 'New' },
    { source: 'New' },
    { source: '' },
    { difficulty: 'VERY HARD' },
    { public: true },
    { accept_timeout: 1.5 },
    { execution_timeout: 1.5 },
    { memory_limit: 1 },
  ])('changes %j alone and leaves every other field', async (change) => {
    const id = await createFull()
    const before = await readProblem(service, id)
    expect(await put(id, change)).toMatchObject({ status: 200 })
    expect(await readProblem(service, id)).toEqual({ ...before, ...change })
  })

  it('changes nothing where no field is sent', async () => {
    const id = await createFull()
    const before = await readProblem(service, id)
    expect(await put(id, { unknown: 1 })).toMatchObject({ status: 200 })
    expect(await readProblem(service, id)).toEqual(before)
  })

  it.each([
    [{ timeout: 3 }, [3, 3]],
    [{ timeout: 3, accept_timeout: 2 }, [2, 3]],
    [{ timeout: 3, execution_timeout: 2 }, [3, 2]],
  ])('takes a time limit that is left out from timeout where that is sent: %j', async (sent, limits) => {
    const id = await createFull()
    await put(id, sent)
    const { timeout, accept_timeout, execution_timeout } = await readProblem(service, id)
    expect([timeout, accept_timeout, execution_timeout]).toEqual([3, ...limits])
  })

  it('trims title and identifier', async () => {
    const id = await createFull()
    await put(id, { title: ' New ', identifier: '\nnew' })
    expect(await readProblem(service, id)).toMatchObject({ title: 'New', identifier: 'new' })
  })

  it('changes the author, who then sees the problem', async () => {
    const author = await service.createPerson()
    const id = await createFull()
    await put(id, { user_id: author.id })
    expect(await readProblem(service, id, author.token)).toMatchObject({ user_id: author.id, public: false })
  })

  it('replaces the categories, empties them, and leaves them alone where they are not sent', async () => {
    const [a, b] = [
      await createCategory(service, admin, 'update a'),
      await createCategory(service, admin, 'update b'),
    ]
    const id = await createProblem(service, admin, { category_ids: [a.id] })
    const categories = async () => (await readProblem(service, id)).categories
    await put(id, { category_ids: [b.id, a.id.toUpperCase(), b.id] })
    expect(await categories()).toEqual([a, b])
    await put(id, { category_ids: [b.id] })
    expect(await categories()).toEqual([b])
    await put(id, { title: 'New' })
    expect(await categories()).toEqual([b])
    await put(id, { category_ids: [] })
    expect(await categories()).toEqual([])
  })
})

describe('updating test cases (D20)', () => {
  it('replaces the whole set, in the order given', async () => {
    const id = await createFull()
    const before = await casesOf(id)
    await put(id, { test_cases: testCases('y', 'x', 'z', 'w') })
    expect(await inputsOf(id)).toEqual(['y', 'x', 'z', 'w'])
    const known = new Set(before.map((testCase) => testCase.id))
    for (const testCase of await casesOf(id)) expect(known).not.toContain(testCase.id)
  })

  it('keeps the ids that the problem knows, also in upper case, with new content and order', async () => {
    const id = await createFull()
    const [a, b, c] = await casesOf(id)
    const test_cases = [
      { id: c?.id.toUpperCase(), input: 'C', expected_output: 'C!', hidden: true },
      { input: 'new', expected_output: 'new!' },
      { id: a?.id, input: 'A', expected_output: 'A!' },
    ]
    await put(id, { test_cases })
    const after = await casesOf(id)
    expect(after).toEqual([
      { id: c?.id, problem_id: id, input: 'C', expected_output: 'C!', hidden: true },
      { id: expect.any(String), problem_id: id, input: 'new', expected_output: 'new!', hidden: false },
      { id: a?.id, problem_id: id, input: 'A', expected_output: 'A!', hidden: false },
    ])
    expect([a?.id, b?.id, c?.id]).not.toContain(after[1]?.id)
  })

  it('makes fresh ids for those that nobody or another problem knows, which stays untouched', async () => {
    const other = await createFull()
    const id = await createFull()
    const others = await casesOf(other)
    const sent = [NOBODY, others[0]?.id, others[2]?.id]
    await put(id, { test_cases: sent.map((known) => ({ id: known, input: 'x', expected_output: 'x' })) })
    const after = await casesOf(id)
    expect(after).toHaveLength(3)
    for (const testCase of after) expect(sent).not.toContain(testCase.id)
    expect(await casesOf(other)).toEqual(others)
  })

  it('hides a case and shows it again by its id', async () => {
    const id = await createFull()
    const known = (await casesOf(id))[0]?.id
    for (const hidden of [true, false]) {
      await put(id, { test_cases: [{ id: known, input: 'x', expected_output: 'x', hidden }] })
      expect(await casesOf(id)).toEqual([expect.objectContaining({ id: known, hidden })])
    }
  })

  it('leaves the test_case_id of old results as it is', async () => {
    const id = await createProblem(service, admin, { public: true, test_cases: testCases('a') })
    const [old] = await casesOf(id)
    const user = await service.createPerson()
    const url = `/v1/submissions/${(await submit(service, user, id)).body.id}`
    const body = {
      status: 'WRONG_ANSWER',
      failed_test_case_id: old?.id,
      test_case_results: [{ test_case_id: old?.id, passed: false }],
    }
    const token = service.judgeToken
    expect(await service.send({ method: 'PATCH', url, token, body })).toMatchObject({ status: 204 })
    await put(id, { test_cases: testCases('b') })
    expect(await service.send({ method: 'GET', url, token: user.token })).toMatchObject({
      status: 200,
      body: { failed_test_case_id: old?.id, test_case_results: [{ test_case_id: old?.id }] },
    })
  })

  it('never mixes two sets that are sent at once', async () => {
    const id = await createFull()
    const known = await casesOf(id)
    const sets = ['p', 'q', 'r', 's'].map((letter) =>
      known.flatMap((testCase) => [
        { id: testCase.id, input: letter, expected_output: letter },
        { input: letter, expected_output: letter },
      ]),
    )
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all(sets.map((test_cases) => put(id, { test_cases })))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      const inputs = await inputsOf(id)
      expect(inputs).toHaveLength(6)
      expect(new Set(inputs).size, inputs.join()).toBe(1)
    }
  })
})

describe.runIf(databaseKind === 'postgres')('while a problem is being updated (a second session)', () => {
  it('lets users submit to it, without waiting for the end of the update', async () => {
    const id = await createProblem(service, admin, { public: true })
    const user = await service.createPerson()
    await service.database.transaction(async (tx) => {
      await tx.query(lockProblem, [id])
      expect(await submit(service, user, id)).toMatchObject({ status: 201 })
    })
  })

  it('refuses an update that had to wait for the deletion of the problem (404)', async () => {
    const id = await createFull()
    const url = `/v1/problems/${id}`
    const select = 'select problems.id from problems where problems.id = $1 for update'
    const [deletion, update] = await collideAt(service.databaseUrl, select, String(id), [
      () => service.send({ method: 'DELETE', url, token: admin.token }),
      () => put(id, { test_cases: testCases('x') }),
    ])
    expect(deletion).toMatchObject({ status: 204 })
    expect(update).toMatchObject({ status: 404, body: { message: 'There is no such problem' } })
  })
})

describe('updating a problem is refused and changes nothing', () => {
  const refusedWith = async (
    body: Record<string, unknown>,
    expected: { status: number; body: Record<string, unknown> },
  ) => {
    const id = await createFull()
    const before = await readProblem(service, id)
    expect(await put(id, { title: 'New', ...body })).toMatchObject(expected)
    expect(await readProblem(service, id)).toEqual(before)
  }

  it.each(wrongFields)('for %j (400)', async (fields, message) => {
    const body = { code: '400', message: expect.stringMatching(message) }
    await refusedWith(fields, { status: 400, body })
  })

  it('for a test case id that is sent twice, whatever its case (400)', async () => {
    const id = 'aaaaaaaa-0000-7000-8000-000000000000'
    const test_cases = [id, id.toUpperCase()].map((known) => ({ id: known, ...testCases('x')[0] }))
    const message = 'test_cases must name each id once'
    await refusedWith({ test_cases }, { status: 400, body: { code: '400', message } })
  })

  it('for a category that nobody knows (404)', async () => {
    const body = { category_ids: [NOBODY], test_cases: testCases('x') }
    const message = 'There is no such category'
    await refusedWith(body, { status: 404, body: { code: 'NOT_FOUND', message } })
  })

  it('for an author whom nobody knows, or who was deleted (404)', async () => {
    const gone = await service.createPerson()
    await service.send({ method: 'DELETE', url: `/v1/users/${gone.id}`, token: gone.token })
    for (const user_id of [NOBODY, gone.id]) {
      const body = { user_id, test_cases: testCases('x'), category_ids: [] }
      const message = 'There is no such user'
      await refusedWith(body, { status: 404, body: { code: 'NOT_FOUND', message } })
    }
  })

  it('for a problem that nobody knows (404), its body looked at first (400)', async () => {
    const message = 'There is no such problem'
    expect(await put(NO_PROBLEM, { title: 'New' })).toMatchObject({ status: 404, body: { message } })
    expect(await put(NO_PROBLEM, { title: '' })).toMatchObject({ status: 400 })
    expect(await put(NO_PROBLEM, { test_cases: [] })).toMatchObject({ status: 400 })
  })

  it.each(['abc', '1.5', '1e3', '-1', '2147483648', '99999999999999999999', '%20', '0x1'])(
    'for %s in place of an id (400)',
    async (id) => {
      const url = `/v1/problems/${id}`
      const answer = await service.send({ method: 'PUT', url, token: admin.token, body: {} })
      expect(answer).toMatchObject({ status: 400, body: { code: '400' } })
      expect(answer.body.message).toMatch(/^problem_id must be /)
    },
  )
})
