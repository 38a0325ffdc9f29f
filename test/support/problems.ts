import { expect } from 'vitest'
import type { Person, TestApp, TestResponse } from './app.ts'

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
