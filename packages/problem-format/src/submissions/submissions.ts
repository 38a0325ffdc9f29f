import {
  filesIn,
  PackageError,
  type PackageFile,
  type PackageFiles,
  type Warnings,
} from '../package/package-files.ts'
import type { PackageMetadata } from '../package/package-problem.ts'
import { checkContradictions } from './contradictions.ts'
import { type FolderMeaning, findFolderMeaning } from './default-expectations.ts'
import { describeRange, joinOptions, type Rule, statusOf, type Verdict } from './expectations.ts'
import { findStatuses, readExpectedResults, type SourceExpectation } from './expected-results.ts'
import { plainLengthOf } from './glob-pattern.ts'
import {
  checkConsistency,
  MOST_COMPARISONS,
  makeRules,
  readSubmissionsYaml,
  SUBMISSIONS_YAML,
  type SubmissionEntry,
} from './submissions-yaml.ts'

/** A program of `submissions/` and the results that it should have. */
export interface ExampleProgram {
  /** Such as `submissions/wrong_answer/off-by-one.py`; for a program in a folder, the folder. */
  readonly path: string
  /** Sorted by path. */
  readonly files: readonly PackageFile[]
  /** The language key of `submissions.yaml`; undefined: the extensions decide. */
  readonly language: string | undefined
  /** The key `entrypoint`: a file or class that starts the program. */
  readonly entrypoint: string | undefined
  /** All of them must hold. */
  readonly rules: readonly Rule[]
  /** A short text for people, such as `RUNTIME_ERROR or TIME_LIMIT_EXCEEDED`. */
  readonly expected: string
}

/** The files of a program. */
interface ProgramFiles {
  readonly path: string
  /** Below `submissions`, such as `accepted`. */
  readonly folder: string
  readonly files: PackageFile[]
}

/** Rules of one source, with a text for people. */
interface Condition {
  readonly rules: readonly Rule[]
  readonly expected?: string
}

/** Bounds for the work of reading programs. */
const MOST_PROGRAMS = 1000
/** Rules of all programs: a verification stores them with each program. */
const MOST_RULES = 20_000
/** Rules of all programs times test cases: a report looks at each test case for each rule. */
const MOST_CHECKS = 50_000_000
/** Characters of patterns from the first `*` or `{` times characters of test names: a second. */
const MOST_CASE_COMPARISONS = 50_000_000
const MOST_SOURCE_BYTES = 1024 * 1024
/** Such as `.gitkeep`. */
const AUXILIARY = /\/(?:\.|__pycache__\/)/

/**
 * Reads the programs of `submissions/`, sorted by path. DOMjudge's `@EXPECTED_RESULTS@` in a source
 * replaces the rule of its folder, in packages of every version. With the test cases,
 * warns of patterns that match none. Throws `PackageError`.
 */
export async function readPrograms(
  files: PackageFiles,
  metadata: PackageMetadata,
  warnings: Warnings,
  tests?: readonly { readonly name: string }[],
): Promise<ExampleProgram[]> {
  const entries = await readSubmissionsYaml(files, metadata, warnings, tests)
  const programs = listPrograms(files, warnings)
  checkComparisons(entries, programs)
  const read: ExampleProgram[] = []
  const used = new Set<SubmissionEntry>()
  let rules = 0
  for (const program of programs) {
    const below = program.path.slice('submissions/'.length)
    const matching = entries.filter(({ matches }) => matches(below))
    for (const entry of matching) used.add(entry)
    const found = await readProgram(program, matching, metadata, warnings)
    rules += found.rules.length
    if (rules > MOST_RULES) throw tooMany(`at most ${MOST_RULES} expected results of all programs are read`)
    read.push(found)
  }
  for (const entry of entries)
    if (!used.has(entry) && !findFolderMeaning(entry.pattern, metadata))
      warnings.add(SUBMISSIONS_YAML, `${entry.pattern} matches no program`, entry.line)
  warnAboutFolders(read, warnings)
  return read
}

/** Throws `PackageError` if comparing the results in test cases with all rules would take long. */
export function checkRules(
  programs: readonly Pick<ExampleProgram, 'rules'>[],
  tests: readonly { readonly name: string }[],
): void {
  const rules = programs.flatMap((program) => program.rules)
  const patterns = new Set(rules.flatMap(({ cases }) => cases ?? []))
  const characters = [...patterns].reduce((sum, one) => sum + one.length - plainLengthOf(one), 0)
  const nameCharacters = tests.reduce((sum, { name }) => sum + name.length, 0)
  if (rules.length * tests.length > MOST_CHECKS)
    throw tooMany('the programs have too many expected results for so many test cases')
  if (characters * nameCharacters > MOST_CASE_COMPARISONS)
    throw tooMany('it has too many patterns for so many test cases: use patterns such as secret/group1')
}

/** The programs without auxiliary files. */
function listPrograms(files: PackageFiles, warnings: Warnings): ProgramFiles[] {
  const programs = new Map<string, ProgramFiles>()
  for (const file of filesIn(files, 'submissions')) {
    const [, folder = '', name] = file.path.split('/')
    if (file.path === SUBMISSIONS_YAML || AUXILIARY.test(file.path)) continue
    if (name === undefined) {
      warnings.add(file.path, 'programs must be in a folder of submissions/: the file is not used')
      continue
    }
    const path = `submissions/${folder}/${name}`
    const program = programs.get(path)
    if (program) program.files.push(file)
    else if (programs.size < MOST_PROGRAMS) programs.set(path, { path, folder, files: [file] })
    else throw new PackageError('submissions', `it must have at most ${MOST_PROGRAMS} programs`)
  }
  return [...programs.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

function checkComparisons(entries: readonly SubmissionEntry[], programs: readonly ProgramFiles[]): void {
  const patternCharacters = entries.reduce((sum, { pattern }) => sum + pattern.length, 0)
  const pathCharacters = programs.reduce((sum, { path }) => sum + path.length, 0)
  if (patternCharacters * pathCharacters > MOST_COMPARISONS)
    throw tooMany('it has too many patterns for so many programs: use patterns such as accepted/*')
}

const tooMany = (message: string) => new PackageError(SUBMISSIONS_YAML, message)

async function readProgram(
  program: ProgramFiles,
  matching: readonly SubmissionEntry[],
  metadata: PackageMetadata,
  warnings: Warnings,
): Promise<ExampleProgram> {
  const { path, folder, files } = program
  const source = await readSourceExpectation(files, warnings)
  const meaning = findFolderMeaning(folder, metadata)
  const isReplaced = source?.statuses !== undefined
  if (isReplaced) warnAboutOtherFolder(program, source, warnings)
  const conditions = [
    ...(isReplaced ? [] : folderConditions(folder, meaning, matching)),
    ...matching.map((entry) =>
      meaning?.expectation && entry.pattern === folder
        ? folderEntryCondition(entry, isReplaced)
        : entryCondition(entry),
    ),
    ...sourceConditions(source, metadata),
  ]
  const rules = conditions
    .flatMap((condition) => condition.rules)
    .filter((rule) => Object.keys(rule).length > 0)
  checkContradictions(path, rules, matching, warnings)
  return {
    path,
    files,
    language: matching.findLast(({ language }) => language !== undefined)?.language,
    entrypoint: matching.findLast(({ entrypoint }) => entrypoint !== undefined)?.entrypoint,
    rules,
    expected: describe(conditions),
  }
}

/** The folder's own rules, with the values of `submissions.yaml` for exactly this folder. */
function folderConditions(
  folder: string,
  meaning: FolderMeaning | undefined,
  matching: readonly SubmissionEntry[],
): Condition[] {
  if (meaning === undefined) return []
  if (meaning.rule) return [{ ...meaning, rules: [meaning.rule] }]
  const own = matching.find(({ pattern }) => pattern === folder)
  const expectation = { ...meaning.expectation, ...own?.expectation }
  checkConsistency(expectation, own?.line)
  return [{ rules: makeRules(expectation) }]
}

function entryCondition({ expectation, caseRules, line }: SubmissionEntry): Condition {
  checkConsistency(expectation, line)
  return { rules: [...makeRules(expectation), ...caseRules] }
}

/** The entry of a folder itself. What replaces the verdicts of the folder replaces these too. */
function folderEntryCondition({ expectation, caseRules }: SubmissionEntry, isReplaced: boolean): Condition {
  const { score, message } = expectation
  const others = { ...(score && { score }), ...(message !== undefined && { message }) }
  return { rules: isReplaced ? [...makeRules(others), ...caseRules] : caseRules }
}

function sourceConditions(source: SourceExpectation | undefined, metadata: PackageMetadata): Condition[] {
  if (source === undefined) return []
  const { statuses, expected, score } = source
  const isScored = score !== undefined && metadata.type.includes('scoring')
  return [
    ...(statuses && statuses.length > 0
      ? [{ rules: [{ statuses }], ...(expected !== undefined && { expected }) }]
      : []),
    ...(isScored ? [{ rules: [{ score: [score, score] as const }] }] : []),
  ]
}

/** The expectation in the first source that has one. Sources may have any encoding. */
async function readSourceExpectation(
  files: readonly PackageFile[],
  warnings: Warnings,
): Promise<SourceExpectation | undefined> {
  for (const file of files) {
    if (file.bytes > MOST_SOURCE_BYTES) {
      warnings.add(file.path, 'the source has over 1 MiB: its expected results are not read')
      continue
    }
    const found = readExpectedResults((await file.read()).toString('latin1'))
    if (found?.warning) warnings.add(file.path, found.warning)
    if (found) return found
  }
  return undefined
}

function describe(conditions: readonly Condition[]): string {
  const texts = conditions.flatMap(({ rules, expected }) =>
    expected === undefined ? rules.flatMap(describeRule) : [expected],
  )
  const [first = 'any verdict', ...others] = new Set(texts)
  const last = others.pop()
  return last === undefined ? first : `${[first, ...others].join(', ')}, and ${last}`
}

function describeRule({ permitted, required, score, cases }: Rule): string[] {
  const verdicts = required ?? permitted
  const texts = [
    ...(verdicts ? [describeVerdicts(verdicts)] : []),
    ...(score ? [`a score of ${describeRange(score)}`] : []),
  ]
  return texts.map((text) => (cases === undefined ? text : `${text} in ${cases}`))
}

function describeVerdicts(verdicts: readonly Verdict[]): string {
  const isRejected = verdicts.length === 3 && !verdicts.includes('AC')
  return isRejected ? 'not ACCEPTED' : joinOptions(verdicts.map(statusOf))
}

function warnAboutFolders(programs: readonly ExampleProgram[], warnings: Warnings): void {
  const free = programs.filter(({ rules }) => rules.length === 0)
  for (const folder of new Set(free.map(({ path }) => path.slice(0, path.lastIndexOf('/')))))
    warnings.add(folder, 'programs of this folder without an expected result may have any verdict')
}

/** The source decides if its folder says something else. */
function warnAboutOtherFolder(
  { folder, files }: ProgramFiles,
  { statuses = [] }: SourceExpectation,
  warnings: Warnings,
): void {
  const usual = findStatuses(folder)
  const file = files[0]
  if (!file || !usual || statuses.length === 0 || usual.some((status) => statuses.includes(status))) return
  warnings.add(file.path, `the expected result in the source is used, not that of the folder ${folder}`)
}
