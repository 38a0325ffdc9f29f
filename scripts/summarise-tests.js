import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Adds up the Vitest JSON reports in a folder and prints "N passed, N failed". A failed step counts as
 * one failure unless the reports already count more: `node summarise-tests.js FOLDER FAILED_STEPS`.
 */
const [folder = '.', failedSteps = '0'] = process.argv.slice(2)
const reports = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
const sum = (field) => reports.reduce((total, report) => total + report[field], 0)
const passed = sum('numPassedTests')
const failed = Math.max(sum('numFailedTests'), Number(failedSteps))
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
