import type { Row } from '../../../src/db/statement.ts'
import { languageJson } from '../../../src/features/records/languages.ts'
import { userJson } from '../../../src/features/records/users.ts'

/** The leanest statement for the response of a route, whose JSON Node writes. */
export interface LeanStatement {
  readonly name: string
  readonly text: string
  /** The names of the values for `$1`, `$2`, …. */
  readonly order: readonly string[]
  /** How the rows become the body: the first row, or an array of all rows. */
  readonly shape: 'record' | 'list'
}

/** Columns with this beginning hold JSON text, which becomes a part of the body as it is. */
const JSON_PREFIX = 'json_'

/** Writes the body from the rows. */
export function writeLeanBody(shape: LeanStatement['shape'], rows: readonly Row[]): string {
  return shape === 'list' ? `[${rows.map(writeRecord).join(',')}]` : writeRecord(rows[0] ?? {})
}

function writeRecord(row: Row): string {
  const fields = Object.entries(row).map(([column, value]) =>
    column.startsWith(JSON_PREFIX)
      ? `"${column.slice(JSON_PREFIX.length)}":${value}`
      : `"${column}":${JSON.stringify(value)}`,
  )
  return `{${fields.join(',')}}`
}

const record = (name: string, order: readonly string[], text: string): LeanStatement => ({
  ...{ name: `lean_${name}`, text, order },
  shape: 'record',
})

const list = (name: string, order: readonly string[], text: string): LeanStatement => ({
  ...record(name, order, text),
  shape: 'list',
})

export const leanStatus = record(
  'status',
  ['submission_id'],
  'select id, status from submissions where id = $1',
)

export const leanSubmission = record(
  'submission',
  ['submission_id'],
  `select submissions.id, submissions.user_id, submissions.problem_id, submissions.language_id,
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
)

const categories = `(
            select coalesce(json_agg(json_build_object('id', categories.id, 'name', categories.name)
                              order by categories.name), '[]')::text
            from problem_categories
            join categories on categories.id = problem_categories.category_id
            where problem_categories.problem_id = problems.id) as json_categories`

const problemColumns = `problems.id, problems.user_id, problems.title, problems.identifier, problems.prompt,
          problems.source, problems.difficulty, problems.public, utc(problems.upload_date) as upload_date,
          utc(problems.updated_at) as updated_at, problems.accept_timeout, problems.execution_timeout,
          problems.memory_limit, ${categories}`

export const leanProblem = record(
  'problem',
  ['problem_id'],
  `select ${problemColumns}, (
            select json_agg(json_build_object('id', test_cases.id, 'problem_id', test_cases.problem_id,
                     'input', case when test_cases.hidden then '' else test_cases.input end,
                     'expected_output', case when test_cases.hidden then '' else test_cases.expected_output end,
                     'hidden', test_cases.hidden) order by test_cases.position)::text
            from test_cases
            where test_cases.problem_id = problems.id) as json_test_cases
   from problems
   where problems.id = $1`,
)

export const leanEventProblems = list(
  'event_problems',
  ['event_id'],
  `select event_problems.id, event_problems.event_id, event_problems.problem_id, event_problems.hidden,
          problems.accept_timeout, problems.execution_timeout, problems.memory_limit, (
            select row_to_json(problem)::text
            from (select ${problemColumns.replace('::text', '').replace('json_categories', 'categories')}) as problem
          ) as json_problem
   from event_problems
   join problems on problems.id = event_problems.problem_id
   where event_problems.event_id = $1
   order by event_problems.id`,
)

export const leanNotificationCount = record(
  'notification_count',
  ['actor'],
  'select count(*)::integer as count from notifications where user_id = $1 and read_at is null',
)

export const leanRun = record(
  'run',
  ['id'],
  'select status, finished, stdout, stderr, runtime from runs where id = $1',
)

export const leanLanguages = list(
  'languages',
  [],
  'select id, name, extension, version from languages where retired_at is null order by position, id',
)
