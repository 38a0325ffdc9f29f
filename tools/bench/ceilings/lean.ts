import type { Row } from '../../../src/db/statement.ts'
import { languageJson } from '../../../src/features/shared/records/languages.ts'
import { userJson } from '../../../src/features/shared/records/users.ts'

/** The leanest statement for the response of a route, whose JSON Node writes. */
export interface LeanStatement {
  readonly name: string
  readonly text: string
  /** The names of the values for `$1`, `$2`, …. */
  readonly order: readonly string[]
}

/** Columns with this beginning hold JSON text, which becomes a part of the body as it is. */
const JSON_PREFIX = 'json_'

/** Writes the body from a row. */
export function writeLeanBody(row: Row): string {
  const fields = Object.entries(row).map(([column, value]) =>
    column.startsWith(JSON_PREFIX)
      ? `"${column.slice(JSON_PREFIX.length)}":${value}`
      : `"${column}":${JSON.stringify(value)}`,
  )
  return `{${fields.join(',')}}`
}

export const leanStatus: LeanStatement = {
  name: 'lean_status',
  order: ['submission_id'],
  text: 'select id, status from submissions where id = $1',
}

export const leanSubmission: LeanStatement = {
  name: 'lean_submission',
  order: ['submission_id'],
  text: `select submissions.id, submissions.user_id, submissions.problem_id, submissions.language_id,
          submissions.status, utc(submissions.submit_time) as submit_time, submissions.time_elapsed,
          submissions.failed_test_case_id, ${userJson('users')}::text as json_user,
          json_build_object('id', problems.id, 'title', problems.title, 'identifier', problems.identifier,
            'difficulty', problems.difficulty, 'updated_at', utc(problems.updated_at),
            'accept_timeout', problems.accept_timeout, 'execution_timeout', problems.execution_timeout,
            'memory_limit', problems.memory_limit)::text as json_problem,
          ${languageJson('languages')}::text as json_language, submissions.source_code,
          submissions.stdout, submissions.stderr, submissions.event_id,
          submissions.test_case_results::text as json_test_case_results
   from submissions
   join users on users.id = submissions.user_id
   join problems on problems.id = submissions.problem_id
   join languages on languages.id = submissions.language_id
   where submissions.id = $1`,
}

export const leanRun: LeanStatement = {
  name: 'lean_run',
  order: ['id'],
  text: 'select status, finished, stdout, stderr, runtime from runs where id = $1',
}
