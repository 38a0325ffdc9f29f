import { caseIdOf, submissionId } from './ids.ts'
import { CASES_PER_PROBLEM } from './sizes.ts'

/** A placeholder for five digits of the problem. */
export const FIVE = 'PPPPP'
const positions = Array.from({ length: CASES_PER_PROBLEM }, (_, n) => n + 1)
const OUTPUT = '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20'

/** The body of a verdict with 20 test results. */
export const patchBody = (problem: number) =>
  JSON.stringify({
    status: 'ACCEPTED',
    stdout: '',
    stderr: '',
    time_elapsed: 0.25,
    test_case_results: positions.map((position) => ({
      test_case_id: caseIdOf(FIVE, position),
      stdout: OUTPUT,
      stderr: '',
      passed: true,
    })),
  }).replaceAll(FIVE, String(10_000 + problem))

/** The stored results of this verdict, with `FIVE` for the problem. */
export const storedResults = JSON.stringify(
  positions.map((position) => ({
    id: `000000${10 + position}-0000-7000-c000-000000000000`,
    submission_id: submissionId(0),
    test_case_id: caseIdOf(FIVE, position),
    stdout: OUTPUT,
    stderr: '',
    passed: true,
  })),
)

/** Its test cases as a PostgreSQL array, with `FIVE` for the problem. */
export const namedCases = `{${positions.map((position) => caseIdOf(FIVE, position)).join(',')}}`
