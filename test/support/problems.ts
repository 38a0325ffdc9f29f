import type { Person, TestApp } from './app.ts'

/** The required fields of `POST /v1/problems`, changed by `fields`. */
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

/** Creates a problem as an admin, private by default; resolves to its id. */
export async function createProblem(
  service: TestApp,
  { token }: Person,
  fields: Record<string, unknown> = {},
): Promise<number> {
  return (await service.as(token).post('/v1/problems', problemBody(fields))).id
}

/** Creates a category as an admin. */
export function createCategory(
  service: TestApp,
  { token }: Person,
  name: string,
): Promise<{ id: string; name: string }> {
  return service.as(token).post('/v1/categories', { name })
}

/** Submits a program in the first language of the list. */
export async function submit(service: TestApp, { id, token }: Person, problemId: number) {
  const [language] = await service.anonymous.get('/v1/languages')
  const body = { user_id: id, problem_id: problemId, language_id: language.id, source_code: 'print(3)' }
  return service.send({ method: 'POST', url: '/v1/submissions', token, body })
}
