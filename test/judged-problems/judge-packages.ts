import type { Schemas } from '@judge-data-layer/client'
import pLimit from 'p-limit'
import { type ExpectedPackage, expectedPackages } from '../problem-packages/expected-package.ts'
import { zipFolder } from '../support/zip-packages.ts'
import { importPackage, PROGRAMS_AT_ONCE, startJudging, verifyPackage } from './judging-service.ts'

export type Report = Schemas['Verification']

/** Starts a service with a worker, and imports all packages. Both stop with the test. */
export async function openPackageJudge() {
  const { service, stop, root } = await startJudging()
  const imported: (readonly [ExpectedPackage, problemId: number])[] = []
  for (const expected of expectedPackages) {
    const { folder, topFolder } = expected
    const zip = await zipFolder(folder, topFolder === undefined ? {} : { topFolder })
    imported.push([expected, await importPackage(service, root.token, zip)])
  }
  return {
    stop,
    /** Verifies every package; resolves to the finished reports. */
    // More at once would only wait for the worker, and overload the service with their polls.
    verifyAll: (): Promise<[ExpectedPackage, Report][]> =>
      pLimit(PROGRAMS_AT_ONCE).map(imported, async ([expected, problemId]) => [
        expected,
        await verifyPackage(root.client, problemId),
      ]),
  }
}

/** A line for each program of all packages, as the reports should have them. */
export function describeExpected(): string[] {
  return expectedPackages.flatMap(({ name, programs }) =>
    Object.entries(programs)
      .flatMap(([verdict, paths]) => paths.map((path) => `${name}, submissions/${path}: ${verdict}`))
      .sort(),
  )
}

/** The same for the programs of a report. */
export function describeVerdicts({ name }: ExpectedPackage, { programs }: Report): string[] {
  return programs
    .map(({ path, status, score }) => {
      const verdict = score === undefined ? status : `${status}, ${score} points`
      return `${name}, ${path}: ${verdict}`
    })
    .sort()
}
