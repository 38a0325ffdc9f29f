import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { JsonTestResults } from 'vitest/node'

/** The outcome of a run of Vitest. */
export interface TestRun {
  /** The tests that failed, as `FILE: TITLE`. */
  readonly failed: readonly string[]
  /** The files with a failed test. */
  readonly files: readonly string[]
  readonly passed: number
  /** Files that did not run to their end. */
  readonly broken: readonly string[]
}

/** A run ends after so many tests have failed. */
const ENOUGH = 3
/** Faults let tests wait for what never comes. */
const LIMIT_MS = '120000'

/** Runs the tests of a project whose paths contain one of the filters. */
export async function runTests(folder: string, filters: readonly string[]): Promise<TestRun> {
  const file = join(folder, 'mutant-report.json')
  await rm(file, { force: true })
  const args = ['vitest', 'run', '--reporter=json', `--outputFile=${file}`, `--bail=${ENOUGH}`, ...filters]
  const { stderr } = spawnSync('npx', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, TEST_LIMIT_MS: LIMIT_MS },
  })
  if (!existsSync(file)) throw new Error(`Vitest wrote no report:\n${stderr}`)
  const { testResults, numPassedTests }: JsonTestResults = JSON.parse(await readFile(file, 'utf8'))
  if (testResults.length === 0) throw new Error(`Vitest ran no test:\n${stderr}`)
  const found = testResults.map(({ name, status, assertionResults }) => ({
    path: relative(folder, name),
    status,
    titles: assertionResults.filter((one) => one.status === 'failed').map(({ fullName }) => fullName),
  }))
  const failing = found.filter(({ titles }) => titles.length > 0)
  return {
    failed: failing.flatMap(({ path, titles }) => titles.map((title) => `${path}: ${title}`)),
    files: failing.map(({ path }) => path),
    passed: numPassedTests,
    broken: found
      .filter(({ status, titles }) => status === 'failed' && titles.length === 0)
      .map(({ path }) => path),
  }
}
