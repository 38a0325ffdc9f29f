import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { fieldsOf } from '../../../db/json.ts'
import { oneOf, type RowOf } from '../../../db/statement.ts'
import { capabilitiesParam, missingCapabilities } from '../../shared/access/capabilities.ts'
import { allTestCasesJson, ownLimits, testCaseBytes, testSizesJson } from './problem-json.ts'

/** Judges read the tests of a deleted problem while judgings of it are pending (D21). */
const TESTS_ARE_SERVED = `(problems.deleted_at is null or :actor_role = 1 and (
        exists (
          select from submissions
          where submissions.problem_id = problems.id and submissions.status = 'PENDING')
        or exists (
          select from shadow_judgings
          where shadow_judgings.problem_id = problems.id and shadow_judgings.status = 'PENDING')))`

/** The version of a problem's tests and their size in bytes. Reads no test case. */
export const readTestsVersion = actorStatement({
  name: 'read_tests_version',
  params: { problem_id: 'integer', ...capabilitiesParam },
  columns: { version: 'text', bytes: 'float8', missing_capabilities: 'text | null' },
  select: `
      select problems.tests_version::text as version,
             (problems.tests_bytes + problems.judging_options_bytes)::float8 as bytes,
             ${missingCapabilities('problems')} as missing_capabilities
      from problems
      where problems.id = :problem_id and ${TESTS_ARE_SERVED}`,
})

/**
 * The text of a problem's tests: its own limits, its judging options, and the JSON array
 * `testCases` (D21, D41). `concat` leaves out options that are null.
 */
const testsText = (testCases: string) => `concat(
               left(json_build_object('problem_id', problems.id,${ownLimits})::text, -1),
               ', ' || substr(left(problems.judging_options::text, -1), 2),
               ', "test_cases" : ', ${testCases}, '}')`

const testsColumns = { version: 'text', missing_capabilities: 'text | null', body: 'text | null' } as const

export type TestsRow = RowOf<typeof testsColumns>

/** Without a body if the worker is too old, or unless the condition `fits` holds. */
const selectTests = (testCases: string, fits = 'true') => `
      select problems.tests_version::text as version,
             ${missingCapabilities('problems')} as missing_capabilities,
             case when ${fits} and ${missingCapabilities('problems')} is null
               then ${testsText(testCases)} end as body
      from problems
      where problems.id = :problem_id and ${TESTS_ARE_SERVED}`

/**
 * All test cases with their version, for judges and admins (D21). No body: the worker is too old,
 * or they have more than `whole_tests_bytes`.
 */
export const readProblemTests = actorStatement({
  name: 'read_problem_tests',
  params: { problem_id: 'integer', whole_tests_bytes: 'bigint', ...capabilitiesParam },
  columns: testsColumns,
  select: selectTests(allTestCasesJson, 'problems.tests_bytes <= :whole_tests_bytes'),
})

/** Like `readProblemTests`, with the sizes of the texts, which it does not read. */
export const readTestManifest = actorStatement({
  name: 'read_test_manifest',
  params: { problem_id: 'integer', ...capabilitiesParam },
  columns: testsColumns,
  select: selectTests(testSizesJson),
})

const testCaseColumns = { ...testsColumns, bytes: 'float8' } as const

export type TestCaseRow = RowOf<typeof testCaseColumns>

/** No body: the texts have more than `most_bytes`, and are not read, or the worker is too old. */
export const readTestCase = actorStatement({
  name: 'read_test_case',
  params: { problem_id: 'integer', test_case_id: 'uuid', most_bytes: 'bigint', ...capabilitiesParam },
  columns: testCaseColumns,
  select: `
      select concat(test_cases.version, case when test_cases.hidden then '-hidden' end) as version,
             ${testCaseBytes}::float8 as bytes,
             ${missingCapabilities('problems')} as missing_capabilities,
             case when ${testCaseBytes} <= :most_bytes and ${missingCapabilities('problems')} is null
               then json_build_object(
               ${fieldsOf('test_cases', 'id', 'problem_id', 'input', 'expected_output')},
               ${fieldsOf('test_cases', 'hidden', 'version')})::text end as body
      from problems
      join test_cases on test_cases.problem_id = problems.id
      where problems.id = :problem_id and test_cases.id = :test_case_id and ${TESTS_ARE_SERVED}`,
})

/** The input of a test case, or its answer, like `readTestCase`. */
export const readTestText = actorStatement({
  name: 'read_test_text',
  params: {
    ...{ problem_id: 'integer', test_case_id: 'uuid', is_answer: 'boolean', most_bytes: 'bigint' },
    ...capabilitiesParam,
  },
  columns: testCaseColumns,
  select: `
      select test_cases.version::text as version,
             octet_length(chosen.text)::float8 as bytes,
             ${missingCapabilities('problems')} as missing_capabilities,
             case when octet_length(chosen.text) <= :most_bytes and ${missingCapabilities('problems')} is null
               then chosen.text end as body
      from problems
      join test_cases on test_cases.problem_id = problems.id
      cross join lateral (
        select case when :is_answer then test_cases.expected_output else test_cases.input end as text) as chosen
      where problems.id = :problem_id and test_cases.id = :test_case_id and ${TESTS_ARE_SERVED}`,
})

const greatestIn = (path: string) => `(
               select max(named.number::integer)
               from jsonb_path_query(problems.judging_options, '${path}') as named (number))`

/** The number of test cases, and the greatest number of one in each option that names them. */
export const findNumberedCases = actorStatement({
  name: 'find_numbered_cases',
  params: { problem_id: 'integer' },
  columns: { cases: 'integer', test_groups: 'integer | null', case_flags: 'integer | null' },
  select: `
      select (select count(*)::integer from test_cases where test_cases.problem_id = problems.id) as cases,
             ${greatestIn('$.test_groups.**.cases[*]')} as test_groups,
             ${greatestIn('$.validation.case_flags[*].cases[*]')} as case_flags
      from problems
      where problems.id = :problem_id`,
})

/** The columns of new test cases. */
export const testCaseParams = {
  test_case_ids: 'uuid[]',
  inputs: 'text[]',
  expected_outputs: 'text[]',
  hidden: 'boolean[]',
} as const

/** After `lockProblem`: the new test cases come last. */
export const appendTestCases = actorStatement({
  name: 'append_test_cases',
  params: { problem_id: 'integer', ...testCaseParams },
  columns: { body: 'text' },
  with: `problem as (
      select problems.id, coalesce(max(test_cases.position), 0) as last_position
      from problems
      left join test_cases on test_cases.problem_id = problems.id
      where problems.id = :problem_id and ${ACTOR_EXISTS}
      group by problems.id
    ), appended as (
      insert into test_cases (id, problem_id, position, input, expected_output, hidden)
      select given.id, problem.id, problem.last_position + given.position,
             given.input, given.expected_output, given.hidden
      from problem,
           unnest(:test_case_ids, :inputs, :expected_outputs, :hidden)
             with ordinality as given (id, input, expected_output, hidden, position)
    )`,
  select: `select json_build_object('ids', to_json(:test_case_ids))::text as body from problem`,
})

/** After `lockProblem`. Null leaves a field as it is. */
export const updateTestCase = actorStatement({
  name: 'update_test_case',
  params: {
    problem_id: 'integer',
    test_case_id: 'uuid',
    input: 'text?',
    expected_output: 'text?',
    hidden: 'boolean?',
  },
  with: `updated as (
      update test_cases
      set input           = coalesce(:input, test_cases.input),
          expected_output = coalesce(:expected_output, test_cases.expected_output),
          hidden          = coalesce(:hidden, test_cases.hidden)
      where test_cases.id = :test_case_id and test_cases.problem_id = :problem_id and ${ACTOR_EXISTS}
      returning test_cases.id
    )`,
  select: 'select updated.id from updated',
})

/** After `lockProblem`. Keeps the last test case, and all if the options name their numbers. */
export const deleteTestCase = actorStatement({
  name: 'delete_test_case',
  params: { problem_id: 'integer', test_case_id: 'uuid' },
  columns: { is_only: 'boolean', named_in: oneOf('test_groups', 'validation.case_flags', null) },
  with: `found_case as (
      select test_cases.id,
             not exists (
               select from test_cases as others
               where others.problem_id = problems.id and others.id <> test_cases.id) as is_only,
             case
               when problems.judging_options ? 'test_groups' then 'test_groups'
               when (problems.judging_options -> 'validation') ? 'case_flags' then 'validation.case_flags'
             end as named_in
      from problems
      join test_cases on test_cases.problem_id = problems.id
      where problems.id = :problem_id and test_cases.id = :test_case_id and ${ACTOR_EXISTS}
    ), deleted as (
      delete from test_cases
      using found_case
      where test_cases.id = found_case.id and not found_case.is_only and found_case.named_in is null
    )`,
  select: 'select found_case.is_only, found_case.named_in from found_case',
})
