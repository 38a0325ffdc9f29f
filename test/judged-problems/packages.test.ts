import type { Schemas } from '@judge-data-layer/client'
import pLimit from 'p-limit'
import { expect } from 'vitest'
import { type ExpectedPackage, expectedPackages } from '../problem-packages/expected-package.ts'
import { zipFolder } from '../support/zip-packages.ts'
import {
  importPackage,
  PROGRAMS_AT_ONCE,
  ROUNDS,
  startJudging,
  testSandbox,
  verifyPackage,
} from './judging-service.ts'

type Report = Schemas['Verification']

testSandbox(
  'every package verifies with the verdicts, points and limits that it names, each time',
  async () => {
    const { service, root } = await startJudging()
    const imported: (readonly [ExpectedPackage, problemId: number])[] = []
    for (const expected of expectedPackages) {
      const { folder, topFolder } = expected
      const zip = await zipFolder(folder, topFolder === undefined ? {} : { topFolder })
      imported.push([expected, await importPackage(service, root.token, zip)])
    }
    for (let round = 1; round <= ROUNDS; round += 1) {
      // More at once would only wait for the worker, and overload the service with their polls.
      const reports = await pLimit(PROGRAMS_AT_ONCE).map(imported, async ([expected, problemId]) => ({
        expected,
        report: await verifyPackage(root.client, problemId),
      }))
      const verdicts = reports.flatMap(({ expected, report }) => describeVerdicts(expected, report))
      expect(verdicts, `round ${round}`).toEqual(describeExpected())
      for (const { expected, report } of reports) checkReport(expected, report)
    }
  },
)

/** A line for each program of all packages, as the reports should have them. */
const describeExpected = () =>
  expectedPackages.flatMap(({ name, programs }) =>
    Object.entries(programs)
      .flatMap(([verdict, paths]) => paths.map((path) => `${name}, submissions/${path}: ${verdict}`))
      .sort(),
  )

/** The same for the programs of a report. */
const describeVerdicts = ({ name }: ExpectedPackage, { programs }: Report) =>
  programs
    .map(({ path, status, score }) => {
      const verdict = score === undefined ? status : `${status}, ${score} points`
      return `${name}, ${path}: ${verdict}`
    })
    .sort()

function checkReport({ name, computedTimeLimit }: ExpectedPackage, report: Report): void {
  const faults = [...report.programs, ...report.validators].filter(({ agrees }) => agrees === false)
  expect.soft([name, faults, report.time_limit.message, report.agrees]).toEqual([name, [], undefined, true])
  if (computedTimeLimit === undefined) return
  const [least, most] = computedTimeLimit
  const { computed } = report.time_limit
  expect(computed, name).toBeGreaterThanOrEqual(least)
  expect(computed, name).toBeLessThanOrEqual(most)
}
