import { expect } from 'vitest'
import type { Person, TestApp, TestResponse } from './app.ts'

export const NOBODY = '00000000-0000-7000-8000-000000000000'
export const NO_PROBLEM = 2_147_483_647

/** The fields that `POST /v1/problems` wants, with others beside or in place of them. */
export function problemBody(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    title: 'Sum',
    identifier: 'sum',
    prompt: 'Add the numbers.',
    difficulty: 'EASY',
    test_cases: [{ input: '1 2\n', expected_output: '3\n' }],
    ...fields,
  }
}

/** Creates a problem as an admin does; answers its id. */
export async function createProblem(
  service: TestApp,
  admin: Person,
  fields: Record<string, unknown> = {},
): Promise<number> {
  const { token } = admin
  const answer = await service.send({ method: 'POST', url: '/v1/problems', token, body: problemBody(fields) })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.id
}

/** Reads a problem; as a judge, who sees hidden cases too, unless another token is given. */
export async function readProblem(service: TestApp, id: number, token = service.judgeToken) {
  const answer = await service.send({ method: 'GET', url: `/v1/problems/${id}`, token })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

/** Creates a category with a name of its own; answers it. */
export async function createCategory(
  service: TestApp,
  { token }: Person,
  name: string,
): Promise<{ id: string; name: string }> {
  const answer = await service.send({ method: 'POST', url: '/v1/categories', token, body: { name } })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

/** Submits a program to a problem in the first language of the list. */
export async function submit(
  service: TestApp,
  { id, token }: Person,
  problemId: number,
): Promise<TestResponse> {
  const languages = await service.send({ method: 'GET', url: '/v1/languages' })
  const language_id = languages.body[0].id
  const body = { user_id: id, problem_id: problemId, language_id, source_code: 'print(3)' }
  return service.send({ method: 'POST', url: '/v1/submissions', token, body })
}

const tooLong = 'x'.repeat(256)
const name = (field: string): [Record<string, unknown>, RegExp][] => [
  [{ [field]: '' }, new RegExp(`^${field} must not be empty$`)],
  [{ [field]: ' \t\r\n\u00a0\ufeff' }, new RegExp(`^${field} must not be empty$`)],
  [{ [field]: 5 }, new RegExp(`^${field} must be a string$`)],
  [{ [field]: null }, new RegExp(`^${field} must be a string$`)],
  [{ [field]: 'nul \0' }, new RegExp(`^${field} must be well-formed Unicode without U\\+0000$`)],
  [{ [field]: 'half \ud83d' }, new RegExp(`^${field} must be well-formed Unicode without U\\+0000$`)],
]
const seconds = (field: string): [Record<string, unknown>, RegExp][] => [
  [{ [field]: 0 }, new RegExp(`^${field} must be > 0$`)],
  [{ [field]: -1 }, new RegExp(`^${field} must be > 0$`)],
  [{ [field]: 86_400.5 }, new RegExp(`^${field} must be <= 86400$`)],
  [{ [field]: '5' }, new RegExp(`^${field} must be a number$`)],
  [{ [field]: null }, new RegExp(`^${field} must be a number$`)],
]
const testCase = (fields: Record<string, unknown>) => ({
  test_cases: [
    { input: '1', expected_output: '1' },
    { input: '1', expected_output: '1', ...fields },
  ],
})
const text = (field: string): [Record<string, unknown>, RegExp][] => [
  [testCase({ [field]: '' }), new RegExp(`^test_cases\\.1\\.${field} must not be empty$`)],
  [testCase({ [field]: undefined }), new RegExp(`^test_cases\\.1\\.${field} is required$`)],
  [testCase({ [field]: 3 }), new RegExp(`^test_cases\\.1\\.${field} must be a string$`)],
  [testCase({ [field]: null }), new RegExp(`^test_cases\\.1\\.${field} must be a string$`)],
  [testCase({ [field]: '\0' }), new RegExp(`^test_cases\\.1\\.${field} must be well-formed Unicode`)],
  [testCase({ [field]: '\udc00' }), new RegExp(`^test_cases\\.1\\.${field} must be well-formed Unicode`)],
]
const oneOfFive = /^difficulty must be one of VERY EASY, EASY, MEDIUM, HARD, VERY HARD$/

/** Values that no field of a problem may have, on create or update, with the message that each is refused by. */
export const wrongFields: [Record<string, unknown>, RegExp][] = [
  ...name('title'),
  [{ title: tooLong }, /^title must have at most 255 characters$/],
  ...name('identifier'),
  [{ identifier: tooLong }, /^identifier must have at most 255 characters$/],
  ...name('prompt'),
  [{ source: 5 }, /^source must be a string$/],
  [{ source: '\0' }, /^source must be well-formed Unicode/],
  [{ difficulty: 'VERY_EASY' }, oneOfFive],
  [{ difficulty: 'VERY_HARD' }, oneOfFive],
  [{ difficulty: 'easy' }, oneOfFive],
  [{ difficulty: '' }, oneOfFive],
  [{ difficulty: null }, oneOfFive],
  [{ public: 'true' }, /^public must be a boolean$/],
  [{ public: 1 }, /^public must be a boolean$/],
  ...seconds('timeout'),
  ...seconds('accept_timeout'),
  ...seconds('execution_timeout'),
  [{ memory_limit: 0 }, /^memory_limit must be >= 1$/],
  [{ memory_limit: -256 }, /^memory_limit must be >= 1$/],
  [{ memory_limit: 1_048_577 }, /^memory_limit must be <= 1048576$/],
  [{ memory_limit: 256.5 }, /^memory_limit must be an integer$/],
  [{ memory_limit: '256' }, /^memory_limit must be an integer$/],
  [{ user_id: 'me' }, /^user_id must be a UUID$/],
  [{ user_id: 7 }, /^user_id must be a string$/],
  [{ category_ids: NOBODY }, /^category_ids must be an array$/],
  [{ category_ids: [7] }, /^category_ids\.0 must be a string$/],
  [{ category_ids: [NOBODY, 'Graphs'] }, /^category_ids\.1 must be a UUID$/],
  [{ test_cases: [] }, /^test_cases must have at least 1 item$/],
  [{ test_cases: {} }, /^test_cases must be an array$/],
  [{ test_cases: null }, /^test_cases must be an array$/],
  [{ test_cases: [null] }, /^test_cases\.0 must be an object$/],
  [{ test_cases: ['1 2'] }, /^test_cases\.0 must be an object$/],
  ...text('input'),
  ...text('expected_output'),
  [testCase({ hidden: 'true' }), /^test_cases\.1\.hidden must be a boolean$/],
  [testCase({ hidden: null }), /^test_cases\.1\.hidden must be a boolean$/],
  [testCase({ id: 'first' }), /^test_cases\.1\.id must be a UUID$/],
]
