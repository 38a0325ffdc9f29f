import { describe, expect, it } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { lockProblem } from '../../../src/features/problems/problems/sql.ts'
import { openTestApp } from '../../support/app.ts'
import type { Expected } from '../../support/caller.ts'
import { NOBODY } from '../../support/ids.ts'
import { expectSince, nextMillisecond } from '../../support/moments.ts'
import { onPostgres } from '../../support/needs.ts'
import { createCategory, createProblem, problemBody, submit } from '../../support/problems.ts'
import { notFound, refusal } from '../../support/refusals.ts'
import { collideAt } from '../../support/row-lock.ts'

type Fields = Record<string, unknown>

const LIMIT_BYTES = 2 * 1024 * 1024
const service = await openTestApp({ PROBLEM_BODY_LIMIT_BYTES: String(LIMIT_BYTES) })
const admin = await service.createPerson({ admin: true })
const deletedUser = await service.createPerson()
await deletedUser.delete(`/v1/users/${deletedUser.id}`)

const urlOf = (id: number) => `/v1/problems/${id}`
const read = (id: number) => service.judge.get(urlOf(id))
const created = async (fields: Fields) => read(await createProblem(service, admin, fields))
const put = (id: number, body: Fields) => admin.put(urlOf(id), body, 200)
const updated = async (id: number, body: Fields) => {
  await put(id, body)
  return read(id)
}
const createCategories = async (first: string, second: string) =>
  [await createCategory(service, admin, first), await createCategory(service, admin, second)] as const

const testCases = (...inputs: string[]) => inputs.map((input) => ({ input, expected_output: `${input}!` }))

const createFull = () => {
  const limits = { timeout: 9, accept_timeout: 8, execution_timeout: 7, memory_limit: 64 }
  return createProblem(service, admin, { source: 'Contest 7', ...limits, test_cases: testCases('a', 'b') })
}

const selectCounts = unprepared(
  'select (select count(*) from problems) as problems, (select count(*) from test_cases) as cases',
)

describe('creating a problem', () => {
  it('responds with its id and an event_problem_id of 0 (201); the defaults are 10 and 5 seconds, 256 MiB, private, no hidden test case, the caller as author (D17) [POST /v1/problems]', async () => {
    const sentAt = Date.now()
    const body = await admin.post('/v1/problems', problemBody(), 201)
    expect(body).toEqual({ id: expect.any(Number), event_problem_id: 0 })
    const { id, upload_date, test_cases, ...fields } = await read(body.id)
    const { test_cases: _, ...sent } = problemBody()
    const limits = { accept_timeout: 10, execution_timeout: 5, memory_limit: 256 }
    const others = { source: '', public: false, user_id: admin.id, categories: [] }
    expect(fields).toMatchObject({ ...sent, ...limits, ...others })
    expect(fields).not.toHaveProperty('timeout')
    expect(test_cases).toEqual([
      { id: expect.any(String), problem_id: id, input: '1 2\n', expected_output: '3\n', hidden: false },
    ])
    expectSince(sentAt, upload_date)
  })

  it('stores every field unchanged [Fields: Problem]', async () => {
    const prompt = '# Prompt\n\n  indented\t\u0001'
    const texts = { title: 'Größe 😀 "quoted" \\', identifier: 'size-1', prompt, source: 'Contest 7' }
    const limits = { timeout: 3.25, accept_timeout: 1.5, execution_timeout: 2.75, memory_limit: 64 }
    const sent = { ...texts, ...limits, difficulty: 'VERY HARD', public: true }
    expect(await created(sent)).toMatchObject(sent)
  })

  it('accepts every difficulty, a title of 255 characters, and the smallest and largest limits', async () => {
    const difficulties = ['VERY EASY', 'EASY', 'MEDIUM', 'HARD', 'VERY HARD']
    const largest = { title: '😀'.repeat(255), execution_timeout: 86_400, memory_limit: 1_048_576 }
    const smallest = { accept_timeout: 5e-324, memory_limit: 1 }
    for (const fields of [...difficulties.map((difficulty) => ({ difficulty })), largest, smallest])
      expect(await created(fields)).toMatchObject(fields)
  })

  it.each([
    [{ timeout: 7 }, 7, 7],
    [{ timeout: 7, accept_timeout: 2 }, 2, 7],
    [{ timeout: 7, execution_timeout: 2 }, 7, 2],
    [{ accept_timeout: 2 }, 2, 5],
    [{ execution_timeout: 2 }, 10, 2],
  ])('takes missing limits from timeout or the defaults, as updates do: %j: %d, %d s', async (...row) => {
    const [sent, accept_timeout, execution_timeout] = row
    expect(await created(sent)).toMatchObject({ ...sent, accept_timeout, execution_timeout })
    if (!('timeout' in sent)) return
    const problem = await updated(await createFull(), sent)
    expect(problem).toMatchObject({ ...sent, accept_timeout, execution_timeout })
  })

  it('trims the title and the identifier, not the prompt, and accepts an identifier of another problem (D17)', async () => {
    const sent = { title: '\u00a0 Sum \n', identifier: '\tsum ', prompt: '  Add.\n' }
    for (const problem of [await created(sent), await updated(await createFull(), sent)])
      expect(problem).toMatchObject({ title: 'Sum', identifier: 'sum', prompt: '  Add.\n' })
  })

  it('accepts another author, stores each category once, and lists them by name', async () => {
    const author = await service.createPerson()
    const [b, a] = await createCategories('creation b', 'creation a')
    const category_ids = [b.id, a.id.toUpperCase(), b.id]
    const problem = await created({ user_id: author.id.toUpperCase(), category_ids })
    expect(problem).toMatchObject({ user_id: author.id, categories: [a, b] })
  })

  it('keeps the order of the test cases and gives each a new id [Fields: TestCase]', async () => {
    const sent = [5, 3, 9, 1, 7].map((n) => ({ input: `${n}`, expected_output: ' \n', hidden: n > 4 }))
    const problem = await created({ test_cases: sent.map((testCase) => ({ ...testCase, id: NOBODY })) })
    const id = expect.not.stringMatching(NOBODY)
    expect(problem.test_cases).toEqual(sent.map((testCase) => ({ ...testCase, id, problem_id: problem.id })))
    expect(new Set(problem.test_cases.map((testCase: { id: string }) => testCase.id)).size).toBe(5)
  })

  it.each([
    ['an unknown author', { user_id: NOBODY }, 'user'],
    ['a deleted author', { user_id: deletedUser.id }, 'user'],
    ['an unknown category', { category_ids: [NOBODY] }, 'category'],
  ])('is refused for %s and stores nothing (404)', async (_, fields, missing) => {
    const before = await service.database.query(selectCounts)
    await admin.post('/v1/problems', problemBody(fields), notFound(missing))
    expect(await service.database.query(selectCounts)).toEqual(before)
  })
})

describe('updating a problem', () => {
  it('responds with its id and an event_problem_id of 0, and changes only the fields of the body [PUT /v1/problems/{problem_id}]', async () => {
    const id = await createFull()
    let expected = await read(id)
    const texts = { title: 'New', identifier: 'new', prompt: 'New', source: 'New', difficulty: 'VERY HARD' }
    const limits = { accept_timeout: 1.5, execution_timeout: 1.25, memory_limit: 1 }
    const { id: user_id } = await service.createPerson()
    const changes = Object.entries({ ...texts, ...limits, public: true, user_id })
    for (const change of [...changes, ['source', '']]) {
      expected = { ...expected, ...Object.fromEntries([change]), updated_at: expect.any(String) }
      expect(await put(id, Object.fromEntries([change]))).toMatchObject({ id, event_problem_id: 0 })
      expect(await read(id)).toEqual(expected)
    }
  })

  it('replaces or removes the categories, and keeps them without category_ids', async () => {
    const [a, b] = await createCategories('update a', 'update b')
    const id = await createProblem(service, admin, { category_ids: [a.id] })
    for (const [body, categories] of [
      [{ category_ids: [b.id, a.id.toUpperCase(), b.id] }, [a, b]],
      [{ category_ids: [b.id] }, [b]],
      [{ title: 'New' }, [b]],
      [{ category_ids: [] }, []],
    ] as const)
      expect((await updated(id, body)).categories).toEqual(categories)
  })

  it('changes nothing if it is refused: repeated ids (400), an unknown category or author (404)', async () => {
    const id = 'aaaaaaaa-0000-7000-8000-000000000000'
    const repeated = [id, id.toUpperCase()].map((known) => ({ id: known, ...testCases('x')[0] }))
    const rows: [Fields, Expected][] = [
      [{ test_cases: repeated }, refusal(400, '400', 'test_cases must name each id once')],
      [{ category_ids: [NOBODY] }, notFound('category')],
      [{ category_ids: [], user_id: NOBODY }, notFound('user')],
      [{ category_ids: [], user_id: deletedUser.id }, notFound('user')],
    ]
    for (const [body, expected] of rows) {
      const problem = await createFull()
      const before = await read(problem)
      await admin.put(urlOf(problem), { title: 'New', test_cases: testCases('x'), ...body }, expected)
      expect(await read(problem)).toEqual(before)
    }
  })
})

describe('a problem that is being updated', onPostgres, () => {
  it('accepts submissions before the update ends', async () => {
    const id = await createProblem(service, admin, { public: true })
    const user = await service.createPerson()
    await service.database.transaction(async (tx) => {
      await tx.query(lockProblem, { problem_id: id })
      expect(await submit(service, user, id)).toMatchObject({ status: 201 })
    })
  })

  it('is not updated if a concurrent deletion comes first (404)', async () => {
    const id = await createFull()
    const select = 'select problems.id from problems where problems.id = $1 for update'
    const [deletion, update] = await collideAt(service.databaseUrl, select, String(id), [
      () => admin.send('DELETE', urlOf(id)),
      () => admin.send('PUT', urlOf(id), { test_cases: testCases('x') }),
    ])
    expect(deletion).toMatchObject({ status: 204 })
    expect(update).toMatchObject(notFound('problem'))
  })
})

const writes = [
  ['POST', '/v1/problems'],
  ['PUT', urlOf(await createProblem(service, admin))],
] as const

describe.each(writes)('%s %s', (method, url) => {
  const write = (fields: Fields) => admin.send(method, url, problemBody(fields))
  const storedInputs = async (fields: Fields): Promise<string[]> => {
    const response = await write(fields)
    expect(response.status, response.text).toBeLessThan(300)
    return (await read(response.body.id)).test_cases.map(({ input }: { input: string }) => input)
  }

  it('stores a body of PROBLEM_BODY_LIMIT_BYTES, and refuses one byte more (413) (D8)', async () => {
    const empty = JSON.stringify(problemBody({ test_cases: [{ input: '', expected_output: 'x' }] }))
    const input = 'y'.repeat(LIMIT_BYTES - empty.length)
    expect(await storedInputs({ test_cases: [{ input, expected_output: 'x' }] })).toEqual([input])
    const response = await write({ test_cases: [{ input: `${input}y`, expected_output: 'x' }] })
    expect(response).toMatchObject(refusal(413, 'PAYLOAD_TOO_LARGE'))
  })

  it('accepts 10,000 test cases, and refuses more, or more than 1,000 categories (400)', async () => {
    const inputs = Array.from({ length: 10_000 }, (_, n) => String(n))
    expect(await storedInputs({ test_cases: testCases(...inputs) })).toEqual(inputs)
    const category_ids = Array.from({ length: 1001 }, () => NOBODY)
    const tooMany = (message: RegExp) => refusal(400, '400', expect.stringMatching(message))
    const moreCases = { test_cases: testCases(...inputs, 'x') }
    expect(await write(moreCases)).toMatchObject(tooMany(/^test_cases must .* 10000 items$/))
    expect(await write({ category_ids })).toMatchObject(tooMany(/^category_ids must .* 1000 items$/))
  })
})

const runScript = (script: string) => service.database.transaction((tx) => tx.execute(script))

describe('updated_at', () => {
  it('is the upload date at first, and later of every change of data, tests, categories or visibility (D18)', async () => {
    const [kept, added] = await createCategories('time a', 'time b')
    const id = await createProblem(service, admin, { category_ids: [kept.id] })
    const { upload_date, ...first } = await read(id)
    expect(first.updated_at).toBe(upload_date)
    let latest = first.updated_at
    const changes: [name: string, change: () => Promise<unknown>][] = [
      ['a text', () => put(id, { title: 'Later' })],
      ['a limit', () => put(id, { memory_limit: 7 })],
      ['test cases', () => put(id, { test_cases: testCases('c') })],
      ['categories', () => put(id, { category_ids: [kept.id, added.id] })],
      ['a removed category', () => put(id, { category_ids: [added.id] })],
      ['a deleted category', () => admin.delete(`/v1/categories/${added.id}`)],
      ['the visibility', () => admin.put(`/v1/admin/problems/${id}/toggle-visibility`)],
      ['a row without the service', () => runScript(`delete from test_cases where problem_id = ${id}`)],
    ]
    for (const [name, change] of changes) {
      await nextMillisecond()
      await change()
      const { updated_at } = await read(id)
      expect(updated_at, name).not.toBe(latest)
      expect(Date.parse(updated_at), name).toBeGreaterThanOrEqual(Date.parse(latest))
      latest = updated_at
    }
  })

  it('stays with an update that changes nothing, with a submission, and with changes of other problems', async () => {
    const [id, other] = [await createFull(), await createFull()]
    const { updated_at } = await put(id, { title: 'Later' }).then(() => read(id))
    await put(other, { title: 'Other' })
    await put(id, { title: 'Later' })
    await submit(service, admin, id)
    expect(await read(id)).toMatchObject({ updated_at })
  })

  it('lets no deletion of categories and no concurrent update of their problem fail', async () => {
    for (let round = 0; round < 4; round += 1) {
      const [a, b] = await createCategories(`race a${round}`, `race b${round}`)
      const id = await createProblem(service, admin, { category_ids: [a.id] })
      const [update, ...deletions] = await Promise.all([
        admin.send('PUT', urlOf(id), { title: 'Later', category_ids: [a.id, b.id] }),
        ...[b, a].map((category) => admin.send('DELETE', `/v1/categories/${category.id}`)),
      ])
      expect(deletions.map(({ status }) => status)).toEqual([204, 204])
      expect([200, 404]).toContain(update?.status)
      expect(await read(id)).toMatchObject({ categories: [] })
    }
  })
})
