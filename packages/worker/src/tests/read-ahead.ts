import type { TestCase, TestSet } from './test-set.ts'

/** Reads the test cases that usually follow. Throws `UnreadableTests`. */
export type ReadNextCases = () => Promise<readonly TestCase[]>

export interface CaseToRun {
  readonly testCase: TestCase
  readonly readNext: ReadNextCases
}

/** On two free cores two sandboxes are made while a short program runs. */
const CASES_AHEAD = 2

/**
 * Reads the test case with a number, and on request those after it. Each is read once, unless the
 * numbers jump. No public test case follows a hidden one: the program could tell from the age of its
 * sandbox how long it took on the hidden one. Throws `UnreadableTests`.
 */
export function readAhead(tests: TestSet): (number: number) => Promise<CaseToRun> {
  const known = new Map<number, Promise<TestCase>>()
  const read = (number: number) => {
    const reading = known.get(number) ?? tests.read(number)
    known.set(number, reading)
    // A failure is reported for the test case that is judged.
    reading.catch(() => known.delete(number))
    return reading
  }
  return async (number) => {
    const last = Math.min(tests.size, number + CASES_AHEAD)
    for (const old of known.keys()) if (old < number || old > last) known.delete(old)
    const testCase = await read(number)
    const readNext = async () => {
      const next: TestCase[] = []
      let isHidden = testCase.hidden
      for (let following = number + 1; following <= last; following += 1) {
        const one = await read(following)
        if (isHidden && !one.hidden) break
        isHidden = one.hidden
        next.push(one)
      }
      return next
    }
    return { testCase, readNext }
  }
}
