import { CASES_PER_PROBLEM } from './sizes.ts'

/** Ids contain their record's number as twelve digits, in TypeScript, SQL and pgbench. */
const FIRST = 100_000_000_000
const USER = '00000000-0000-7000-8000-'
const CASE = '00000000-0000-7000-a000-1000'
const SUBMISSION = '00000000-0000-7000-b000-'
const RUN = '00000000-0000-7000-9100-'

const idSql = (prefix: string) => (n: string) => `('${prefix}' || (${FIRST} + (${n})::bigint)::text)::uuid`

export const userId = (n: number) => `${USER}${FIRST + n}`

/** SQL for the id of the n-th user; `n` is SQL too. */
export const userIdSql = idSql(USER)

export const submissionId = (n: number) => `${SUBMISSION}${FIRST + n}`

export const submissionIdSql = idSql(SUBMISSION)

export const runId = (n: number) => `${RUN}${FIRST + n}`

export const runIdSql = idSql(RUN)

/** The id of a test case, from 10,000 + problem or a placeholder; positions start at 1. */
export const caseId = (fiveDigits: string | number, position: number) =>
  `${CASE}${fiveDigits}${100 + position}`

export const caseIdSql = (problem: string, position: string) =>
  `('${CASE}' || (10000 + ${problem})::text || (100 + ${position})::text)::uuid`

export const PASSWORD = 'correct horse battery staple'

export const emailOf = (n: number) => `user-${n}@example.org`

/** A program of 1.2 kB. */
export const SOURCE_CODE = `# A solution in so many lines.\n${'total = (total * 31 + values[i]) % 1000000007\n'.repeat(25)}`

/** A placeholder for five digits of the problem. */
export const FIVE = 'PPPPP'
const OUTPUT = '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20'
const positions = Array.from({ length: CASES_PER_PROBLEM }, (_, n) => n + 1)
const resultOf = (position: number) => ({
  ...{ test_case_id: caseId(FIVE, position), stdout: OUTPUT, stderr: '', passed: true },
})

/** The body of a verdict with 20 test results. */
export const patchBody = (problem: number) =>
  JSON.stringify({
    ...{ status: 'ACCEPTED', stdout: '', stderr: '', time_elapsed: 0.25 },
    test_case_results: positions.map(resultOf),
  }).replaceAll(FIVE, String(10_000 + problem))

/** The stored results of this verdict, with `FIVE` for the problem. */
export const storedResults = JSON.stringify(
  positions.map((position) => ({
    id: `000000${10 + position}-0000-7000-c000-000000000000`,
    submission_id: submissionId(0),
    ...resultOf(position),
  })),
)

/** Its test cases as a PostgreSQL array, with `FIVE` for the problem. */
export const namedCases = `{${positions.map((position) => caseId(FIVE, position)).join(',')}}`
