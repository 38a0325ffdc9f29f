import { readAhead } from '../tests/read-ahead.ts'
import type { TestSet } from '../tests/test-set.ts'
import { JudgeError } from '../validation/judge-error.ts'
import { computeScore } from '../validation/score.ts'
import { type Verdict, VerdictBuilder } from '../verdicts/verdict.ts'
import type { CaseJudge } from './case-judge.ts'

/** The judge is at fault on one test case: its result says why. */
class CaseFault extends Error {}

/**
 * Judges a problem with groups of test cases. If the judge is at fault on one of them, there is no
 * score. Throws `JudgeError` for groups that cannot be used.
 */
export async function judgeGroups(judge: CaseJudge, tests: TestSet): Promise<Verdict> {
  const { test_groups: groups = [], run } = tests.options
  const verdict = new VerdictBuilder()
  const numbers: number[] = []
  const read = readAhead(tests)
  const runCase = async (number: number) => {
    const { testCase, readNext } = await read(number)
    const result = await judge(testCase, readNext)
    verdict.add(result)
    numbers.push(number)
    if (result.status === 'INTERNAL_ERROR') throw new CaseFault()
    return { accepted: result.status === 'ACCEPTED', score: result.score }
  }
  try {
    const score = await computeScore({ groups, caseCount: tests.size, runCase, runAll: run === 'all' })
    return verdict.finish({ ...score, points: numbers.map((number) => score.ofCases.get(number)) })
  } catch (err) {
    if (!(err instanceof CaseFault || err instanceof JudgeError)) throw err
    // A score that breaks the rules is a fault on the last test case.
    const fault = verdict.finishAtFault(err instanceof JudgeError ? err.message : undefined)
    if (fault === undefined) throw err
    return fault
  }
}
