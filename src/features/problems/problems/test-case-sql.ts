import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { fieldsOf } from '../../../db/json.ts'
import { row } from '../../../db/statement.ts'
import { capabilitiesParam, missingCapabilities } from '../../shared/access/capabilities.ts'
import { testCaseBytes } from './problem-json.ts'
import { TESTS_ARE_SERVED } from './tests-sql.ts'

/** The columns of new test cases. */
export const testCaseParams = {
  test_case_ids: 'uuid[]',
  inputs: 'text[]',
  expected_outputs: 'text[]',
  hidden: 'boolean[]',
} as const

/** A row with a test case or one of its texts. */
export type TestCaseRow = {
  version: string
  bytes: number
  missing_capabilities: string | null
  body: string | null
}

/** No body: the texts have more than `most_bytes`, and are not read, or the worker is too old. */
export const readTestCase = actorStatement({
  name: 'read_test_case',
  params: { problem_id: 'integer', test_case_id: 'uuid', most_bytes: 'bigint', ...capabilitiesParam },
  row: row<TestCaseRow>(),
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
  row: row<TestCaseRow>(),
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

/** After `lockProblem`: the new test cases come last. */
export const appendTestCases = actorStatement({
  name: 'append_test_cases',
  params: { problem_id: 'integer', ...testCaseParams },
  row: row<{ body: string }>(),
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
  row: row<{ is_only: boolean; named_in: 'test_groups' | 'validation.case_flags' | null }>(),
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
