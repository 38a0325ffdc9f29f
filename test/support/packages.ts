import { unprepared } from '../../src/db/statement.ts'
import type { TestApp, TestResponse } from './app.ts'

export const ZIP = { 'content-type': 'application/zip' }

/** Sends a package as an admin: a new problem, or in place of `problemId`. */
export function sendPackage(
  service: TestApp,
  token: string,
  zip: Buffer,
  { problemId, query = '' }: { problemId?: number; query?: string } = {},
): Promise<TestResponse> {
  const url = '/v1/problem_packages'
  const target = problemId === undefined ? `${url}${query}` : `${url}/${problemId}${query}`
  const method = problemId === undefined ? 'POST' : 'PUT'
  return service.send({ method, url: target, token, raw: zip, headers: ZIP })
}

/** The bytes of a response that is a file. */
export async function fetchBytes(service: TestApp, token: string, url: string) {
  const { statusCode, rawPayload } = await service.app.inject({
    method: 'GET',
    url,
    headers: { authorization: token },
  })
  return { status: statusCode, bytes: rawPayload }
}

/** Path, name, size and MD5 sum. */
export type StoredFile = readonly [string, string | null, number, string | null]

/** A problem without ids, times and visibility: equal problems have equal descriptions. */
export async function describeProblem(service: TestApp, token: string, id: number) {
  const { database } = service
  const problem = await service.as(token).get(`/v1/problems/${id}`)
  const tests = await service.as(token).get(`/v1/problem_description/${id}/tests`)
  const { id: _, user_id, upload_date, updated_at, public: isPublic, ...fields } = problem
  const files = await service.as(token).get(`/v1/problems/${id}/files?limit=1000`)
  const [stored] = await database.query(
    unprepared<{ settings: Record<string, unknown>; files: StoredFile[] | null; cases: unknown }>(`
      select
        (select to_jsonb(problem_packages.metadata) from problem_packages where problem_id = ${id}) as settings,
        (select jsonb_agg(jsonb_build_array(path, name, bytes, content) order by path collate "C")
         from (select problem_files.*,
             (select md5(string_agg(problem_file_parts.content, ''::bytea order by number))
              from problem_file_parts where file_id = problem_files.id) as content
           from problem_files where problem_id = ${id}) as t) as files,
        (select jsonb_agg(jsonb_build_array(name, hint, description) order by position)
         from test_cases where problem_id = ${id}) as cases`),
  )
  return {
    ...fields,
    categories: problem.categories.map(({ name }: { name: string }) => name).sort(),
    test_cases: tests.test_cases.map(withoutIds),
    files,
    settings: stored?.settings ?? {},
    stored: stored?.files ?? [],
    cases: stored?.cases,
  }
}

function withoutIds({ id: _, problem_id, ...rest }: { id: string; problem_id: number }) {
  return rest
}
