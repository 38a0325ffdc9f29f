import type { Validation } from '../service/judging-options.ts'
import { parseDecimal } from './decimal.ts'
import { JudgeError } from './judge-error.ts'
import type { Tolerance, Tolerances } from './tolerance.ts'

/** How the default output validator compares. */
export interface ValidatorSettings extends Tolerances {
  readonly caseSensitive: boolean
  readonly spaceChangeSensitive: boolean
}

const TOLERANCE_FLAGS = ['float_tolerance', 'float_absolute_tolerance', 'float_relative_tolerance'] as const
type ToleranceFlag = (typeof TOLERANCE_FLAGS)[number]

const INVALID = 'the flags of the default validator are invalid:'

/** The words of a validator's flags: the package format has no quotes. */
export function splitFlags(flags: string): string[] {
  return flags.split(/[ \f\n\r\t\v]+/).filter((word) => word !== '')
}

/** What `read` makes of the flags of a test case, by its number (from 1). Reads each text once. */
export function readCaseFlags<T extends object>(
  { flags = '', case_flags = [] }: Validation,
  read: (flags: string) => T,
): (number: number) => T {
  const common = read(flags)
  const values = new Map([[flags, common]])
  const readOnce = (text: string) => {
    const value = values.get(text) ?? read(text)
    values.set(text, value)
    return value
  }
  const own = new Map<number, T>()
  for (const entry of case_flags) for (const number of entry.cases) own.set(number, readOnce(entry.flags))
  return (number) => own.get(number) ?? common
}

/**
 * The settings that the flags of the default output validator give; flags are separated by white
 * space. A tolerance is a number in the package format's grammar: not negative, and at most the
 * largest double. `case_sensitive` and `space_change_sensitive` may be repeated. Throws
 * `JudgeError`.
 */
export function parseFlags(flags: string): ValidatorSettings {
  const switches = new Set<string>()
  const tolerances = new Map<ToleranceFlag, Tolerance>()
  const words = splitFlags(flags).values()
  for (const word of words) {
    const flag = TOLERANCE_FLAGS.find((name) => name === word)
    if (flag) {
      if (tolerances.has(flag)) throw new JudgeError(`${INVALID} ${flag} is given twice`)
      const text = words.next().value
      if (text === undefined) throw new JudgeError(`${INVALID} ${flag} needs a number`)
      tolerances.set(flag, readNumber(text, `${INVALID} ${flag}`, 'needs a decimal number'))
    } else if (word === 'case_sensitive' || word === 'space_change_sensitive') switches.add(word)
    else throw new JudgeError(`${INVALID} unknown flag ${quote(word)}`)
  }
  if (tolerances.has('float_tolerance') && tolerances.size > 1)
    throw new JudgeError(
      `${INVALID} float_tolerance sets both tolerances: it excludes the flags for one of them`,
    )
  return makeSettings(switches, tolerances)
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

/**
 * A number that is not negative, in the package format's grammar. Throws `JudgeError`: its message
 * begins with `name`, and goes on with `wants` for another text.
 */
export function readNumber(text: string, name: string, wants: string): Tolerance {
  const exact = parseDecimal(Buffer.from(text))
  if (exact === undefined) throw new JudgeError(`${name} ${wants}, not ${quote(text)}`)
  if (exact.mantissa < 0n) throw new JudgeError(`${name} must not be negative: ${quote(text)}`)
  const estimate = Math.abs(Number(text))
  if (!Number.isFinite(estimate)) throw new JudgeError(`${name} is too large: ${quote(text)}`)
  return { exact, estimate }
}

/** A word in quotes for a message, cut after 60 characters. */
export function quote(word: string): string {
  return JSON.stringify(word.length > 60 ? `${word.slice(0, 60)}…` : word)
}
