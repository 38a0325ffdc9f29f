/**
 * The ids of the filled database follow from numbers, in SQL, here and in pgbench alike: twelve decimal digits after a prefix, ordered as they
 * were made, as the ids of the service are.
 */
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

/** The id of a problem's test case at a position from 1 on. */
export const caseId = (problem: number, position: number) => caseIdOf(String(10_000 + problem), position)

/** The same with a text in the problem's place, of five digits or to be replaced by them. */
export const caseIdOf = (fiveDigits: string, position: number) =>
  `${prefixes.case}1000${fiveDigits}${100 + position}`

/** SQL for the id of the n-th user, `n` being SQL for a number. */
export const userIdSql = (n: string) => `('${prefixes.user}' || (${FIRST} + (${n})::bigint)::text)::uuid`

/** SQL for the id of the n-th submission. */
export const submissionIdSql = (n: string) =>
  `('${prefixes.submission}' || (${FIRST} + (${n})::bigint)::text)::uuid`

/** SQL for the id of a problem's test case. */
export const caseIdSql = (problem: string, position: string) =>
  `('${prefixes.case}1000' || (10000 + ${problem})::text || (100 + ${position})::text)::uuid`
