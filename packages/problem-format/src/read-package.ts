import { planFiles, type StoredFile } from './imported-files.ts'
import { readMetadata } from './metadata/problem-yaml.ts'
import type { JudgingLimits, OptionsOrNull, Validation } from './package/judging-options.ts'
import { type OwnSettings, readOwnSettings } from './package/own-settings.ts'
import {
  filesIn,
  OWN_SETTINGS,
  PackageError,
  type PackageFile,
  type PackageFiles,
  Warnings,
} from './package/package-files.ts'
import { isLegacy, type PackageMetadata, type PackageTest } from './package/package-problem.ts'
import { wallTimeOf } from './package/times.ts'
import { readYaml } from './package/yaml-file.ts'
import { withoutUndefined } from './package/yaml-part.ts'
import { readStatements, type Statements } from './statements/statements.ts'
import { checkRules, readPrograms } from './submissions/submissions.ts'
import { SUBMISSIONS_YAML } from './submissions/submissions-yaml.ts'
import { readTestData, type TestData } from './test-data/test-data.ts'
import { settingsNameOf } from './test-data/test-tree.ts'
import { type InputFlags, numberFlags } from './test-data/validator-arguments.ts'
import { readOutputValidator, readValidatorFiles } from './validators/output-validator.ts'

export type { PackageLimits, PackageMetadata, PackageTest } from './package/package-problem.ts'
export type { InputFlags } from './test-data/validator-arguments.ts'

/** A problem as a package has it. */
export interface PackageProblem extends OptionsOrNull {
  readonly title: string
  readonly identifier: string
  /** Null: only `statementFile` has the text. */
  readonly prompt: string | null
  readonly statementFile: string
  readonly source: string
  readonly difficulty: string | undefined
  readonly timeout: number | undefined
  /** Seconds of wall-clock time. */
  readonly accept_timeout: number
  /** Seconds of CPU time. */
  readonly execution_timeout: number
  readonly timeout_is_provisional: boolean
  /** MiB. */
  readonly memory_limit: number
  readonly keywords: readonly string[]
  readonly tests: readonly PackageTest[]
  readonly files: readonly StoredFile[]
  readonly metadata: StoredMetadata
  /** Languages with a statement. */
  readonly statements: number
  /** Programs of `submissions`. */
  readonly programs: number
  /** The fields that the file of own settings gives. */
  readonly ownFields: readonly string[]
}

/** What the service stores of a package beside the fields of the problem. */
export interface StoredMetadata extends PackageMetadata {
  /** The language of the prompt. */
  readonly prompt_language: string
  /** The stored statements belong to this prompt; a new prompt replaces them in an export. */
  readonly prompt_hash: string | null
  readonly input_flags: Readonly<Record<string, InputFlags>>
}

/** Judges without a time limit in the package use this one until it is verified, in seconds. */
export const PROVISIONAL_TIME_LIMIT = 2
/** The format's typical default, in MiB. */
const MEMORY_LIMIT = 2048

/** Reads a whole package. `folder` is the folder around it, if any. Throws `PackageError`. */
export async function readPackage(
  allFiles: PackageFiles,
  folder: string | undefined,
  warnings: Warnings,
): Promise<PackageProblem> {
  if (!allFiles.has('problem.yaml') && filesIn(allFiles, 'data').length === 0)
    throw new PackageError('the package', 'it has no problem.yaml and no data/: is it a package?')
  const metadata = await readMetadata(allFiles, warnings)
  const files = dropForeignFiles(allFiles, metadata, warnings)
  const own = await readOwnSettings(files, warnings)
  const data = await readTestData(files, metadata, warnings)
  const statements = await readStatements(files, metadata, warnings)
  const judged = readTests(data, own)
  const case_flags = numberFlags(data.flags, judged.tests)
  const validation =
    own?.validation === undefined
      ? withoutUndefined({
          ...(await readOutputValidator(files, metadata, data.flags, warnings)),
          case_flags,
        })
      : await readOwnValidation(files, own.validation)
  const programs = await readPrograms(files, metadata, warnings, data.tests)
  checkRules(programs, data.tests)
  warnOfMissingPrograms(files, warnings)
  const title = own?.title ?? findTitle(metadata, statements, folder)
  return {
    title,
    identifier: own?.identifier ?? metadata.short_name ?? folder ?? slugOf(title),
    prompt: own?.prompt ?? statements.prompt,
    statementFile: statements.file,
    source: own?.source ?? sourceText(metadata.source),
    difficulty: own?.difficulty,
    ...readTimes(metadata, own),
    memory_limit: metadata.limits.memory ?? MEMORY_LIMIT,
    validation,
    limits: limitsOf(metadata, own),
    keywords: own?.categories ?? metadata.keywords,
    ...judged,
    files: planFiles(files, data, warnings),
    metadata: {
      ...metadata,
      names: namesOf(metadata, statements, title),
      prompt_language: statements.language,
      prompt_hash: null,
      input_flags: data.inputFlags,
    },
    statements: Object.keys(statements.titles).length,
    programs: programs.length,
    ownFields: Object.keys(own ?? {}),
  }
}

/** The line of `uuid` in `problem.yaml`, from 1. */
export async function lineOfUuid(files: PackageFiles): Promise<number | undefined> {
  const file = files.get('problem.yaml')
  return file && (await readYaml(file, new Warnings())).lineOf(['uuid'])
}

function findTitle(
  { names }: PackageMetadata,
  { title, language }: Statements,
  folder: string | undefined,
): string {
  const found = title ?? names[language] ?? names.en ?? Object.values(names)[0] ?? folder
  if (found?.trim()) return found
  throw new PackageError('problem.yaml', 'the problem must have a name')
}

/** A name for each language with a statement, as the newest format demands. */
function namesOf({ names }: PackageMetadata, { titles }: Statements, title: string): Record<string, string> {
  const languages = Object.keys(titles)
  if (languages.length === 0) return { ...names }
  return Object.fromEntries(
    languages.map((language) => [language, names[language] ?? (titles[language] || title)]),
  )
}

/** `Sum of Two` becomes `sum-of-two`. */
const slugOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'problem'

/** The sources in one text: `NWERC 2024 (https://…), SWERC 2024`. */
export const sourceText = (sources: PackageMetadata['source'] = []) =>
  sources.map(({ name, url }) => (url === undefined ? name : `${name} (${url})`)).join(', ')

function readTimes({ limits }: PackageMetadata, own: OwnSettings | undefined) {
  const execution_timeout = limits.time_limit ?? PROVISIONAL_TIME_LIMIT
  return {
    timeout: own?.timeout,
    execution_timeout,
    accept_timeout: own?.accept_timeout ?? wallTimeOf(execution_timeout),
    timeout_is_provisional: limits.time_limit === undefined,
  }
}

function limitsOf({ limits }: PackageMetadata, own: OwnSettings | undefined): JudgingLimits | null {
  const { time_limit, time_resolution, memory, code, time_multipliers, ...judging } = limits
  // The multipliers of a package are for its time limit; those of an export are for languages.
  const found = withoutUndefined({ ...judging, time_multipliers: own?.time_multipliers })
  return Object.keys(found).length === 0 ? null : found
}

/** The exact validation of an export, with the texts of its files. */
async function readOwnValidation(
  files: PackageFiles,
  own: (OwnSettings['validation'] & object) | null,
): Promise<Validation | null> {
  if (own === null) return null
  const { files: names, ...validation } = own
  return names === undefined ? validation : { ...validation, files: await readValidatorFiles(files, names) }
}

/** The test cases in the order of an export, if it names one. */
function readTests({ tests, groups, run }: TestData, own: OwnSettings | undefined) {
  return {
    tests: own?.test_cases === undefined ? tests : reorder(tests, own.test_cases),
    test_groups: own?.test_groups ?? groups ?? null,
    run: own?.run ?? run ?? null,
  }
}

function reorder(
  tests: readonly PackageTest[],
  order: NonNullable<OwnSettings['test_cases']>,
): PackageTest[] {
  const byName = new Map(tests.map((test) => [test.name, test]))
  const ordered = order.flatMap(({ name, hidden }) => {
    const test = byName.get(name)
    byName.delete(name)
    return test === undefined ? [] : [{ ...test, hidden }]
  })
  if (ordered.length === order.length && byName.size === 0) return ordered
  const message = 'test_cases must name the test cases of the package: correct or delete this file'
  throw new PackageError(OWN_SETTINGS, message)
}

const TEST_FOLDER = /^data\/(?:sample|secret)\//
const GROUP_SETTINGS = /\/test_group\.yaml$/
const NEW_TEST_FILE = /(?:\.yaml|\.(?:in|ans)\.(?:statement|download)|\.out)$/

/**
 * The files without those that only 2025-09 gives a meaning to: an export is of this version, and
 * they would change the problem. Warns about each of them.
 */
export function dropForeignFiles(
  files: PackageFiles,
  metadata: PackageMetadata,
  warnings: Warnings,
): PackageFiles {
  if (metadata.format === '2025-09') return files
  const isKept = ({ path }: PackageFile) => {
    const reason = explainForeign(path, metadata)
    if (reason !== undefined) warnings.add(path, `${reason}: not imported`)
    return reason === undefined
  }
  return new Map([...files].filter(([, file]) => isKept(file)))
}

function explainForeign(path: string, metadata: PackageMetadata): string | undefined {
  const settings = settingsNameOf(metadata.format)
  const isTest = TEST_FOLDER.test(path)
  if (isTest && GROUP_SETTINGS.test(path)) return `packages of this version have ${settings}`
  if (!isLegacy(metadata)) return undefined
  const isForeign = isTest && NEW_TEST_FILE.test(path) && !path.endsWith(`/${settings}`)
  return isForeign || path === SUBMISSIONS_YAML ? 'legacy packages do not have this file' : undefined
}

const VALIDATORS = ['input_validators', 'input_format_validators']

/** Warns about programs that the format requires, if the package does not have them. */
export function warnOfMissingPrograms(files: PackageFiles, warnings: Warnings): void {
  if (filesIn(files, 'submissions/accepted').length === 0)
    warnings.add('submissions/accepted', 'the package has no accepted program: the format requires one')
  if (VALIDATORS.every((folder) => filesIn(files, folder).length === 0))
    warnings.add('input_validators', 'the package has no input validator: the format requires one')
}
