import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { copyProject } from './copy.ts'
import { applyMutant, type Mutant, readMutants } from './mutant.ts'
import { runTests } from './run-tests.ts'

/**
 * npm run mutants [-- NAME...]: applies each patch in a copy of the project, and runs the tests of
 * its area, which must find it.
 */
const SHOWN_TESTS = 3
const root = fileURLToPath(new URL('../..', import.meta.url))
const mutants = await readMutants(fileURLToPath(new URL('./patches', import.meta.url)))
const names = process.argv.slice(2)
const unknown = names.filter((name) => mutants.every((mutant) => mutant.name !== name))
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(' ')}\nknown: ${mutants.map(({ name }) => name).join(' ')}`)
  process.exit(2)
}
const folder = await copyProject(root)
const found = new Map<Mutant, readonly string[]>()
const files = new Set<string>()
try {
  const chosen = mutants.filter(({ name }) => names.length === 0 || names.includes(name))
  for (const mutant of chosen) {
    const failed = await tryMutant(mutant)
    if (failed !== undefined) found.set(mutant, failed)
  }
  const failedWithout = new Set(files.size === 0 ? [] : (await runTests(folder, [...files])).failed)
  let passed = 0
  for (const mutant of chosen) if (report(mutant, failedWithout)) passed += 1
  console.log(`${passed} passed, ${chosen.length - passed} failed`)
  process.exitCode = passed === chosen.length ? 0 : 1
} finally {
  await rm(folder, { recursive: true, maxRetries: 5 })
}

/** The tests that fail with a mutant; undefined if it does not apply. */
async function tryMutant(mutant: Mutant): Promise<readonly string[] | undefined> {
  console.log(`${mutant.name}: ${mutant.fault}`)
  try {
    applyMutant(mutant, folder, 'forward')
  } catch (err) {
    console.log(`  the patch does not apply: ${Object(err).stderr ?? err}`)
    return undefined
  }
  try {
    const run = await runTests(folder, mutant.tests)
    for (const file of run.files) files.add(file)
    for (const file of run.broken) console.log(`  did not run: ${file}`)
    console.log(`  ${run.failed.length} tests failed, ${run.passed} passed`)
    return run.failed
  } finally {
    applyMutant(mutant, folder, 'back')
  }
}

/** Prints which tests found a mutant: those that fail without it do not count. */
function report(mutant: Mutant, failedWithout: ReadonlySet<string>): boolean {
  const finders = (found.get(mutant) ?? []).filter((test) => !failedWithout.has(test))
  console.log(`${finders.length > 0 ? 'found' : 'NOT FOUND'}  ${mutant.name}`)
  for (const test of finders.slice(0, SHOWN_TESTS)) console.log(`  ${test}`)
  if (finders.length > SHOWN_TESTS) console.log(`  and ${finders.length - SHOWN_TESTS} more`)
  return finders.length > 0
}
