import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { unprepared } from '../../src/db/statement.ts'
import { lockProblem } from '../../src/features/problems/sql.ts'
import { openTestApp } from '../support/app.ts'
import { databaseKind } from '../support/database.ts'
import { NO_PROBLEM, NOBODY } from '../support/ids.ts'
import { createCategory, createProblem, problemBody, readProblem, submit } from '../support/problems.ts'
import { collideAt } from '../support/row-lock.ts'

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })

const post = (body: Record<string, unknown>) =>
  service.send({ method: 'POST', url: '/v1/problems', token: admin.token, body })

const created = async (fields: Record<string, unknown>) =>
  readProblem(service, await createProblem(service, admin, fields))

const countProblems = async () => {
  const rows = await service.database.query(
    unprepared<{ problems: string; cases: string }>(
      'select (select count(*) from problems) as problems, (select count(*) from test_cases) as cases',
    ),
  )
  return rows[0]
}

describe('creating a problem', () => {
  it('answers 201 with its id and an event_problem_id of 0 [POST /v1/problems]', async () => {
    const answer = await post(problemBody())
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ id: expect.any(Number), event_problem_id: 0 })
  })

  it('fills in what is left out: 10 and 5 seconds, 256 MiB, private, not hidden, of the caller (D17)', async () => {
    const { id, upload_date, test_cases, ...rest } = await created({})
    expect(rest).toEqual({
      user_id: admin.id,
      title: 'Sum',
      identifier: 'sum',
      prompt: 'Add the numbers.',
      source: '',
      difficulty: 'EASY',
      public: false,
      accept_timeout: 10,
      execution_timeout: 5,
      memory_limit: 256,
      categories: [],
    })
    expect(test_cases).toEqual([
      { id: expect.any(String), problem_id: id, input: '1 2\n', expected_output: '3\n', hidden: false },
    ])
    expect(Math.abs(Date.parse(upload_date) - Date.now())).toBeLessThan(60_000)
  })

  it('keeps every field as it was sent [Fields: Problem]', async () => {
    const sent = {
      title: 'Größe 😀 "quoted" \\',
      identifier: 'size-1',
      prompt: '# Prompt\n\n  indented\t\u0001',
      source: 'Contest 7',
      difficulty: 'VERY HARD',
      public: true,
      timeout: 3.25,
      accept_timeout: 1.5,
      execution_timeout: 2.75,
      memory_limit: 64,
    }
    expect(await created(sent)).toMatchObject(sent)
  })

  it.each([
    [{ timeout: 7 }, { timeout: 7, accept_timeout: 7, execution_timeout: 7 }],
    [
      { timeout: 7, accept_timeout: 2 },
      { timeout: 7, accept_timeout: 2, execution_timeout: 7 },
    ],
    [
      { timeout: 7, execution_timeout: 2 },
      { timeout: 7, accept_timeout: 7, execution_timeout: 2 },
    ],
    [{ accept_timeout: 2 }, { accept_timeout: 2, execution_timeout: 5 }],
    [{ execution_timeout: 2 }, { accept_timeout: 10, execution_timeout: 2 }],
  ])('takes a time limit that is left out from timeout, else the default: %j', async (sent, limits) => {
    expect(await created(sent)).toMatchObject(limits)
  })

  it.each(['VERY EASY', 'EASY', 'MEDIUM', 'HARD', 'VERY HARD'])(
    'takes the difficulty %s',
    async (difficulty) => {
      expect(await created({ difficulty })).toMatchObject({ difficulty })
    },
  )

  it('trims title and identifier, and leaves the prompt alone', async () => {
    const problem = await created({ title: '\u00a0 Sum \n', identifier: '\tsum ', prompt: '  Add.\n' })
    expect(problem).toMatchObject({ title: 'Sum', identifier: 'sum', prompt: '  Add.\n' })
  })

  it('counts 255 characters of a title, not bytes', async () => {
    const title = '😀'.repeat(255)
    expect(await created({ title })).toMatchObject({ title })
  })

  it('takes limits from the smallest fraction of a second to a day, and up to 1 TiB', async () => {
    const limits = { accept_timeout: 5e-324, execution_timeout: 86_400, memory_limit: 1_048_576 }
    expect(await created(limits)).toMatchObject(limits)
    expect(await created({ memory_limit: 1 })).toMatchObject({ memory_limit: 1 })
  })

  it('takes an identifier that another problem has (D17)', async () => {
    const first = await createProblem(service, admin, { identifier: 'twin' })
    expect(await createProblem(service, admin, { identifier: 'twin' })).not.toBe(first)
  })

  it('files the problem under another author where user_id names one', async () => {
    const author = await service.createPerson()
    expect(await created({ user_id: author.id.toUpperCase() })).toMatchObject({ user_id: author.id })
  })

  it('files it under categories, each once, sorted by name', async () => {
    const b = await createCategory(service, admin, 'creation b')
    const a = await createCategory(service, admin, 'creation a')
    const problem = await created({ category_ids: [b.id, a.id.toUpperCase(), b.id] })
    expect(problem.categories).toEqual([a, b])
  })

  it('keeps the test cases in the order given, each with an id of its own [Fields: TestCase]', async () => {
    const order = [5, 3, 9, 1, 7]
    const test_cases = order.map((n) => ({
      id: NOBODY,
      input: `${n}`,
      expected_output: ' \n',
      hidden: n > 4,
    }))
    const problem = await created({ test_cases })
    expect(problem.test_cases).toEqual(
      order.map((n) => ({
        id: expect.not.stringMatching(NOBODY),
        problem_id: problem.id,
        input: `${n}`,
        expected_output: ' \n',
        hidden: n > 4,
      })),
    )
    expect(new Set(problem.test_cases.map(({ id }: { id: string }) => id)).size).toBe(5)
  })

  it('ignores fields that it does not know (D2)', async () => {
    const unknown = {
      id: 77,
      event_problem_id: 5,
      upload_date: '2001-01-01T00:00:00Z',
      categories: [1],
      deleted_at: 'x',
    }
    const problem = await created({
      ...unknown,
      test_cases: [{ input: '1', expected_output: '1', points: 5 }],
    })
    expect(problem.upload_date > '2020').toBe(true)
    expect(problem.categories).toEqual([])
  })
})

describe('creating a problem is refused and leaves nothing behind', () => {
  it.each([
    ['an author whom nobody knows', { user_id: NOBODY }, 'There is no such user'],
    ['a category that nobody knows', { category_ids: [NOBODY] }, 'There is no such category'],
  ])('for %s (404)', async (_, fields, error) => {
    const before = await countProblems()
    const answer = await post(problemBody(fields))
    expect(answer).toMatchObject({ status: 404, body: { error, code: 'NOT_FOUND' } })
    expect(await countProblems()).toEqual(before)
  })

  it('for an author who was deleted (404)', async () => {
    const author = await service.createPerson()
    await service.send({ method: 'DELETE', url: `/v1/users/${author.id}`, token: author.token })
    expect(await post(problemBody({ user_id: author.id }))).toMatchObject({
      status: 404,
      body: { error: 'There is no such user' },
    })
  })

  it('for a user or a judge as the caller (403)', async () => {
    const { token } = await service.createPerson()
    for (const other of [token, service.judgeToken]) {
      const body = problemBody()
      const answer = await service.send({ method: 'POST', url: '/v1/problems', token: other, body })
      expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    }
  })
})

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
      await tx.query(lockProblem, { problem_id: id })
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
})

const MIB = 1024 * 1024
const LIMIT_BYTES = 6 * MIB

const limited = await openTestApp({ PROBLEM_BODY_LIMIT_BYTES: String(LIMIT_BYTES) })
const limitedAdmin = await limited.createPerson({ admin: true })
const id = await createProblem(limited, limitedAdmin)

/** A body of exactly so many bytes, most of them in one test case. */
const bodyOf = (bytes: number) => {
  const body = (filler: string) =>
    JSON.stringify(problemBody({ test_cases: [{ input: filler, expected_output: 'x' }] }))
  return body('y'.repeat(bytes - body('').length))
}

const routes = [
  ['POST', () => '/v1/problems'],
  ['PUT', () => `/v1/problems/${id}`],
] as const

describe.each(routes)('%s of a problem', (method, url) => {
  const write = (raw: string) => limited.send({ method, url: url(), token: limitedAdmin.token, raw })

  it('takes a body of more than 1 MiB, up to the configured size, and keeps all of it (D8)', async () => {
    const raw = bodyOf(LIMIT_BYTES)
    const answer = await write(raw)
    expect(answer.status, answer.text).toBeLessThan(300)
    const { test_cases } = await readProblem(limited, answer.body.id)
    expect(test_cases[0].input).toBe(JSON.parse(raw).test_cases[0].input)
  })

  it('refuses a body that is one byte larger (413)', async () => {
    const answer = await write(bodyOf(LIMIT_BYTES + 1))
    expect(answer).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
  })

  it('refuses a body that is too large only to an admin who lives (401, 403 before 413; D2)', async () => {
    const raw = bodyOf(LIMIT_BYTES + 1)
    const { token } = await limited.createPerson()
    const gone = await limited.createPerson({ admin: true })
    await limited.send({ method: 'DELETE', url: `/v1/users/${gone.id}`, token: gone.token })
    expect(await limited.send({ method, url: url(), raw })).toMatchObject({ status: 401 })
    expect(await limited.send({ method, url: url(), token, raw })).toMatchObject({ status: 403 })
    expect(await limited.send({ method, url: url(), token: gone.token, raw })).toMatchObject({ status: 401 })
  })

  it('takes 10,000 test cases, and refuses more (400)', async () => {
    const test_cases = Array.from({ length: 10_001 }, (_, n) => ({ input: `${n}`, expected_output: `${n}` }))
    expect(await write(JSON.stringify(problemBody({ test_cases })))).toMatchObject({
      status: 400,
      body: { code: '400', message: expect.stringMatching(/^test_cases must .* 10000 items$/) },
    })
    const answer = await write(JSON.stringify(problemBody({ test_cases: test_cases.slice(1) })))
    expect(answer.status, answer.text).toBeLessThan(300)
    const problem = await readProblem(limited, answer.body.id)
    expect(problem.test_cases.map(({ input }: { input: string }) => Number(input))).toEqual(
      test_cases.map((_, n) => n).slice(1),
    )
  })

  it('refuses more than 1,000 categories (400)', async () => {
    const category_ids = Array.from({ length: 1001 }, () => NOBODY)
    expect(await write(JSON.stringify(problemBody({ category_ids })))).toMatchObject({
      status: 400,
      body: { code: '400', message: expect.stringMatching(/^category_ids must .* 1000 items$/) },
    })
  })
})

it('holds problems to 64 MiB unless configured otherwise, every other body to 1 MiB (D8)', async () => {
  const secrets = { JWT_SIGNING_SECRET: 'x', JUDGE_PASSWORD: 'x', WEB_BRIDGE_SECRET: 'x' }
  const { sizes } = loadConfig(secrets)
  expect(sizes).toMatchObject({ problemBodyBytes: 64 * MIB, bodyBytes: MIB })
  for (const url of ['/v1/categories', '/v1/languages']) {
    const body = { name: 'x'.repeat(MIB) }
    const answer = await limited.send({ method: 'POST', url, token: limitedAdmin.token, body })
    expect(answer, url).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
  }
})
