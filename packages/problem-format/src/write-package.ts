import { dirname } from 'node:path/posix'
import { isDeepStrictEqual } from 'node:util'
import { v5 as uuidv5 } from 'uuid'
import { isKeyword } from './metadata/problem-yaml.ts'
import { writeProblemYaml } from './metadata/write-problem-yaml.ts'
import type { OptionsOrNull, Validation } from './package/judging-options.ts'
import { type OwnSettings, writeOwnSettings } from './package/own-settings.ts'
import {
  keepMark,
  makeTextFile,
  OWN_SETTINGS,
  type PackageFile,
  type PackageFiles,
  Warnings,
} from './package/package-files.ts'
import type { PackageMetadata } from './package/package-problem.ts'
import { withoutUndefined } from './package/yaml-part.ts'
import { type PackageProblem, readPackage, type StoredMetadata, sourceText } from './read-package.ts'
import { parseStatementName } from './statements/statement-names.ts'
import { writeLegacyExpectations } from './submissions/default-expectations.ts'
import { SUBMISSIONS_YAML } from './submissions/submissions-yaml.ts'
import { sumOfPoints } from './test-data/group-points.ts'
import { hasOverride, isSampleText } from './test-data/sample-display.ts'
import type { WritableTest } from './test-data/test-names.ts'
import { writeTestData } from './test-data/write-test-data.ts'
import { writeOutputValidator } from './validators/output-validator.ts'

type Times = 'accept_timeout' | 'execution_timeout' | 'timeout_is_provisional'
type CommonField = keyof OptionsOrNull | 'title' | 'identifier' | 'source' | 'memory_limit' | Times

/** A problem of the service, for an export. */
export interface ExportedProblem extends Pick<PackageProblem, CommonField> {
  readonly id: number
  readonly prompt: string
  /** Whether the stored statements belong to the prompt. */
  readonly hasOwnStatements: boolean
  readonly difficulty: string
  readonly timeout: number | null
  readonly upload_date: string
  readonly updated_at: string
  readonly categories: readonly string[]
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
  const addText = (path: string, content: string) => add(makeTextFile(path, content))
  const language = problem.metadata?.prompt_language ?? 'en'
  for (const file of problem.files) if (!isSampleText(file.path)) add(file)
  if (!problem.hasOwnStatements) {
    for (const type of STATEMENT_TYPES) files.delete(`statement/problem.${language}.${type}`)
    addText(`statement/problem.${language}.md`, keepMark(problem.prompt))
  }
  writeExpectations(problem, files)
  const { validation } = problem
  const validator = writeOutputValidator(validation ?? { type: 'default' })
  for (const { path, content } of validator.files) addText(path, content)
  const flags = validation?.flags ?? ''
  const tests = describeTests(problem)
  const isInteractive = validation?.type === 'interactive'
  const paths = new Set(problem.files.map(({ path }) => path))
  const staysHidden = (name: string) => isInteractive || hasOverride(name, paths)
  const groups = problem.test_groups && { groups: problem.test_groups }
  const data = writeTestData({ tests, flags, staysHidden, ...groups })
  moveTestFiles(files, problem.tests, data.names)
  for (const { path, content } of data.files) addText(path, content)
  // The format has no points without secret test cases; the file of own settings has them.
  const hasPoints = problem.test_groups !== null && data.names.some((name) => name.startsWith('secret/'))
  addText('problem.yaml', writeProblemYaml(metadataOf(problem, namesOf(problem, language, files), hasPoints)))
  problem.tests.forEach((test, i) => {
    add({ ...test.input, path: `data/${data.names[i]}.in` })
    add({ ...test.answer, path: `data/${data.names[i]}.ans` })
  })
  // Reading it back would give a different validator, and fail.
  if (!validator.isExact) addText(OWN_SETTINGS, writeOwnSettings({ validation: withoutContents(validation) }))
  const own = await findOwnSettings(problem, data.names, files)
  addText(OWN_SETTINGS, writeOwnSettings(own))
  return sortFiles(files)
}

function describeTests(problem: ExportedProblem): WritableTest[] {
  const entries = problem.validation?.case_flags ?? []
  const own = new Map(entries.flatMap(({ cases, flags }) => cases.map((number) => [number, flags] as const)))
  return problem.tests.map(({ name, hidden, hint, description }, i) => {
    const inputFlags = name === null ? undefined : problem.metadata?.input_flags[name]
    const texts = { hint: hint ?? undefined, description: description ?? undefined }
    return withoutUndefined({ name, hidden, ...texts, inputFlags, outputFlags: own.get(i + 1) })
  })
}

const FILE_OF_TEST = /^data\/(.+?)(\.(?:(?:in|ans)\.(?:statement|download)|interaction|out|png|jpe?g|svg))$/

/**
 * Gives the files of test cases the names that these have now. Drops files of directories without
 * test cases: in a scoring problem they would be groups.
 */
function moveTestFiles(
  files: Map<string, PackageFile>,
  tests: readonly ExportedTest[],
  names: readonly string[],
): void {
  const newNames = new Map(tests.map(({ name }, i) => [name, names[i]]))
  const directories = new Set(['data/sample', 'data/secret', ...names.flatMap(listDirectories)])
  const found = [...files.values()].filter(({ path }) => /^data\/(?:sample|secret)\//.test(path))
  for (const { path } of found) files.delete(path)
  for (const file of found) {
    const [, name = '', extension] = FILE_OF_TEST.exec(file.path) ?? []
    const newName = newNames.get(name)
    const path = newName === undefined ? file.path : `data/${newName}${extension}`
    if (directories.has(dirname(path))) files.set(path, { ...file, path })
  }
}

/** `data/secret/a` and `data/secret` for `secret/a/1`. */
function listDirectories(name: string): string[] {
  const directory = dirname(name)
  return directory === '.' ? [] : [`data/${directory}`, ...listDirectories(directory)]
}

const STATEMENT_TYPES = ['md', 'tex', 'pdf']

/** Adds `submissions.yaml`, which legacy packages do not have. */
function writeExpectations(
  { metadata, test_groups, files: stored }: ExportedProblem,
  files: Map<string, PackageFile>,
) {
  if (metadata === null) return
  const folders = stored.flatMap(({ path }) => /^submissions\/([^/]+)\//.exec(path)?.[1] ?? [])
  const text = writeLegacyExpectations(folders, metadata, test_groups ? sumOfPoints(test_groups) : undefined)
  if (text !== undefined) files.set(SUBMISSIONS_YAML, makeTextFile(SUBMISSIONS_YAML, text))
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
  const found = [...files.keys()].flatMap((path) => {
    const [, name] = /^statement\/(.*)$/.exec(path) ?? []
    return (name && parseStatementName(name)?.language) || []
  })
  const languages = found.length === 0 ? [language] : [...new Set(found)].sort()
  return Object.fromEntries(languages.map((one) => [one, known[one] ?? title]))
}

/** Escapes included, this is far below the 256 KiB that a YAML file may have. */
const fitsIntoYaml = (text: string) => text.length < 20_000

function metadataOf(problem: ExportedProblem, names: Names, hasPoints: boolean): PackageMetadata {
  const { metadata, validation } = problem
  return {
    ...withoutUndefined({ ...metadata, source: sourcesOf(problem) }),
    format: '2025-09',
    type: [
      hasPoints ? 'scoring' : 'pass-fail',
      ...(validation?.type === 'interactive' ? (['interactive'] as const) : []),
    ],
    names,
    uuid: metadata?.uuid ?? uuidv5(`${problem.id} ${problem.upload_date}`, UUID_OF_PROBLEMS),
    keywords: keywordsOf(problem),
    limits: limitsOf(problem),
  }
}

/** The categories that can be keywords; none if they are very long. */
function keywordsOf({ categories }: ExportedProblem): readonly string[] {
  const keywords = categories.filter(isKeyword)
  return fitsIntoYaml(keywords.join()) ? keywords : []
}

/** The package's list of sources, unless the problem's source was changed. */
function sourcesOf({ source, metadata }: ExportedProblem): PackageMetadata['source'] {
  if (source.trim() === '' || !fitsIntoYaml(source)) return undefined
  return sourceText(metadata?.source) === source ? metadata?.source : [{ name: source }]
}

function limitsOf({ metadata, limits, execution_timeout, ...problem }: ExportedProblem) {
  const { time_multipliers, code, time_resolution } = metadata?.limits ?? {}
  const { time_multipliers: _, ...judging } = limits ?? {}
  return withoutUndefined({
    ...{ time_multipliers, code, time_resolution },
    time_limit: problem.timeout_is_provisional ? undefined : execution_timeout,
    memory: problem.memory_limit,
    ...judging,
  })
}

/** Reads the package as an import would, and returns what differs from the problem. */
async function findOwnSettings(
  problem: ExportedProblem,
  names: readonly string[],
  files: ReadonlyMap<string, PackageFile>,
): Promise<OwnSettings> {
  // The rules for programs say nothing about the problem; faults of older imports must not matter.
  const withoutRules = new Map([...files].filter(([path]) => path !== SUBMISSIONS_YAML))
  const read = await readPackage(sortFiles(withoutRules), undefined, new Warnings())
  const { timeout, limits, validation, test_groups, run } = problem
  const tests = problem.tests.map(({ hidden }, i) => ({ name: names[i] ?? '', hidden }))
  const readTests = read.tests.map(({ name, hidden }) => ({ name, hidden }))
  return {
    ...(read.title !== problem.title && { title: problem.title }),
    identifier: problem.identifier,
    difficulty: problem.difficulty,
    ...(read.source !== problem.source && { source: problem.source }),
    ...(!isDeepStrictEqual(read.keywords, problem.categories) && { categories: problem.categories }),
    // A statement without a text leads to a prompt with a link.
    ...(read.prompt !== null && read.prompt !== problem.prompt && { prompt: problem.prompt }),
    ...(timeout !== null && { timeout }),
    ...(read.accept_timeout !== problem.accept_timeout && { accept_timeout: problem.accept_timeout }),
    ...(limits?.time_multipliers && { time_multipliers: limits.time_multipliers }),
    ...(run !== null && read.run !== run && { run }),
    ...((files.has(OWN_SETTINGS) || !isDeepStrictEqual(read.validation, validation)) && {
      validation: withoutContents(validation),
    }),
    ...(test_groups && !isDeepStrictEqual(read.test_groups, test_groups) && { test_groups }),
    ...(!isDeepStrictEqual(readTests, tests) && { test_cases: tests }),
  }
}

/** The validation with the names of its files only. */
function withoutContents(validation: Validation | null) {
  if (validation === null) return null
  const { files, ...rest } = validation
  return { ...rest, ...(files && { files: files.map(({ name }) => name) }) }
}
