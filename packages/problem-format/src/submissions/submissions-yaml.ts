import { type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'
import { PackageError, type PackageFiles, type Warnings } from '../package/package-files.ts'
import type { PackageMetadata } from '../package/package-problem.ts'
import { nearestLine, readYaml } from '../package/yaml-file.ts'
import { partsOf, withoutUndefined, type YamlMap, type YamlPart } from '../package/yaml-part.ts'
import { ALL_VERDICTS, type Rule, type Verdict } from './expectations.ts'
import { compileGlob, MOST_PATTERN_CHARACTERS } from './glob-pattern.ts'

/** An entry of `submissions.yaml`, for the programs that its pattern matches. */
export interface SubmissionEntry {
  /** Below `submissions`. */
  readonly pattern: string
  readonly line?: number
  readonly matches: (path: string) => boolean
  readonly language?: string
  readonly entrypoint?: string
  readonly expectation: Expectation
  /** For some test cases. */
  readonly caseRules: readonly Rule[]
  /** Each `use_for_time_limit` that is a rule for verdicts. */
  readonly timeLimitUses: readonly TimeLimitUse[]
}

interface TimeLimitUse {
  readonly value: 'lower' | 'upper'
  /** As `Rule.cases`. */
  readonly cases: string | undefined
  readonly line: number | undefined
}

/** Conditions as `submissions.yaml` has them. */
export interface Expectation {
  readonly permitted?: readonly Verdict[]
  readonly required?: readonly Verdict[]
  readonly score?: readonly [number, number]
  readonly message?: string
  readonly use_for_time_limit?: boolean | 'lower' | 'upper'
}

export const SUBMISSIONS_YAML = 'submissions/submissions.yaml'

/** More would keep the service busy: each entry is compared with each program. */
const MOST_ENTRIES = 200
const MOST_CASE_RULES = 1000
/** Characters of patterns times characters of names: about a second. */
export const MOST_COMPARISONS = 20_000_000

const TextSchema = Type.String()
const MessageSchema = Type.String({ maxLength: 1000 })
const FlagSchema = Type.Boolean()
const VerdictSchema = Type.Enum(ALL_VERDICTS)
const VerdictsSchema = Type.Array(VerdictSchema, { minItems: 1 })
const ScoreSchema = Type.Number({ minimum: 0 })
const RangeSchema = Type.Tuple([ScoreSchema, ScoreSchema])
const TimeLimitSchema = Type.Union([Type.Boolean(), Type.Literal('lower'), Type.Literal('upper')])

const EXPECTATION_KEYS = ['permitted', 'required', 'score', 'message', 'use_for_time_limit']
const ENTRY_KEYS = [...EXPECTATION_KEYS, 'language', 'entrypoint', 'authors', 'author', 'model_solution']

/** Reads `submissions.yaml` in its order. `tests`: all, if they are known. Throws `PackageError`. */
export async function readSubmissionsYaml(
  files: PackageFiles,
  metadata: PackageMetadata,
  warnings: Warnings,
  tests: readonly { readonly name: string }[] = [],
): Promise<readonly SubmissionEntry[]> {
  const file = files.get(SUBMISSIONS_YAML)
  if (file === undefined) return []
  const yaml = await readYaml(file, warnings)
  const reader = new Reader(metadata.type.includes('scoring'), tests)
  return reader.readEntries({ file: yaml, place: [], value: yaml.value })
}

/**
 * The rules of an expectation. `permitted` and `required` stay undefined if they allow everything.
 * `use_for_time_limit: lower` forbids TLE, and `upper` requires it.
 */
export function makeRules(expectation: Expectation, cases?: string): Rule[] {
  const { permitted = ALL_VERDICTS, required = ALL_VERDICTS, use_for_time_limit: use } = expectation
  const { score, message } = expectation
  const allowed = use === 'lower' ? withoutTle(permitted) : permitted
  const rule: Rule = {
    ...(cases !== undefined && { cases }),
    ...(allowed.length < ALL_VERDICTS.length && { permitted: allowed }),
    ...(required.length < ALL_VERDICTS.length && { required }),
    ...(score && { score }),
    ...(message && { message }),
    ...(use === false && { useForTimeLimit: false as const }),
  }
  const upper: Rule = { ...(cases !== undefined && { cases }), required: ['TLE'] }
  if (use !== 'upper') return [rule]
  return required.includes('TLE') ? [{ ...rule, ...upper }] : [rule, upper]
}

/** Throws `PackageError` if the verdicts of an expectation exclude each other. */
export function checkConsistency(expectation: Expectation, line: number | undefined): void {
  const { permitted = ALL_VERDICTS, required = ALL_VERDICTS, use_for_time_limit: use } = expectation
  const allowed = use === 'lower' ? withoutTle(permitted) : permitted
  if (!required.some((verdict) => allowed.includes(verdict)))
    throw new PackageError(SUBMISSIONS_YAML, 'permitted must contain a verdict of required', line)
  if (use === 'upper' && !permitted.includes('TLE'))
    throw new PackageError(SUBMISSIONS_YAML, 'permitted must contain TLE for use_for_time_limit: upper', line)
}

const withoutTle = (verdicts: readonly Verdict[]) => verdicts.filter((verdict) => verdict !== 'TLE')

class Reader {
  readonly #isScoring: boolean
  readonly #tests: readonly string[]
  readonly #testCharacters: number
  #caseRules = 0
  #comparisons = 0
  #timeLimitUses: TimeLimitUse[] = []

  constructor(isScoring: boolean, tests: readonly { readonly name: string }[]) {
    this.#isScoring = isScoring
    this.#tests = tests.map(({ name }) => name)
    this.#testCharacters = this.#tests.reduce((sum, name) => sum + name.length, 0)
  }

  readEntries(top: YamlPart): SubmissionEntry[] {
    const entries = [...readMap(top).values()]
    if (entries.length > MOST_ENTRIES) fail(top, `the file must have at most ${MOST_ENTRIES} entries`)
    return entries.map((part) => this.#readEntry(part))
  }

  #readEntry(part: YamlPart): SubmissionEntry {
    const matches = compile(part)
    const map = readMap(part)
    const language = read(map, 'language', TextSchema, 'a language code')
    const entrypoint = read(map, 'entrypoint', TextSchema, 'a text')
    read(map, 'model_solution', FlagSchema, 'true or false')
    const own = [...map].filter(([key]) => !ENTRY_KEYS.includes(key))
    this.#timeLimitUses = []
    return withoutUndefined({
      ...{ pattern: keyOf(part), line: lineOf(part), matches, language, entrypoint },
      expectation: this.#readExpectation(map),
      caseRules: own.flatMap(([, nested]) => this.#readCaseRule(nested)),
      timeLimitUses: this.#timeLimitUses,
    })
  }

  #readCaseRule(part: YamlPart): Rule[] {
    const key = keyOf(part)
    if (!isCasePattern(key)) {
      warn(part, `${key} is an unknown key`)
      return []
    }
    this.#warnOfUnusedCases(compile(part), part)
    this.#caseRules += 1
    if (this.#caseRules > MOST_CASE_RULES)
      fail(part, `the file must have at most ${MOST_CASE_RULES} entries for test cases`)
    const map = readMap(part)
    for (const [other, value] of map)
      if (!EXPECTATION_KEYS.includes(other)) warn(value, `${other} is an unknown key`)
    const expectation = this.#readExpectation(map, key)
    checkConsistency(expectation, lineOf(part))
    return makeRules(expectation, key)
  }

  #readExpectation(map: YamlMap, cases?: string): Expectation {
    const permitted = readVerdicts(map, 'permitted')
    const required = readVerdicts(map, 'required')
    const score = this.#readScore(map.get('score'))
    const message = read(map, 'message', MessageSchema, 'a text of at most 1000 characters')
    const use = read(map, 'use_for_time_limit', TimeLimitSchema, 'true, false, lower or upper')
    if (use === 'lower' || use === 'upper')
      this.#timeLimitUses.push({ value: use, cases, line: lineOf(map.get('use_for_time_limit')) })
    return withoutUndefined({ permitted, required, score, message, use_for_time_limit: use })
  }

  #readScore(part: YamlPart | undefined): readonly [number, number] | undefined {
    const value = part?.value
    if (part === undefined || value === null) return undefined
    const range = Check(ScoreSchema, value) ? ([value, value] as const) : value
    if (!Check(RangeSchema, range)) return fail(part, 'score must be a number or a list of two')
    if (range[0] > range[1]) fail(part, 'the first score must not be above the second')
    if (this.#isScoring) return range
    warn(part, 'only scoring problems have a score: it is not used')
    return undefined
  }

  /** Checks only as many patterns as take about a second. */
  #warnOfUnusedCases(matches: (name: string) => boolean, part: YamlPart): void {
    const pattern = keyOf(part)
    this.#comparisons += pattern.length * this.#testCharacters
    if (this.#tests.length === 0 || this.#comparisons > MOST_COMPARISONS) return
    if (!this.#tests.some(matches)) warn(part, `${pattern} matches no test case`)
  }
}

function read<T extends TSchema>(map: YamlMap, key: string, schema: T, what: string) {
  const part = map.get(key)
  if (part === undefined || part.value === null) return undefined
  return Check(schema, part.value) ? part.value : fail(part, `${key} must be ${what}`)
}

function readVerdicts(map: YamlMap, key: string): readonly Verdict[] | undefined {
  const value = map.get(key)?.value
  if (Check(VerdictSchema, value)) return [value]
  const verdicts = read(map, key, VerdictsSchema, 'a list of AC, WA, TLE and RTE')
  return verdicts && [...new Set(verdicts)]
}

function readMap(part: YamlPart): YamlMap {
  if (part.value === null) return new Map()
  return partsOf(part) ?? fail(part, `${keyOf(part) || 'the file'} must be a map`)
}

function compile(part: YamlPart): (path: string) => boolean {
  const pattern = keyOf(part)
  if (pattern.length > MOST_PATTERN_CHARACTERS)
    fail(part, `a pattern must have at most ${MOST_PATTERN_CHARACTERS} characters`)
  if (/\*\*|[[\]]/.test(pattern))
    fail(part, `${pattern}: patterns have * and {a,b}, but neither ** nor [abc]`)
  return compileGlob(pattern) ?? fail(part, `${pattern.slice(0, 100)} is not a valid pattern`)
}

const keyOf = ({ place }: YamlPart) => String(place.at(-1) ?? '')

const lineOf = (part: YamlPart | undefined) => part && nearestLine(part.file, part.place)

function fail(part: YamlPart, message: string): never {
  throw new PackageError(SUBMISSIONS_YAML, message, lineOf(part))
}

const warn = (part: YamlPart, message: string) =>
  part.file.warnings.add(SUBMISSIONS_YAML, message, lineOf(part))

/** True if a pattern can match test cases or their folders. */
function isCasePattern(key: string): boolean {
  const first = key.split('/', 1)[0] ?? ''
  if (first.includes('{')) return true
  const matches = compileGlob(first)
  return matches !== undefined && (matches('sample') || matches('secret'))
}
