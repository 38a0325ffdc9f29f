import { fold, replaceHidden } from '@judge-data-layer/runtime/visible-text'
import { MAX_FLAGS_LENGTH } from '../package/judging-options.ts'
import {
  filesIn,
  OUTPUT_VALIDATOR_FOLDERS,
  PackageError,
  type PackageFiles,
  readShownName,
  type Warnings,
} from '../package/package-files.ts'
import { type FormatVersion, isLegacy, type PackageMetadata } from '../package/package-problem.ts'
import { readYaml } from '../package/yaml-file.ts'
import {
  faultOfPart,
  isMap,
  readBoolean,
  readMap,
  readOneOrMore,
  readOptional,
  readString,
  readTitle,
  warnOfPart,
  warnOfUnknownKeys,
  withoutUndefined,
  type YamlMap,
  type YamlPart,
} from '../package/yaml-part.ts'
import { parseStatementName } from '../statements/statement-names.ts'
import { explainDefaultFlags } from '../validators/validator-program.ts'
import { type DomjudgeSettings, readDomjudgeFiles } from './domjudge-files.ts'
import { legacyLimits, readLimits } from './limits.ts'
import { readByLanguage, readOrigin } from './origin.ts'
import { type Judging, readJudging } from './problem-type.ts'

const PROBLEM_FILE = 'problem.yaml'
const VERSIONS = ['2025-09', 'legacy', 'legacy-icpc', '2023-07-draft'] as const

const SHARED_KEYS = [
  ...['problem_format_version', 'type', 'name', 'uuid', 'source', 'license', 'rights_owner', 'limits'],
  'keywords',
]
const LEGACY_KEYS = ['author', 'source_url', 'validation', 'validator_flags', 'grading']
const NEW_KEYS = ['version', 'credits', 'embargo_until', 'languages', 'allow_file_writing', 'constants']

/**
 * The settings of a package: `problem.yaml` of all versions and DOMjudge's files. Without
 * `problem.yaml` the package is a legacy one. Throws `PackageError`.
 */
export async function readMetadata(files: PackageFiles, warnings: Warnings): Promise<PackageMetadata> {
  const { map, format } = await readProblemFile(files, warnings)
  const domjudge = await readDomjudgeFiles(files, warnings)
  warnOfKeys(map, format)
  const isOld = isLegacy({ format })
  const ownLimits = readOptional(map, 'limits', (part) => readLimits(part, format))
  const limits = ownLimits ?? (isOld ? legacyLimits() : {})
  const names = readNames(map, format, files)
  warnOfOtherValues(domjudge, limits.time_limit, Object.values(names), warnings)
  const time_limit = limits.time_limit ?? domjudge.timeLimit?.value
  const judging = readJudging(map, format)
  requireValidator(map, judging, files)
  return withoutUndefined({
    format,
    ...judging,
    names: completeNames(names, format, files, domjudge),
    uuid: readUuid(map, format),
    ...readOrigin(map, format),
    ...(!isOld && readNewKeys(map)),
    keywords: readOptional(map, 'keywords', readKeywords) ?? [],
    limits: time_limit === undefined ? limits : { ...limits, time_limit },
    ...(format !== '2025-09' && {
      validator_flags: readOptional(map, 'validator_flags', (part) => readFlags(part, isOld, judging)),
    }),
    short_name: domjudge.shortName,
  })
}

async function readProblemFile(files: PackageFiles, warnings: Warnings) {
  const file = files.get(PROBLEM_FILE)
  const yaml = file ? await readYaml(file, warnings) : undefined
  if (!yaml || yaml.value === null || yaml.value === undefined)
    return { map: new Map<string, YamlPart>(), format: 'legacy' as const }
  const map = readMap({ file: yaml, place: [], value: yaml.value })
  const version = readOptional(map, 'problem_format_version', readVersion)
  if (version === undefined) warnOfMissingVersion(files, warnings)
  const format = version ?? 'legacy'
  if (format === '2023-07-draft') {
    const part = map.get('problem_format_version')
    warnOfPart(part, 'the draft is read like 2025-09, as far as the two agree')
  }
  return { map, format }
}

/** Without a version the package is a legacy one, also if it has files of the newest version. */
function warnOfMissingVersion(files: PackageFiles, warnings: Warnings): void {
  if ([...files.keys()].some((path) => path.endsWith('/test_group.yaml')))
    warnings.add(PROBLEM_FILE, 'problem_format_version is missing: the package is read as a legacy one')
}

function readVersion(part: YamlPart): FormatVersion {
  const text = readString(part)
  const version = VERSIONS.find((one) => one === text)
  if (version === undefined)
    throw faultOfPart(part, `must be one of ${VERSIONS.join(', ')}; "${text}" is not supported`)
  return version
}

function warnOfKeys(map: YamlMap, format: FormatVersion): void {
  const known = [...SHARED_KEYS]
  const hints = new Map<string, string>()
  if (format === '2025-09') {
    for (const key of LEGACY_KEYS) hints.set(key, 'only in legacy packages: not imported')
  } else known.push(...LEGACY_KEYS)
  if (isLegacy({ format })) {
    for (const key of NEW_KEYS) hints.set(key, 'only in 2025-09 packages: not imported')
  } else known.push(...NEW_KEYS)
  warnOfUnknownKeys(map, known, hints)
  if (format !== 'legacy-icpc') return
  for (const key of ['type', 'grading'])
    warnOfPart(map.get(key), 'not a key of legacy-icpc: read as in legacy')
}

/** The names by language. A legacy name belongs to a language with a statement. */
function readNames(map: YamlMap, format: FormatVersion, files: PackageFiles): Record<string, string> {
  const language = format === '2025-09' ? 'en' : languageOfName(files)
  const names = readOptional(map, 'name', (part) => {
    const isOne = isLegacy({ format }) || !isMap(part)
    return isOne ? { [language]: readTitle(part) } : readByLanguage(part, readTitle)
  })
  return names ?? {}
}

function completeNames(
  names: Record<string, string>,
  format: FormatVersion,
  files: PackageFiles,
  { name }: DomjudgeSettings,
): Record<string, string> {
  if (Object.keys(names).length > 0) return names
  if (name) return { [languageOfName(files)]: name.value }
  if (format === '2025-09') throw new PackageError(PROBLEM_FILE, 'name is required')
  return {}
}

/** English if there is a statement in English, or none at all; else the first language. */
function languageOfName(files: PackageFiles): string {
  const languages = [...files.keys()].flatMap((path) => {
    return parseStatementName(path.replace(/^(?:problem_)?statement\//, ''))?.language ?? []
  })
  return languages.includes('en') ? 'en' : (languages.sort()[0] ?? 'en')
}

function readUuid(map: YamlMap, format: FormatVersion): string | undefined {
  const uuid = readOptional(map, 'uuid', readString)
  if (uuid === undefined && format === '2025-09') throw new PackageError(PROBLEM_FILE, 'uuid is required')
  return uuid
}

/** Keys that legacy packages do not have. */
function readNewKeys(map: YamlMap) {
  return {
    version: readOptional(map, 'version', readString),
    embargo_until: readOptional(map, 'embargo_until', readEmbargo),
    languages: readOptional(map, 'languages', readLanguages),
    allow_file_writing: readOptional(map, 'allow_file_writing', readFileWriting),
    constants: readOptional(map, 'constants', readConstants),
  }
}

/** Arguments for the output validator. Only the default one's are known. */
function readFlags(part: YamlPart, isOld: boolean, { has_custom_validator }: Judging): string {
  const flags = readString(part)
  if (flags.length > MAX_FLAGS_LENGTH)
    throw faultOfPart(part, `must have at most ${MAX_FLAGS_LENGTH} characters`)
  const fault = isOld && !has_custom_validator ? explainDefaultFlags(flags) : undefined
  if (fault !== undefined) throw faultOfPart(part, fault)
  return flags
}

/** A day, or a moment in UTC. */
function readEmbargo(part: YamlPart): string {
  const text = readString(part)
  const [, day = '', time] = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}:\d{2}Z)?$/.exec(text) ?? []
  const moment = new Date(`${day}${time ?? 'T00:00:00Z'}`)
  if (Number.isNaN(moment.getTime()) || moment.toISOString().slice(0, 10) !== day)
    throw faultOfPart(part, 'must be a date (YYYY-MM-DD) or a moment in UTC (YYYY-MM-DDThh:mm:ssZ)')
  warnOfPart(part, 'stored, but not enforced: the problem is public when you make it public')
  return text
}

function readLanguages(part: YamlPart): string[] | undefined {
  const languages = readWords(part)
  if (languages.length === 0) throw faultOfPart(part, 'must not be empty')
  if (languages.includes('all')) return undefined
  warnOfPart(part, 'stored, but not enforced: programs of all languages are judged')
  return languages
}

function readFileWriting(part: YamlPart): boolean {
  const isAllowed = readBoolean(part)
  if (isAllowed) warnOfPart(part, 'stored, but not followed: programs cannot write files')
  return isAllowed
}

type Constants = NonNullable<PackageMetadata['constants']>
type Value = string | number

/** `constants`: by name a value, or a map with `value` and other spellings of it. */
function readConstants(part: YamlPart): Constants {
  const entries = [...readMap(part)].map(([name, one]): [string, Record<string, Value>] => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      throw faultOfPart(one, 'must have a name of letters, digits and _ that does not begin with a digit')
    return [name, isMap(one) ? readVariants(one) : { value: readValue(one) }]
  })
  return Object.fromEntries(entries)
}

function readVariants(part: YamlPart): Record<string, Value> {
  const map = readMap(part)
  if (!map.has('value')) throw faultOfPart(part, 'must have a value')
  return Object.fromEntries([...map].map(([name, one]): [string, Value] => [name, readValue(one)]))
}

/** A number that JavaScript would print in another way stays a text: 2^63 or 1e9 do not change. */
function readValue(part: YamlPart): Value {
  const { file, place, value } = part
  if (typeof value === 'string') return value
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw faultOfPart(part, 'must be a number or a string')
  const source = file.sourceOf(place)
  return source === undefined || source === String(value) ? value : source
}

const MOST_KEYWORDS = 1000
const MOST_CHARACTERS = 255

/** The distinct keywords, compared as categories are. Throws `PackageError`. */
function readKeywords(part: YamlPart): string[] {
  const words = new Map<string, string>()
  for (const one of readWords(part)) {
    const word = readShownName(one, (message) => warnOfPart(part, message))
    if (isTooLong(word)) throw faultOfPart(part, `must have at most ${MOST_CHARACTERS} characters each`)
    const key = fold(word)
    if (!words.has(key)) words.set(key, word)
  }
  if (words.size > MOST_KEYWORDS) throw faultOfPart(part, `must be at most ${MOST_KEYWORDS}`)
  return [...words.values()]
}

const isTooLong = (word: string) => [...word].length > MOST_CHARACTERS

/** Whether the name of a category is the same keyword in a package. */
export const isKeyword = (name: string) => replaceHidden(name) === name && !isTooLong(name)

/** The words of a string, or the items of a list. */
function readWords(part: YamlPart): string[] {
  return Array.isArray(part.value) ? readOneOrMore(part, readString) : readString(part).split(/\s+/)
}

/** Custom and interactive problems need a program that validates. Throws `PackageError`. */
function requireValidator(map: YamlMap, { type, has_custom_validator }: Judging, files: PackageFiles): void {
  if (!has_custom_validator && !type.includes('interactive')) return
  if (OUTPUT_VALIDATOR_FOLDERS.some((folder) => filesIn(files, folder).length > 0)) return
  const part = map.get('validation') ?? map.get('type')
  if (part) throw faultOfPart(part, `needs a program: add ${OUTPUT_VALIDATOR_FOLDERS.join('/ or ')}/`)
}

/** Warns about DOMjudge's settings that `problem.yaml` replaces. */
function warnOfOtherValues(
  { timeLimit, name }: DomjudgeSettings,
  seconds: number | undefined,
  names: readonly string[],
  warnings: Warnings,
): void {
  if (timeLimit && seconds !== undefined && seconds !== timeLimit.value) {
    const message = `not used: the time limit of problem.yaml is ${seconds} s`
    warnings.add(timeLimit.file, message, timeLimit.line)
  }
  if (name && names.length > 0 && !names.includes(name.value))
    warnings.add(name.file, 'name: not used, problem.yaml has another name', name.line)
}
