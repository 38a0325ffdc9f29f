import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * Adds up the Vitest JSON reports in a folder. Prints the names of failed tests and steps, and then
 * "N passed, N failed". A failed step counts as one failure unless the reports already count more:
 * `node summarise-tests.js FOLDER FILE_OF_FAILED_STEPS`.
 */
const [folder = '.', stepsFile = ''] = process.argv.slice(2)
const reports = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
const steps = existsSync(stepsFile) ? readFileSync(stepsFile, 'utf8').trim().split('\n') : []
const tests = reports.flatMap(({ testResults }) =>
  testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((one) => one.status === 'failed').map(({ fullName }) => fullName)
    return status === 'failed' ? [`${relative('.', name)}: ${failed.join('; ') || 'the file failed'}`] : []
  }),
)
for (const failure of [...tests, ...steps.map((step) => `the step "${step}"`)])
  console.log(`failed: ${failure}`)
const sum = (field) => reports.reduce((total, report) => total + report[field], 0)
const passed = sum('numPassedTests')
const failed = Math.max(sum('numFailedTests'), steps.length)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
