import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
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
 * "N passed, N failed": a part without tests counts as one test. Returns whether all passed.
 */
export function summarise(folder: string, outcomes: readonly Outcome[]): boolean {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const reports = names.map((name): JsonTestResults => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  for (const { name, status, assertionResults } of reports.flatMap(({ testResults }) => testResults)) {
    const failed = assertionResults.filter((one) => one.status === 'failed').map(({ fullName }) => fullName)
    if (status === 'failed') console.log(`failed: ${relative('.', name)}: ${failed.join('; ') || 'the file'}`)
  }
  const failures = outcomes.filter(({ failure }) => failure !== undefined)
  for (const { name, failure } of failures) console.log(`failed: the step ${name} ${failure}`)
  const sum = (field: 'numPassedTests' | 'numFailedTests') =>
    reports.reduce((total, report) => total + report[field], 0)
  const others = outcomes.filter(
    ({ name, failure }) => failure === undefined && !names.includes(`${name}.json`),
  )
  const failed = Math.max(sum('numFailedTests'), failures.length)
  console.log(`${sum('numPassedTests') + others.length} passed, ${failed} failed`)
  return failed === 0
}
