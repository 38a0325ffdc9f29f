import type { TestCase } from './test-case.ts'
import type { TestSet } from './test-set.ts'

/** A test case, and those that usually follow it. */
export interface CaseToRun {
  readonly testCase: TestCase
  readonly next: readonly TestCase[]
}

/** On two free cores two sandboxes are made while a short program runs. */
const CASES_AHEAD = 2

/**
 * Reads the test case with a number, and those with the next numbers. Each is read once, unless the
 * numbers jump. Throws `UnreadableTests`.
 */
export function readAhead(tests: TestSet): (number: number) => Promise<CaseToRun> {
  const known = new Map<number, TestCase>()
  const read = async (number: number) => {
    const testCase = known.get(number) ?? (await tests.read(number))
    known.set(number, testCase)
    return testCase
  }
  return async (number) => {
    const last = Math.min(tests.size, number + CASES_AHEAD)
    for (const old of known.keys()) if (old < number || old > last) known.delete(old)
    const testCase = await read(number)
    const next: TestCase[] = []
    for (let following = number + 1; following <= last; following += 1) next.push(await read(following))
    return { testCase, next }
  }
}
