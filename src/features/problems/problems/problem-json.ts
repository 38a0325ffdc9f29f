import { fieldsOf, withNotNull, withOptional } from '../../../db/json.ts'

const categoriesJson = `(
      select coalesce(json_agg(json_build_object('id', categories.id, 'name', categories.name) order by categories.name), '[]')
      from problem_categories
      join categories on categories.id = problem_categories.category_id
      where problem_categories.problem_id = problems.id)`

/** The fields of a problem's own limits. */
export const ownLimits = fieldsOf('problems', 'accept_timeout', 'execution_timeout', 'memory_limit')

const summaryFields = (limits: string) => `
      ${fieldsOf('problems', 'id', 'user_id', 'title', 'identifier', 'prompt', 'source')},
      ${fieldsOf('problems', 'difficulty', 'public')},
      'upload_date', utc(problems.upload_date),
      'updated_at', utc(problems.updated_at), ${limits},
      'categories', ${categoriesJson}`

const withTimeout = (fields: string) =>
  withOptional(fields, 'problems.timeout is not null', `'timeout', problems.timeout`)

/** A problem without its test cases; `limits` replaces its own limits (D18, D33). */
export const problemSummaryJson = (limits = ownLimits) => withTimeout(summaryFields(limits))

/** The bytes of a problem's texts without its test cases. */
export const problemBytes = 'octet_length(problems.prompt) + octet_length(problems.source)'

/** SQL expression of the bytes of a test case's texts; reads only the size of long ones. */
export const testCaseBytes =
  '(octet_length(test_cases.input)::bigint + octet_length(test_cases.expected_output))'

/** About the bytes of a test case in JSON besides its texts; hidden ones are listed without texts. */
const LISTED_TEST_BYTES = 200

const listedTestBytes = `${LISTED_TEST_BYTES} * (
          select count(*) from test_cases where test_cases.problem_id = problems.id)`

/** Whether a problem's texts, its shown test cases and more have at most `:most_bytes`. */
export const problemIsShort = (
  showsHidden: string,
  moreBytes = '0',
) => `(${problemBytes} + ${moreBytes} + ${listedTestBytes} + case
        when problems.tests_bytes <= :most_bytes or ${showsHidden} then problems.tests_bytes
        else (
          select coalesce(sum(${testCaseBytes}), 0)
          from test_cases
          where test_cases.problem_id = problems.id and not test_cases.hidden) end <= :most_bytes)`

const testCaseFields = (blanked: string) => `
               'id', test_cases.id,
               'problem_id', test_cases.problem_id,
               'input', case when ${blanked} then '' else test_cases.input end,
               'expected_output', case when ${blanked} then '' else test_cases.expected_output end,
               'hidden', test_cases.hidden`

const testCasesOf = (item: string, condition = 'true') => `(
      select coalesce(json_agg(${item} order by test_cases.position), '[]')
      from test_cases
      where test_cases.problem_id = problems.id and ${condition})`

/** A problem's test cases as a JSON array; those that are `blanked` have empty texts. */
const testCasesJson = (blanked: string, condition = 'true') =>
  testCasesOf(`json_build_object(${testCaseFields(blanked)})`, condition)

/** What a package says about a test case, for judges and admins. */
const packageFields = fieldsOf('test_cases', 'name', 'hint', 'description')

/** All test cases with their texts, for judges and admins. */
export const allTestCasesJson = testCasesOf(withNotNull(testCaseFields('false'), packageFields))

/** All test cases with the sizes of their texts, which are not read. */
export const testSizesJson = testCasesOf(
  withNotNull(
    `
               ${fieldsOf('test_cases', 'id', 'hidden', 'version')},
               'bytes', ${testCaseBytes}`,
    packageFields,
  ),
)

/** A problem with its test cases; hidden ones are blank, except for judges (D18). */
export const problemJson = (limits = ownLimits) =>
  withTimeout(`${summaryFields(limits)},
      'test_cases', ${testCasesJson('test_cases.hidden and :actor_role <> 1')}`)

/** A problem with its public test cases only (D33). */
export const problemWithOpenTestsJson = (limits: string) =>
  withTimeout(`${summaryFields(limits)},
      'test_cases', ${testCasesJson('false', 'not test_cases.hidden')}`)
