import { lookUp } from '../package/collections.ts'

/** The expected results that the comments of a source give, as DOMjudge reads them. */
export interface SourceExpectation {
  /** Statuses of the service; empty: a person decides. */
  readonly statuses?: readonly string[]
  /** A text for people. */
  readonly expected?: string
  readonly score?: number
  /** Why an annotation is not used. */
  readonly warning?: string
}

/** Results and the statuses of the service for them, the usual one first. */
const RESULTS: Readonly<Record<string, readonly string[]>> = {
  CORRECT: ['ACCEPTED'],
  'WRONG-ANSWER': ['WRONG_ANSWER', 'PRESENTATION_ERROR'],
  'PRESENTATION-ERROR': ['PRESENTATION_ERROR', 'WRONG_ANSWER'],
  'NO-OUTPUT': ['WRONG_ANSWER', 'PRESENTATION_ERROR'],
  TIMELIMIT: ['TIME_LIMIT_EXCEEDED'],
  'RUN-ERROR': ['RUNTIME_ERROR', 'MEMORY_LIMIT_EXCEEDED'],
  'MEMORY-LIMIT': ['MEMORY_LIMIT_EXCEEDED', 'RUNTIME_ERROR'],
  'OUTPUT-LIMIT': ['OUTPUT_LIMIT_EXCEEDED'],
  'COMPILER-ERROR': ['COMPILE_TIME_ERROR'],
}

/** Other names, with `_` for `-`. */
const ALIASES: Readonly<Record<string, string>> = {
  ACCEPTED: 'CORRECT',
  TIME_LIMIT_EXCEEDED: 'TIMELIMIT',
  TIME_LIMIT: 'TIMELIMIT',
  RUN_TIME_ERROR: 'RUN-ERROR',
  RUNTIME_ERROR: 'RUN-ERROR',
  MEMORY_LIMIT_EXCEEDED: 'MEMORY-LIMIT',
  OUTPUT_LIMIT_EXCEEDED: 'OUTPUT-LIMIT',
  COMPILE_ERROR: 'COMPILER-ERROR',
}

/** A person decides about the result. */
const BY_HAND = 'CHECK-MANUALLY'

/**
 * Reads `@EXPECTED_RESULTS@: A, B` and `@EXPECTED_SCORE@: 40`. Without a number, the second one
 * means the same as the first. Undefined: the source has neither.
 */
export function readExpectedResults(source: string): SourceExpectation | undefined {
  const results: string[] = []
  const scores: string[] = []
  for (const [, kind = '', value = ''] of source.matchAll(/@EXPECTED_(RESULTS|SCORE)@:[ \t]*([^\r\n]*)/gi)) {
    const isScore = kind.toUpperCase() === 'SCORE' && /^\d/.test(value)
    if (isScore) scores.push(value)
    else results.push(value)
  }
  if (results.length === 0 && scores.length === 0) return undefined
  if (results.length > 1 || scores.length > 1)
    return { warning: 'the source has more than one expected result: none is used' }
  const score = scores.map((value) => Number.parseFloat(value))[0]
  return { ...results.map(parseResults)[0], ...(score !== undefined && { score }) }
}

/** The statuses for one result, such as `TIMELIMIT` or a folder's name. Undefined: not a result. */
export function findStatuses(result: string): readonly string[] | undefined {
  const underscored = result.toUpperCase().replaceAll('-', '_')
  return lookUp(RESULTS, lookUp(ALIASES, underscored) ?? underscored.replaceAll('_', '-'))
}

function parseResults(line: string): SourceExpectation {
  const [list = ''] = /^[\w-]+(?:[ \t]*,[ \t]*[\w-]+)*/.exec(line) ?? []
  const names = list.split(',').map((name) => name.trim())
  if (names.some((name) => name.toUpperCase().replaceAll('_', '-') === BY_HAND))
    return { statuses: [], warning: 'a person must check the result of this program' }
  const found = names.map((name) => ({ name, statuses: findStatuses(name) }))
  const unknown = found.find(({ statuses }) => statuses === undefined)
  if (unknown) {
    const name = JSON.stringify(unknown.name.slice(0, 100))
    return { warning: `${name} is an unknown expected result: none is used` }
  }
  const statuses = [...new Set(found.flatMap(({ statuses = [] }) => statuses))]
  const usual = [...new Set(found.flatMap(({ statuses = [] }) => statuses.slice(0, 1)))]
  return { statuses, expected: usual.join(' or ') }
}
