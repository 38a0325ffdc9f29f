import type { JudgingOptions } from '@judge-data-layer/problem-format/judging-options'
import type { StoredMetadata } from '@judge-data-layer/problem-format/read-package'
import type { ExportedProblem } from '@judge-data-layer/problem-format/write-package'
import { actorStatement } from '../../../db/actor-statement.ts'
import { fieldsOf } from '../../../db/json.ts'
import { json, type RowOf } from '../../../db/statement.ts'
import type { StoredTest } from './export-calls.ts'
import type { StoredFileName } from './file-sql.ts'

/** Changes with everything that an export contains. */
const version = `concat(problems.updated_at, problems.tests_version, problem_packages.version)`

const joined = `problems
      left join problem_packages on problem_packages.problem_id = problems.id`

interface ProblemRow
  extends Omit<ExportedProblem, 'hasOwnStatements' | 'tests' | 'files' | 'metadata' | keyof JudgingOptions> {
  readonly options: Partial<JudgingOptions> | null
  readonly metadata: StoredMetadata | null
}

const exportColumns = {
  version: 'text',
  problem: json<ProblemRow>(),
  tests: json<StoredTest[]>(),
  files: json<StoredFileName[]>(),
} as const

export type ExportRow = RowOf<typeof exportColumns>

/** A problem with the names of its test cases and files; their content is read one by one. */
export const readExport = actorStatement({
  name: 'read_export',
  params: { problem_id: 'integer' },
  columns: exportColumns,
  select: `
      select ${version} as version,
             json_build_object(
               ${fieldsOf('problems', 'id', 'title', 'identifier', 'prompt', 'source')},
               ${fieldsOf('problems', 'difficulty', 'timeout', 'accept_timeout', 'execution_timeout')},
               ${fieldsOf('problems', 'timeout_is_provisional', 'memory_limit')},
               'upload_date', utc(problems.upload_date),
               'updated_at', utc(problems.updated_at),
               'options', problems.judging_options,
               'metadata', problem_packages.metadata,
               'categories', (
                 select coalesce(json_agg(categories.name order by categories.name), '[]')
                 from problem_categories
                 join categories on categories.id = problem_categories.category_id
                 where problem_categories.problem_id = problems.id)) as problem,
             (select coalesce(json_agg(json_build_object(
                       ${fieldsOf('test_cases', 'id', 'hidden', 'name', 'hint', 'description')},
                       'input_bytes', octet_length(test_cases.input),
                       'answer_bytes', octet_length(test_cases.expected_output))
                     order by test_cases.position), '[]')
              from test_cases
              where test_cases.problem_id = problems.id) as tests,
             (select coalesce(json_agg(json_build_object(
                       ${fieldsOf('problem_files', 'id', 'path', 'bytes')}) order by problem_files.path), '[]')
              from problem_files
              where problem_files.problem_id = problems.id) as files
      from ${joined}
      where problems.id = :problem_id and problems.deleted_at is null`,
})

/** One text of a test case. No row: the problem has changed since the export began. */
export const readExportedText = actorStatement({
  name: 'read_exported_text',
  params: { problem_id: 'integer', version: 'text', test_case_id: 'uuid', is_input: 'boolean' },
  columns: { text: 'text' },
  select: `
      select case when :is_input then test_cases.input else test_cases.expected_output end as text
      from ${joined}
      join test_cases on test_cases.problem_id = problems.id
      where problems.id = :problem_id and test_cases.id = :test_case_id and ${version} = :version`,
})
