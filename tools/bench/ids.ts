/** Ids contain their record's number as twelve digits, in TypeScript, SQL and pgbench. */
const FIRST = 100_000_000_000

const prefixes = {
  user: '00000000-0000-7000-8000-',
  case: '00000000-0000-7000-a000-',
  submission: '00000000-0000-7000-b000-',
} as const

/** The id of the n-th user. */
export const userId = (n: number) => `${prefixes.user}${FIRST + n}`

/** The id of the n-th submission. */
export const submissionId = (n: number) => `${prefixes.submission}${FIRST + n}`

/** The id of a test case; positions start at 1. */
export const caseId = (problem: number, position: number) => caseIdOf(String(10_000 + problem), position)

/** The same with five digits, or a placeholder, for the problem. */
export const caseIdOf = (fiveDigits: string, position: number) =>
  `${prefixes.case}1000${fiveDigits}${100 + position}`

/** SQL for the id of the n-th user; `n` is SQL too. */
export const userIdSql = (n: string) => `('${prefixes.user}' || (${FIRST} + (${n})::bigint)::text)::uuid`

/** SQL for the id of the n-th submission. */
export const submissionIdSql = (n: string) =>
  `('${prefixes.submission}' || (${FIRST} + (${n})::bigint)::text)::uuid`

/** SQL for the id of a problem's test case. */
export const caseIdSql = (problem: string, position: string) =>
  `('${prefixes.case}1000' || (10000 + ${problem})::text || (100 + ${position})::text)::uuid`
