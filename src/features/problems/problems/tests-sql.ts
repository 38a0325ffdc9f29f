import { actorStatement } from '../../../db/actor-statement.ts'
import { row } from '../../../db/statement.ts'
import { capabilitiesParam, missingCapabilities } from '../../shared/access/capabilities.ts'
import type { NamedCases } from './judging-rules.ts'
import { allTestCasesJson, ownLimits, testSizesJson } from './problem-json.ts'

/** Judges read the tests of a deleted problem while judgings of it are pending (D21). */
export const TESTS_ARE_SERVED = `(problems.deleted_at is null or :actor_role = 1 and (
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
  row: row<{ version: string; bytes: number; missing_capabilities: string | null }>(),
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

/** A row with tests or their manifest. */
export type TestsRow = { version: string; missing_capabilities: string | null; body: string | null }

/**
 * All test cases with their version, for judges and admins (D21). No body: the worker is too old,
 * or they have more than `whole_tests_bytes`.
 */
export const readProblemTests = actorStatement({
  name: 'read_problem_tests',
  params: { problem_id: 'integer', whole_tests_bytes: 'bigint', ...capabilitiesParam },
  row: row<TestsRow>(),
  select: `
      select problems.tests_version::text as version,
             ${missingCapabilities('problems')} as missing_capabilities,
             case when problems.tests_bytes <= :whole_tests_bytes and ${missingCapabilities('problems')} is null
               then ${testsText(allTestCasesJson)} end as body
      from problems
      where problems.id = :problem_id and ${TESTS_ARE_SERVED}`,
})

/** Like `readProblemTests`, with the sizes of the texts, which it does not read. */
export const readTestManifest = actorStatement({
  name: 'read_test_manifest',
  params: { problem_id: 'integer', ...capabilitiesParam },
  row: row<TestsRow>(),
  select: `
      select problems.tests_version::text as version,
             ${missingCapabilities('problems')} as missing_capabilities,
             case when ${missingCapabilities('problems')} is null then ${testsText(testSizesJson)} end as body
      from problems
      where problems.id = :problem_id and ${TESTS_ARE_SERVED}`,
})

const greatestIn = (path: string) => `(
               select max(named.number::integer)
               from jsonb_path_query(problems.judging_options, '${path}') as named (number))`

/** The number of test cases, and the greatest number of one in each option that names them. */
export const findNumberedCases = actorStatement({
  name: 'find_numbered_cases',
  params: { problem_id: 'integer' },
  row: row<NamedCases & { cases: number }>(),
  select: `
      select (select count(*)::integer from test_cases where test_cases.problem_id = problems.id) as cases,
             ${greatestIn('$.test_groups.**.cases[*]')} as test_groups,
             ${greatestIn('$.validation.case_flags[*].cases[*]')} as case_flags
      from problems
      where problems.id = :problem_id`,
})
