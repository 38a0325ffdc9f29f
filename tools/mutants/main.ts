import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonTestResults } from 'vitest/node'
import { withoutTestVariables } from '../../scripts/check/variables.ts'

/** npm run mutants [-- NAME...]: applies each patch in a copy, and runs the tests of its area. */
const EXTENSION = '.patch'
const SHOWN_TESTS = 3
/** A run with a fault ends after so many tests have failed. */
const ENOUGH = 3
/** Faults let tests wait for what never comes. */
const LIMIT_MS = '120000'

type Mutant = Awaited<ReturnType<typeof readMutant>>

/** Reads the patches of a folder: a sentence, the line `tests: …`, and the difference. */
async function readMutants(folder: string) {
  const names = (await readdir(folder)).filter((name) => name.endsWith(EXTENSION)).sort()
  return Promise.all(names.map((name) => readMutant(join(folder, name))))
}

/** The fault is a sentence, and the tests are filters of Vitest. */
async function readMutant(path: string) {
  const name = basename(path, EXTENSION)
  const [, fault, tests] = /^(\S[^\n]*)\n\ntests: (\S[^\n]*)\n/.exec(await readFile(path, 'utf8')) ?? []
  if (fault === undefined || tests === undefined)
    throw new Error(`${path} must begin with the fault, an empty line and "tests: …"`)
  return { name, fault, tests: tests.split(' '), path }
}

/** Applies a patch to the project in a folder, or takes it back. Throws if it does not apply. */
function applyMutant({ path }: Mutant, folder: string, direction: 'forward' | 'back'): void {
  const reverse = direction === 'back' ? ['--reverse'] : []
  execFileSync('git', ['apply', ...reverse, path], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    // The copy is no repository, also if a folder above it is one.
    env: { ...process.env, GIT_CEILING_DIRECTORIES: join(folder, '..') },
  })
}

/** Their content is no source, or does not belong to a copy. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'data', 'release', 'secrets'])
const OWN_PACKAGES = '@judge-data-layer'

/** Copies the project with its build to a new folder. Libraries are links to the originals. */
async function copyProject(root: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'judge-mutants-'))
  await cp(root, folder, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !LEFT_OUT.has(relative(root, path).split(sep)[0] ?? ''),
  })
  const [libraries, links] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  await mkdir(links)
  const isLibrary = (name: string) => name !== OWN_PACKAGES && !/^\.(?!bin$)/.test(name)
  for (const name of (await readdir(libraries)).filter(isLibrary))
    await symlink(join(libraries, name), join(links, name))
  await cp(join(libraries, OWN_PACKAGES), join(links, OWN_PACKAGES), {
    recursive: true,
    verbatimSymlinks: true,
  })
  if (!existsSync(join(links, '.bin/vitest'))) throw new Error('Run npm ci first: Vitest is not installed.')
  return folder
}

/** Runs the tests whose paths contain one of the filters, on the embedded database. */
async function runTests(folder: string, filters: readonly string[], bail = 0) {
  const file = join(folder, 'mutant-report.json')
  await rm(file, { force: true })
  const args = ['vitest', 'run', '--reporter=json', `--outputFile=${file}`, `--bail=${bail}`, ...filters]
  const { stderr } = spawnSync('npx', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...withoutTestVariables(), TEST_LIMIT_MS: LIMIT_MS },
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
    /** Files that did not run to their end. */
    broken: found
      .filter(({ status, titles }) => status === 'failed' && titles.length === 0)
      .map(({ path }) => path),
  }
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
    const run = await runTests(folder, mutant.tests, ENOUGH)
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

const root = fileURLToPath(new URL('../..', import.meta.url))
const mutants = await readMutants(fileURLToPath(new URL('./patches', import.meta.url)))
const names = process.argv.slice(2)
const unknown = names.filter((name) => mutants.every((mutant) => mutant.name !== name))
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(' ')}\nknown: ${mutants.map(({ name }) => name).join(' ')}`)
  process.exit(2)
}
const folder = await copyProject(root)
process.once('exit', () => rmSync(folder, { recursive: true, maxRetries: 5 }))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
const found = new Map<Mutant, readonly string[]>()
const files = new Set<string>()
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
