import { type FormatVersion, isLegacy, type PackageLimits } from '../package/package-problem.ts'
import { MOST_TIME_LIMIT_SECONDS } from '../package/times.ts'
import {
  faultOfPart,
  readMap,
  readOptional,
  warnOfPart,
  warnOfUnknownKeys,
  withoutUndefined,
  type YamlMap,
  type YamlPart,
} from '../package/yaml-part.ts'

/** What the service can grant (docs/writing-problems.md). */
const WHOLE_NUMBERS = {
  memory: { maximum: 1_048_576, unit: 'MiB' },
  output: { maximum: 256, unit: 'MiB' },
  code: { maximum: 1_048_576, unit: 'KiB' },
  compilation_time: { maximum: 86_400, unit: 'seconds' },
  compilation_memory: { maximum: 1_048_576, unit: 'MiB' },
  validation_time: { maximum: 86_400, unit: 'seconds' },
  validation_memory: { maximum: 1_048_576, unit: 'MiB' },
  validation_output: { maximum: 256, unit: 'MiB' },
} as const

const LEGACY_KEYS = ['time_multiplier', 'time_safety_margin']
const TIMES = ['time_limit', 'time_resolution']
const CODE_MESSAGE = 'not enforced: the service has one limit for the source code of all problems'
const ONLY_MULTI_PASS = new Map([['validation_passes', 'only for multi-pass problems: not used']])

/** The limits, as 2025-09 has them. Throws `PackageError` if the service cannot grant them. */
export function readLimits(part: YamlPart, version: FormatVersion): PackageLimits {
  const map = readMap(part)
  const isOld = isLegacy({ format: version })
  const known = [...Object.keys(WHOLE_NUMBERS), ...TIMES]
  if (!isOld) known.push('time_multipliers')
  if (version !== '2025-09') known.push(...LEGACY_KEYS)
  warnOfUnknownKeys(map, known, hintsOf(isOld))
  readOptional(map, 'code', (code) => warnOfPart(code, CODE_MESSAGE))
  const limits = withoutUndefined({
    time_limit: readOptional(map, 'time_limit', readTimeLimit),
    time_resolution: readOptional(map, 'time_resolution', readResolution),
    time_multipliers: readMultipliers(map, version),
    ...readWholeNumbers(map),
  })
  if (version === '2025-09') checkResolution(map, limits)
  return limits
}

/** The limits of a legacy package without any. */
export const legacyLimits = (): PackageLimits => ({
  time_multipliers: { ac_to_time_limit: 5, time_limit_to_tle: 2 },
})

/** True if a time is a whole multiple of a resolution, as far as binary fractions can tell. */
export function isMultiple(time: number, resolution: number): boolean {
  const times = time / resolution
  return Math.round(times) >= 1 && Math.abs(times - Math.round(times)) <= 1e-9 * times
}

function readWholeNumbers(map: YamlMap): { [Key in keyof typeof WHOLE_NUMBERS]?: number } {
  const entries = Object.entries(WHOLE_NUMBERS).flatMap(([key, { maximum, unit }]) => {
    const value = readOptional(map, key, (part) => readWholeNumber(part, maximum, unit))
    return value === undefined ? [] : [[key, value] as const]
  })
  return Object.fromEntries(entries)
}

function readMultipliers(map: YamlMap, version: FormatVersion) {
  const old = {
    ac_to_time_limit: readOptional(map, 'time_multiplier', readFactor),
    time_limit_to_tle: readOptional(map, 'time_safety_margin', readFactor),
  }
  if (version === '2025-09') return readMultiplierMap(map)
  if (version !== '2023-07-draft') {
    const { ac_to_time_limit = 5, time_limit_to_tle = 2 } = old
    return { ac_to_time_limit, time_limit_to_tle }
  }
  const both = { ...withoutUndefined(old), ...readMultiplierMap(map) }
  return Object.keys(both).length > 0 ? both : undefined
}

function readMultiplierMap(limits: YamlMap) {
  return readOptional(limits, 'time_multipliers', (part) => {
    const map = readMap(part)
    warnOfUnknownKeys(map, ['ac_to_time_limit', 'time_limit_to_tle'])
    return withoutUndefined({
      ac_to_time_limit: readOptional(map, 'ac_to_time_limit', readFactor),
      time_limit_to_tle: readOptional(map, 'time_limit_to_tle', readFactor),
    })
  })
}

function readNumber(part: YamlPart, isValid: (value: number) => boolean, what: string): number {
  const { value } = part
  if (typeof value === 'number' && Number.isFinite(value) && isValid(value)) return value
  throw faultOfPart(part, `must be ${what}`)
}

function readWholeNumber(part: YamlPart, maximum: number, unit: string): number {
  const isValid = (value: number) => Number.isInteger(value) && value >= 1 && value <= maximum
  return readNumber(part, isValid, `a whole number of ${unit} from 1 to ${maximum}`)
}

function readTimeLimit(part: YamlPart): number {
  const isValid = (value: number) => value > 0 && value <= MOST_TIME_LIMIT_SECONDS
  return readNumber(part, isValid, `a number of seconds above 0 and at most ${MOST_TIME_LIMIT_SECONDS}`)
}

const readResolution = (part: YamlPart) =>
  readNumber(part, (value) => value > 0, 'a number of seconds above 0')

const readFactor = (part: YamlPart) => readNumber(part, (value) => value >= 1, 'a number of at least 1')

function checkResolution(map: YamlMap, { time_limit, time_resolution = 1 }: PackageLimits): void {
  const part = map.get('time_limit')
  if (part === undefined || time_limit === undefined || isMultiple(time_limit, time_resolution)) return
  throw faultOfPart(part, `must be a multiple of limits.time_resolution, ${time_resolution} s`)
}

/** What else to write for a key of another version. */
function hintsOf(isOld: boolean): ReadonlyMap<string, string> {
  const otherKeys = isOld ? ['time_multipliers'] : LEGACY_KEYS
  const message = isOld
    ? 'not imported: legacy packages have time_multiplier and time_safety_margin'
    : 'only in legacy packages: not imported, use limits.time_multipliers'
  return new Map([...ONLY_MULTI_PASS, ...otherKeys.map((key): [string, string] => [key, message])])
}
