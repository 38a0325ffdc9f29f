import { type Decimal, multiplyDecimals, negateDecimal, parseDecimal, signOfSum } from './decimal.ts'

/** A tolerance that a flag gives: not negative. */
export interface Tolerance {
  readonly exact: Decimal
  /** The closest double. */
  readonly estimate: number
}

export interface Tolerances {
  readonly absoluteTolerance?: Tolerance
  readonly relativeTolerance?: Tolerance
}

/** The bytes from `start` to `end`. */
export interface Token {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
}

/** The grammar of `NumberScanner`. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const ZERO = /^[^1-9]*(?:e|$)/i
/** The largest relative error of a double, a product or a difference, with some reserve. */
const ROUNDING_ERROR = 1e-15
/** The error of smaller doubles is larger. */
const LEAST_ESTIMATE = 1e-300

/** As IEEE 754 writes them; the older package format allows these. */
const INFINITY = /^([+-]?)inf(?:inity)?$/i
const LONGEST_INFINITY = '-infinity'.length

function readInfinity({ bytes, start, end }: Token): 'positive' | 'negative' | undefined {
  if (end - start > LONGEST_INFINITY) return undefined
  const sign = INFINITY.exec(bytes.toString('latin1', start, end))?.[1]
  if (sign === undefined) return undefined
  return sign === '-' ? 'negative' : 'positive'
}

/**
 * Whether two tokens are numbers within one of the tolerances, decided exactly: 0.3 is within 0.1
 * of 0.2. Doubles decide clear cases, exact decimals all others. An infinity is within a tolerance
 * of itself only. Returns undefined if one of them is not a number.
 */
export function compareNumberTokens(
  answer: Token,
  output: Token,
  tolerances: Tolerances,
): boolean | undefined {
  const expected = estimateNumber(answer)
  if (expected === undefined) {
    const infinity = readInfinity(answer)
    return infinity && readInfinity(output) === infinity
  }
  const found = estimateNumber(output)
  if (found === undefined) return undefined
  if (expected === found && isShort(answer) && isShort(output)) return true
  const decided = compareEstimates(expected, found, tolerances)
  if (decided !== undefined) return decided
  const exactAnswer = parseDecimal(answer.bytes, answer.start, answer.end)
  const exactOutput = parseDecimal(output.bytes, output.start, output.end)
  return exactAnswer && exactOutput && isWithinTolerances(exactAnswer, exactOutput, tolerances)
}

/** At most 15 digits: different numbers are different doubles. */
function isShort({ start, end }: Token): boolean {
  return end - start <= 15
}

/** Whether the output's number is within one of the tolerances of the answer's, exactly. */
export function isWithinTolerances(answer: Decimal, output: Decimal, tolerances: Tolerances): boolean {
  const { absoluteTolerance: absolute, relativeTolerance: relative } = tolerances
  if (absolute && isWithin(answer, output, absolute.exact)) return true
  if (!relative) return false
  const size = answer.mantissa < 0n ? negateDecimal(answer) : answer
  return isWithin(answer, output, multiplyDecimals(relative.exact, size))
}

function isWithin(answer: Decimal, output: Decimal, limit: Decimal): boolean {
  const negativeLimit = negateDecimal(limit)
  return (
    signOfSum([output, negateDecimal(answer), negativeLimit]) <= 0 &&
    signOfSum([answer, negateDecimal(output), negativeLimit]) <= 0
  )
}

/** The decision if the estimates' errors cannot change it; undefined also if one is NaN. */
function compareEstimates(expected: number, found: number, tolerances: Tolerances): boolean | undefined {
  const difference = Math.abs(found - expected)
  const differenceError = ROUNDING_ERROR * (Math.abs(found) + Math.abs(expected))
  const absolute = tolerances.absoluteTolerance?.estimate ?? 0
  const relative = (tolerances.relativeTolerance?.estimate ?? 0) * Math.abs(expected)
  const limit = Math.max(absolute, relative)
  if (difference + differenceError < limit * (1 - 2 * ROUNDING_ERROR)) return true
  if (difference - differenceError > limit * (1 + 2 * ROUNDING_ERROR)) return false
  return undefined
}

/** The double next to the token's number. NaN: too large or too small. Undefined: no number. */
function estimateNumber({ bytes, start, end }: Token): number | undefined {
  const text = bytes.toString('latin1', start, end)
  if (!NUMBER.test(text)) return undefined
  const value = Number(text)
  const hasEstimate = Number.isFinite(value) && Math.abs(value) >= LEAST_ESTIMATE
  return hasEstimate || ZERO.test(text) ? value : Number.NaN
}
