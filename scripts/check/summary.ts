import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { JsonTestResults } from 'vitest/node'
import type { Outcome } from './run-part.ts'

/** The table of the last run. */
const TABLE = 'node_modules/.cache/judge-data-layer/steps.txt'

/** Prints the wall time and the CPU time of each part, and writes them to a file. */
export function writeTable(outcomes: readonly Outcome[]): void {
  const row = (name: string, ...cells: string[]) =>
    `${name.padEnd(16)}${cells.map((cell) => cell.padStart(10)).join('')}`
  const rows = outcomes.map(({ name, wallSeconds, cpuSeconds, failure }) =>
    row(name, wallSeconds.toFixed(0), cpuSeconds.toFixed(0), failure === undefined ? 'passed' : 'FAILED'),
  )
  const table = `${[row('step', 'wall s', 'CPU s', 'outcome'), ...rows].join('\n')}\n`
  mkdirSync(dirname(TABLE), { recursive: true })
  writeFileSync(TABLE, table)
  console.log(`${table}The table is in ${TABLE}.`)
}

/**
 * Adds up the reports of Vitest in a folder. Prints the failed tests and parts, and then
 * "N passed, N failed". A part counts as one test if it has none, or if none of them failed and it
 * failed. Returns whether all passed.
 */
export function summarise(folder: string, outcomes: readonly Outcome[]): boolean {
  const reports = new Map<string, JsonTestResults>()
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json')))
    reports.set(basename(file, '.json'), JSON.parse(readFileSync(join(folder, file), 'utf8')))
  let [passed, failed, skipped] = [0, 0, 0]
  for (const { testResults, numPassedTests, numFailedTests, numPendingTests } of reports.values()) {
    passed += numPassedTests
    failed += numFailedTests
    skipped += numPendingTests
    for (const { name, status, assertionResults } of testResults) {
      const titles = assertionResults.filter((one) => one.status === 'failed').map(({ fullName }) => fullName)
      if (status === 'failed')
        console.log(`failed: ${relative('.', name)}: ${titles.join('; ') || 'the file'}`)
    }
  }
  for (const { name, failure } of outcomes) {
    const report = reports.get(name)
    if (failure === undefined) passed += report === undefined ? 1 : 0
    else {
      console.log(`failed: the step ${name} ${failure}`)
      failed += report?.numFailedTests ? 0 : 1
    }
  }
  if (skipped > 0) console.log(`${skipped} tests were skipped; each part says why.`)
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0
}
