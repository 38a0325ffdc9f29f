import { describe, expect, it } from 'vitest'
import { statement } from '../../src/db/database.ts'
import { openTestApp } from '../support/app.ts'
import {
  createCategory,
  createProblem,
  NOBODY,
  problemBody,
  readProblem,
  wrongFields,
} from './problems-support.ts'

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })

const post = (body: Record<string, unknown>) =>
  service.send({ method: 'POST', url: '/v1/problems', token: admin.token, body })

const created = async (fields: Record<string, unknown>) =>
  readProblem(service, await createProblem(service, admin, fields))

const countProblems = async () => {
  const rows = await service.database.query(
    statement<{ problems: string; cases: string }>(
      'count_problems',
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

  it.each(['title', 'identifier', 'prompt', 'difficulty', 'test_cases'])(
    'without %s (400)',
    async (field) => {
      const before = await countProblems()
      const answer = await post(problemBody({ [field]: undefined }))
      expect(answer).toMatchObject({ status: 400, body: { code: '400', message: `${field} is required` } })
      expect(await countProblems()).toEqual(before)
    },
  )

  it.each(wrongFields)('for %j (400)', async (fields, message) => {
    const before = await countProblems()
    const answer = await post(problemBody(fields))
    expect(answer).toMatchObject({ status: 400, body: { code: '400' } })
    expect(answer.body.message).toMatch(message)
    expect(await countProblems()).toEqual(before)
  })

  it('for a number that JSON can write and nobody can hold (400)', async () => {
    const raw = JSON.stringify(problemBody({ timeout: 1 })).replace('"timeout":1', '"timeout":1e400')
    const { token } = admin
    expect(await service.send({ method: 'POST', url: '/v1/problems', token, raw })).toMatchObject({
      status: 400,
      body: { code: '400', message: expect.stringMatching(/^timeout must be /) },
    })
  })
})
