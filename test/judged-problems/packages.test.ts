import type { Schemas } from '@judge-data-layer/client'
import pLimit from 'p-limit'
import { beforeAll, describe, expect } from 'vitest'
import { type ExpectedPackage, expectedPackages } from '../problem-packages/expected-package.ts'
import { zipEntries, zipFolder } from '../support/zip-packages.ts'
import {
  importPackage,
  listBatches,
  PROGRAMS_AT_ONCE,
  ROUNDS,
  startJudging,
  testSandbox,
  verifyPackage,
} from './judging-service.ts'

type Report = Schemas['Verification']

describe('packages verify with the verdicts, points and limits that they name', () => {
  let judging: Awaited<ReturnType<typeof startJudging>>
  const problemIds = new Map<string, Promise<number>>()
  beforeAll(async () => {
    judging = await startJudging()
  })
  const importOnce = (expected: ExpectedPackage) => {
    const imported = problemIds.get(expected.name) ?? importExpected(judging, expected)
    problemIds.set(expected.name, imported)
    return imported
  }

  for (const { round, batch } of listBatches(expectedPackages, ROUNDS))
    testSandbox(`round ${round}: ${batch.map(({ name }) => name).join(', ')}`, async () => {
      // More at once would only wait for the worker, and overload the service with their polls.
      const reports = await pLimit(PROGRAMS_AT_ONCE).map(batch, async (expected) => ({
        expected,
        report: await verifyPackage(judging.root.client, await importOnce(expected)),
      }))
      const verdicts = reports.flatMap(({ expected, report }) => describeVerdicts(expected, report))
      expect(verdicts).toEqual(describeExpected(batch))
      for (const { expected, report } of reports) checkReport(expected, report)
    })
})

async function importExpected(
  { service, root }: Awaited<ReturnType<typeof startJudging>>,
  { folder, topFolder }: ExpectedPackage,
): Promise<number> {
  const zip = await zipFolder(folder, topFolder === undefined ? {} : { topFolder })
  return importPackage(service, root.token, zip)
}

/** A line for each program of packages, as the reports should have them. */
const describeExpected = (packages: readonly ExpectedPackage[]) =>
  packages.flatMap(({ name, programs }) =>
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

/** The package has no time limit; the input of the last test case is too large. */
const FILES: Readonly<Record<string, string>> = {
  'problem.yaml':
    'problem_format_version: 2025-09\nname: Double\nuuid: 6f2c1d6e-3b7a-4f0e-9a53-0c8d1f2e4b7a\n',
  'statement/problem.en.md': 'Print twice the number.',
  'data/sample/1.in': '1\n',
  'data/sample/1.ans': '2\n',
  'data/secret/2.in': '7\n',
  'data/secret/2.ans': '14\n',
  'data/secret/3.in': '2000\n',
  'data/secret/3.ans': '4000\n',
  'submissions/accepted/right.py': 'print(2 * int(input()))\n',
  'submissions/wrong_answer/wrong.py': 'print(2 * min(int(input()), 1000))\n',
  'submissions/run_time_error/crash.py': 'n = int(input())\nprint(2 * n // (n < 1000))\n',
  'submissions/time_limit_exceeded/slow.py': 'while int("7") > 1:\n    pass\n',
  'submissions/accepted/really-wrong.py': 'print(2)\n',
  'input_validators/check.py': `import sys
n = int(sys.stdin.read())
if n > 1000:
    sys.exit(f'{n} is too large')
sys.exit(42)
`,
  'input_validators/fine/build': '#!/bin/sh\ncp "$(dirname "$0")/check.sh" "$(dirname "$0")/run"\n',
  'input_validators/fine/check.sh': '#!/bin/sh\nexit 42\n',
  'answer_validators/even.py': `import sys
n = int(open(sys.argv[1]).read())
sys.exit(42 if int(sys.stdin.read()) == 2 * n else 43)
`,
}

testSandbox('a package is verified by a worker, which gives it its time limit', async () => {
  const { service, root } = await startJudging()
  const problemId = await importPackage(service, root.token, await zipEntries(Object.entries(FILES)))
  const report = await verifyPackage(root.client, problemId)
  const { seconds } = report.time_limit
  expect(report).toMatchObject({ agrees: false, time_limit: { provisional: false, computed: seconds } })
  const programs = report.programs.map(({ path, status, agrees }) => `${path} ${status} ${agrees}`)
  expect(programs).toEqual([
    'submissions/accepted/really-wrong.py WRONG_ANSWER false',
    'submissions/accepted/right.py ACCEPTED true',
    'submissions/run_time_error/crash.py RUNTIME_ERROR true',
    'submissions/time_limit_exceeded/slow.py TIME_LIMIT_EXCEEDED true',
    'submissions/wrong_answer/wrong.py WRONG_ANSWER true',
  ])
  expect(report.validators).toMatchObject([
    {
      ...{ path: 'input_validators/check.py', status: 'REJECTED', agrees: false },
      rejected: [{ test_case: 'secret/3', message: expect.stringContaining('2000 is too large') }],
    },
    { path: 'input_validators/fine', status: 'ACCEPTED', agrees: true },
    { path: 'answer_validators/even.py', status: 'ACCEPTED', agrees: true },
  ])
  const problem = await service.request('GET', `/v1/problems/${problemId}`, { token: root.token })
  expect(problem.body).toMatchObject({ execution_timeout: seconds, accept_timeout: 2 * Number(seconds) + 1 })
})
