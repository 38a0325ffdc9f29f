import { parseDecimal } from './decimal.ts'
import type { Tolerance } from './tolerance.ts'

/** How the default output validator compares. */
export interface ValidatorSettings {
  readonly caseSensitive: boolean
  readonly spaceChangeSensitive: boolean
  readonly absoluteTolerance?: Tolerance
  readonly relativeTolerance?: Tolerance
}

export type ParsedFlags =
  | { readonly ok: true; readonly settings: ValidatorSettings }
  | { readonly ok: false; readonly error: string }

const TOLERANCE_FLAGS = ['float_tolerance', 'float_absolute_tolerance', 'float_relative_tolerance'] as const
type ToleranceFlag = (typeof TOLERANCE_FLAGS)[number]

/** The words of a validator's flags: the package format has no quotes. */
export function splitFlags(flags: string): string[] {
  return flags.split(/[ \f\n\r\t\v]+/).filter((word) => word !== '')
}

/**
 * The settings that the flags of the default output validator give; flags are separated by white
 * space. A tolerance is a number in the package format's grammar: not negative, and at most the
 * largest double. `case_sensitive` and `space_change_sensitive` may be repeated.
 */
export function parseFlags(flags: string): ParsedFlags {
  const words = splitFlags(flags)
  const switches = new Set<string>()
  const tolerances = new Map<ToleranceFlag, Tolerance>()
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? ''
    const toleranceFlag = TOLERANCE_FLAGS.find((flag) => flag === word)
    if (toleranceFlag) {
      if (tolerances.has(toleranceFlag)) return fail(`${toleranceFlag} is given twice`)
      index += 1
      const tolerance = parseTolerance(toleranceFlag, words[index])
      if (typeof tolerance === 'string') return fail(tolerance)
      tolerances.set(toleranceFlag, tolerance)
    } else if (word === 'case_sensitive' || word === 'space_change_sensitive') switches.add(word)
    else return fail(`unknown flag ${quote(word)}`)
  }
  if (tolerances.has('float_tolerance') && tolerances.size > 1)
    return fail('float_tolerance sets both tolerances: it excludes the flags for one of them')
  return { ok: true, settings: makeSettings(switches, tolerances) }
}

function makeSettings(
  switches: ReadonlySet<string>,
  tolerances: ReadonlyMap<ToleranceFlag, Tolerance>,
): ValidatorSettings {
  const both = tolerances.get('float_tolerance')
  const absolute = tolerances.get('float_absolute_tolerance') ?? both
  const relative = tolerances.get('float_relative_tolerance') ?? both
  return {
    caseSensitive: switches.has('case_sensitive'),
    spaceChangeSensitive: switches.has('space_change_sensitive'),
    ...(absolute && { absoluteTolerance: absolute }),
    ...(relative && { relativeTolerance: relative }),
  }
}

/** The tolerance, or what is wrong with it. */
function parseTolerance(flag: string, text: string | undefined): Tolerance | string {
  if (text === undefined) return `${flag} needs a number`
  const exact = parseDecimal(Buffer.from(text))
  if (exact === undefined) return `${flag} needs a decimal number, not ${quote(text)}`
  if (exact.mantissa < 0n) return `${flag} must not be negative: ${quote(text)}`
  const estimate = Math.abs(Number(text))
  if (!Number.isFinite(estimate)) return `${flag} is too large: ${quote(text)}`
  return { exact, estimate }
}

function fail(error: string): ParsedFlags {
  return { ok: false, error }
}

/** A word in quotes for a message, cut after 60 characters. */
export function quote(word: string): string {
  return JSON.stringify(word.length > 60 ? `${word.slice(0, 60)}…` : word)
}
