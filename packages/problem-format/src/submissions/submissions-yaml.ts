import { type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'
import { PackageError, type PackageFiles, type Warnings } from '../package/package-files.ts'
import type { PackageMetadata } from '../package/package-problem.ts'
import { nearestLine, readYaml, type YamlFile } from '../package/yaml-file.ts'
import { withoutUndefined } from '../package/yaml-part.ts'
import type { Rule, Verdict } from './expectations.ts'
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

type Place = readonly string[]
type YamlMap = Readonly<Record<string, unknown>>

export const SUBMISSIONS_YAML = 'submissions/submissions.yaml'

/** More would keep the service busy: each entry is compared with each program. */
const MOST_ENTRIES = 200
const MOST_CASE_RULES = 1000
/** Characters of patterns times characters of names: about a second. */
export const MOST_COMPARISONS = 20_000_000

/** All verdicts of the format. */
export const ALL_VERDICTS: readonly Verdict[] = ['AC', 'WA', 'TLE', 'RTE']

const MapSchema = Type.Record(Type.String(), Type.Unknown())
const TextSchema = Type.String()
const MessageSchema = Type.String({ maxLength: 1000 })
const FlagSchema = Type.Boolean()
const VerdictSchema = Type.Enum(['AC', 'WA', 'TLE', 'RTE'])
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
  const names = tests.map(({ name }) => name)
  return new Reader(await readYaml(file), metadata, warnings, names).readEntries()
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
  readonly #file: YamlFile
  readonly #isScoring: boolean
  readonly #warnings: Warnings
  readonly #tests: readonly string[]
  readonly #testCharacters: number
  #caseRules = 0
  #comparisons = 0
  #timeLimitUses: TimeLimitUse[] = []

  constructor(file: YamlFile, { type }: PackageMetadata, warnings: Warnings, tests: readonly string[]) {
    this.#tests = tests
    this.#testCharacters = tests.reduce((sum, name) => sum + name.length, 0)
    this.#file = file
    this.#isScoring = type.includes('scoring')
    this.#warnings = warnings
  }

  readEntries(): SubmissionEntry[] {
    const top = this.#readMap(this.#file.value, [])
    const entries = Object.entries(top)
    if (entries.length > MOST_ENTRIES) this.#fail([], `the file must have at most ${MOST_ENTRIES} entries`)
    return entries.map(([pattern, value]) => this.#readEntry(pattern, value))
  }

  #readEntry(pattern: string, value: unknown): SubmissionEntry {
    const place = [pattern]
    const matches = this.#compile(pattern, place)
    const map = this.#readMap(value, place)
    const language = this.#read(map, place, 'language', TextSchema, 'a language code')
    const entrypoint = this.#read(map, place, 'entrypoint', TextSchema, 'a text')
    this.#read(map, place, 'model_solution', FlagSchema, 'true or false')
    const own = Object.entries(map).filter(([key]) => !ENTRY_KEYS.includes(key))
    this.#timeLimitUses = []
    return withoutUndefined({
      ...{ pattern, line: this.#lineOf(place), matches, language, entrypoint },
      expectation: this.#readExpectation(map, place),
      caseRules: own.flatMap(([key, nested]) => this.#readCaseRule(nested, [...place, key])),
      timeLimitUses: this.#timeLimitUses,
    })
  }

  #readCaseRule(value: unknown, place: Place): Rule[] {
    const key = place.at(-1) ?? ''
    if (!isCasePattern(key)) {
      this.#warn(place, `${key} is an unknown key`)
      return []
    }
    this.#warnOfUnusedCases(this.#compile(key, place), place)
    this.#caseRules += 1
    if (this.#caseRules > MOST_CASE_RULES)
      this.#fail(place, `the file must have at most ${MOST_CASE_RULES} entries for test cases`)
    const map = this.#readMap(value, place)
    for (const other of Object.keys(map).filter((one) => !EXPECTATION_KEYS.includes(one)))
      this.#warn([...place, other], `${other} is an unknown key`)
    const expectation = this.#readExpectation(map, place)
    checkConsistency(expectation, this.#lineOf(place))
    return makeRules(expectation, key)
  }

  #readExpectation(map: YamlMap, place: Place): Expectation {
    const permitted = this.#readVerdicts(map, place, 'permitted')
    const required = this.#readVerdicts(map, place, 'required')
    const score = this.#readScore(map, place)
    const message = this.#read(map, place, 'message', MessageSchema, 'a text of at most 1000 characters')
    const use = this.#read(map, place, 'use_for_time_limit', TimeLimitSchema, 'true, false, lower or upper')
    if (use === 'lower' || use === 'upper') {
      const line = this.#lineOf([...place, 'use_for_time_limit'])
      this.#timeLimitUses.push({ value: use, cases: place[1], line })
    }
    return withoutUndefined({ permitted, required, score, message, use_for_time_limit: use })
  }

  #readVerdicts(map: YamlMap, place: Place, key: string): readonly Verdict[] | undefined {
    const value = map[key]
    if (Check(VerdictSchema, value)) return [value]
    const verdicts = this.#read(map, place, key, VerdictsSchema, 'a list of AC, WA, TLE and RTE')
    return verdicts && [...new Set(verdicts)]
  }

  #readScore(map: YamlMap, place: Place): readonly [number, number] | undefined {
    const value = map.score
    const range = Check(ScoreSchema, value) ? ([value, value] as const) : value
    const score = this.#read({ score: range }, place, 'score', RangeSchema, 'a number or a list of two')
    if (score === undefined) return undefined
    if (score[0] > score[1]) this.#fail([...place, 'score'], 'the first score must not be above the second')
    if (this.#isScoring) return score
    this.#warn([...place, 'score'], 'only scoring problems have a score: it is not used')
    return undefined
  }

  #read<T extends TSchema>(map: YamlMap, place: Place, key: string, schema: T, what: string) {
    const value = map[key]
    if (value === undefined || value === null) return undefined
    if (Check(schema, value)) return value
    return this.#fail([...place, key], `${key} must be ${what}`)
  }

  #readMap(value: unknown, place: Place): YamlMap {
    if (value === null) return {}
    if (Check(MapSchema, value)) return value
    return this.#fail(place, `${place.at(-1) ?? 'the file'} must be a map`)
  }

  #compile(pattern: string, place: Place): (path: string) => boolean {
    if (pattern.length > MOST_PATTERN_CHARACTERS)
      this.#fail(place, `a pattern must have at most ${MOST_PATTERN_CHARACTERS} characters`)
    if (/\*\*|[[\]]/.test(pattern))
      this.#fail(place, `${pattern}: patterns have * and {a,b}, but neither ** nor [abc]`)
    return compileGlob(pattern) ?? this.#fail(place, `${pattern.slice(0, 100)} is not a valid pattern`)
  }

  /** Checks only as many patterns as take about a second. */
  #warnOfUnusedCases(matches: (name: string) => boolean, place: Place): void {
    const pattern = place.at(-1) ?? ''
    this.#comparisons += pattern.length * this.#testCharacters
    if (this.#tests.length === 0 || this.#comparisons > MOST_COMPARISONS) return
    if (!this.#tests.some(matches)) this.#warn(place, `${pattern} matches no test case`)
  }

  #lineOf(place: Place): number | undefined {
    return nearestLine(this.#file, place)
  }

  #fail(place: Place, message: string): never {
    throw new PackageError(SUBMISSIONS_YAML, message, this.#lineOf(place))
  }

  #warn(place: Place, message: string): void {
    this.#warnings.add(SUBMISSIONS_YAML, message, this.#lineOf(place))
  }
}

/** True if a pattern can match test cases or their folders. */
function isCasePattern(key: string): boolean {
  const first = key.split('/', 1)[0] ?? ''
  if (first.includes('{')) return true
  const matches = compileGlob(first)
  return matches !== undefined && (matches('sample') || matches('secret'))
}
