import { isDeepStrictEqual } from 'node:util'
import { v5 as uuidv5 } from 'uuid'
import { writeProblemYaml } from './metadata/write-problem-yaml.ts'
import { writeOutputValidator } from './output-validator.ts'
import { OWN_SETTINGS, type OwnSettings, writeOwnSettings } from './own-settings.ts'
import { type PackageFile, type PackageFiles, Warnings } from './package-files.ts'
import type { PackageGroup, PackageMetadata, PackageValidation } from './package-problem.ts'
import { type ProblemLimits, readPackage, type StoredMetadata, sourceText } from './read-package.ts'
import { parseStatementName } from './statements.ts'
import { hasOverride } from './test-data/sample-display.ts'
import { writeTestData } from './test-data/write-test-data.ts'
import { withoutUndefined } from './yaml-part.ts'

/** A problem of the service, for an export. */
export interface ExportedProblem {
  readonly id: number
  readonly title: string
  readonly identifier: string
  readonly prompt: string
  /** Whether the stored statements belong to the prompt. */
  readonly hasOwnStatements: boolean
  readonly source: string
  readonly difficulty: string
  readonly timeout: number | null
  readonly accept_timeout: number
  readonly execution_timeout: number
  readonly timeout_is_provisional: boolean
  readonly memory_limit: number
  readonly upload_date: string
  readonly updated_at: string
  readonly categories: readonly string[]
  readonly validation: PackageValidation | null
  readonly test_groups: readonly PackageGroup[] | null
  readonly run: 'all' | 'first_failure' | null
  readonly limits: ProblemLimits | null
  /** Null for a problem that no package was imported for. */
  readonly metadata: StoredMetadata | null
  /** In their order. */
  readonly tests: readonly ExportedTest[]
  readonly files: readonly PackageFile[]
}

export interface ExportedTest {
  readonly name: string | null
  readonly hidden: boolean
  readonly hint: string | null
  readonly description: string | null
  readonly input: Omit<PackageFile, 'path'>
  readonly answer: Omit<PackageFile, 'path'>
}

/**
 * The files of a 2025-09 package that imports as the same problem. What the format cannot express
 * is in `.judge-data-layer.json`, which other judges ignore.
 */
export async function writePackage(problem: ExportedProblem): Promise<PackageFiles> {
  const files = new Map<string, PackageFile>()
  const add = (file: PackageFile) => files.set(file.path, file)
  const addText = (path: string, content: string) => add(textFile(path, content))
  const language = problem.metadata?.prompt_language ?? 'en'
  const stored = problem.hasOwnStatements
    ? problem.files
    : problem.files.filter(({ path }) => !isStatement(path, language))
  for (const file of stored) add(file)
  if (!problem.hasOwnStatements) addText(`statement/problem.${language}.md`, keepMark(problem.prompt))
  const { validation } = problem
  const validator = writeOutputValidator(validation ?? { type: 'default' })
  for (const { path, content } of validator.files) addText(path, content)
  const flags = validation?.flags ?? ''
  const tests = problem.tests.map(({ name, hidden, hint, description }) => ({
    ...{ name, hidden },
    ...(hint !== null && { hint }),
    ...(description !== null && { description }),
    ...inputFlagsOf(problem, name),
  }))
  const isInteractive = validation?.type === 'interactive'
  const paths = new Set(problem.files.map(({ path }) => path))
  const staysHidden = (name: string) => isInteractive || hasOverride(name, paths)
  const groups = problem.test_groups && { groups: problem.test_groups }
  const data = writeTestData({ tests, flags, staysHidden, ...groups })
  for (const { path, content } of data.files) addText(path, content)
  // The format has no points without secret test cases; the file of own settings has them.
  const hasPoints = problem.test_groups !== null && data.names.some((name) => name.startsWith('secret/'))
  addText('problem.yaml', writeProblemYaml(metadataOf(problem, namesOf(problem, language, files), hasPoints)))
  problem.tests.forEach((test, i) => {
    add({ ...test.input, path: `data/${data.names[i]}.in` })
    add({ ...test.answer, path: `data/${data.names[i]}.ans` })
  })
  // Reading the validator as another one would fail.
  if (!validator.isExact) addText(OWN_SETTINGS, writeOwnSettings({ validation: withoutContents(validation) }))
  const own = await findOwnSettings(problem, data.names, files)
  addText(OWN_SETTINGS, writeOwnSettings(own))
  return sortFiles(files)
}

function inputFlagsOf({ metadata }: ExportedProblem, name: string | null) {
  const inputFlags = name === null ? undefined : metadata?.input_flags[name]
  return inputFlags && { inputFlags }
}

const isStatement = (path: string, language: string) =>
  ['md', 'tex', 'pdf'].some((type) => path === `statement/problem.${language}.${type}`)

/** Reading a text drops one byte-order mark. */
const keepMark = (text: string) => (text.startsWith('\uFEFF') ? `\uFEFF${text}` : text)

function textFile(path: string, text: string): PackageFile {
  const content = Buffer.from(text)
  return { path, bytes: content.length, read: async () => content }
}

const sortFiles = (files: ReadonlyMap<string, PackageFile>): PackageFiles =>
  new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)))

/** The ids of problems that no package named are derived from this one. */
const UUID_OF_PROBLEMS = '5c1b0f0a-3f0c-4a57-9a3a-6d5a3f1f0e42'

type Names = PackageMetadata['names']

/** The names of exactly the languages with a statement; the title where no other name is known. */
function namesOf(
  { metadata, title }: ExportedProblem,
  language: string,
  files: ReadonlyMap<string, PackageFile>,
): Names {
  const known: Names = { ...metadata?.names, [language]: title }
  const found = [...files.keys()].flatMap((path) =>
    path.startsWith('statement/')
      ? (parseStatementName(path.slice('statement/'.length))?.language ?? [])
      : [],
  )
  const languages = found.length === 0 ? [language] : [...new Set(found)].sort()
  return Object.fromEntries(languages.map((one) => [one, known[one] ?? title]))
}

function metadataOf(problem: ExportedProblem, names: Names, hasPoints: boolean): PackageMetadata {
  const { metadata, validation } = problem
  const known: Partial<StoredMetadata> = metadata ?? {}
  const { version, credits, license, rights_owner, embargo_until } = known
  const { languages, allow_file_writing, constants } = known
  return {
    format: '2025-09',
    type: [
      hasPoints ? 'scoring' : 'pass-fail',
      ...(validation?.type === 'interactive' ? (['interactive'] as const) : []),
    ],
    names,
    uuid: known.uuid ?? uuidv5(`${problem.id} ${problem.upload_date}`, UUID_OF_PROBLEMS),
    keywords: problem.categories,
    limits: limitsOf(problem),
    ...withoutUndefined({
      ...{ version, credits, license, rights_owner, embargo_until },
      ...{ languages, allow_file_writing, constants, source: sourcesOf(problem) },
    }),
  }
}

/** The sources of the package while they are those of the problem. */
function sourcesOf({ source, metadata }: ExportedProblem): PackageMetadata['source'] {
  if (source.trim() === '') return undefined
  return sourceText(metadata?.source) === source ? metadata?.source : [{ name: source }]
}

function limitsOf({ metadata, limits, execution_timeout, ...problem }: ExportedProblem) {
  const { time_limit, ...known } = metadata?.limits ?? {}
  const { time_multipliers, ...judging } = limits ?? {}
  return {
    ...(known.time_multipliers && { time_multipliers: known.time_multipliers }),
    ...(known.code !== undefined && { code: known.code }),
    ...(known.time_resolution !== undefined && { time_resolution: known.time_resolution }),
    ...(!problem.timeout_is_provisional && { time_limit: execution_timeout }),
    memory: problem.memory_limit,
    ...judging,
  }
}

/** Reads the package as an import would, and returns what differs from the problem. */
async function findOwnSettings(
  problem: ExportedProblem,
  names: readonly string[],
  files: ReadonlyMap<string, PackageFile>,
): Promise<OwnSettings> {
  const read = await readPackage(sortFiles(files), undefined, new Warnings())
  const { timeout, limits, validation, test_groups, run } = problem
  const tests = problem.tests.map(({ hidden }, i) => ({ name: names[i] ?? '', hidden }))
  const readTests = read.tests.map(({ name, hidden }) => ({ name, hidden }))
  return {
    identifier: problem.identifier,
    difficulty: problem.difficulty,
    ...(read.source !== problem.source && { source: problem.source }),
    // A statement without a text leads to a prompt with a link.
    ...(read.prompt !== null && read.prompt !== problem.prompt && { prompt: problem.prompt }),
    ...(timeout !== null && { timeout }),
    ...(read.accept_timeout !== problem.accept_timeout && { accept_timeout: problem.accept_timeout }),
    ...(limits?.time_multipliers && { time_multipliers: { ...limits.time_multipliers } }),
    ...(run !== null && read.run !== run && { run }),
    ...((files.has(OWN_SETTINGS) || !isDeepStrictEqual(read.validation, validation)) && {
      validation: withoutContents(validation),
    }),
    ...(test_groups && !isDeepStrictEqual(read.test_groups, test_groups) && { test_groups }),
    ...(!isDeepStrictEqual(readTests, tests) && { test_cases: tests }),
  }
}

/** The validation with the names of its files only. */
function withoutContents(validation: PackageValidation | null) {
  if (validation === null) return null
  const { files, build, run, ...rest } = validation
  return {
    ...rest,
    ...(files && { files: files.map(({ name }) => name) }),
    ...(build && { build: [...build] }),
    ...(run && { run: [...run] }),
  }
}
