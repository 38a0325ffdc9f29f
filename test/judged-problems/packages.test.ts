import { expect } from 'vitest'
import type { ExpectedPackage } from '../problem-packages/expected-package.ts'
import { describeExpected, describeVerdicts, openPackageJudge, type Report } from './judge-packages.ts'
import { ROUNDS, testSandbox } from './judging-service.ts'

testSandbox(
  'every package verifies with the verdicts, points and limits that it names, each time',
  async () => {
    const judge = await openPackageJudge()
    for (let round = 1; round <= ROUNDS; round += 1) {
      const reports = await judge.verifyAll()
      const verdicts = reports.flatMap(([expected, report]) => describeVerdicts(expected, report))
      expect(verdicts, `round ${round}`).toEqual(describeExpected())
      for (const [expected, report] of reports) checkReport(expected, report)
    }
    await judge.stop()
  },
)

function checkReport({ name, computedTimeLimit }: ExpectedPackage, report: Report): void {
  const faults = [...report.programs, ...report.validators].filter(({ agrees }) => agrees === false)
  expect.soft([name, faults, report.time_limit.message, report.agrees]).toEqual([name, [], undefined, true])
  if (computedTimeLimit === undefined) return
  const [least, most] = computedTimeLimit
  const { computed } = report.time_limit
  expect(computed, name).toBeGreaterThanOrEqual(least)
  expect(computed, name).toBeLessThanOrEqual(most)
}
