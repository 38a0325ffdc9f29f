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

/** A mantissa from here on has 15 digits; doubles are exact up to 15 digits. */
const FULL_MANTISSA = 1e14
/** The largest relative error of a product or quotient, with some reserve. */
const ROUNDING_ERROR = 1e-15
/** The same with digits after the 15th dropped. */
const DROPPING_ERROR = 2e-14
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent)

/** A token's number: `mantissa` × 10^`power`, without the digits after the 15th. */
interface Estimate {
  readonly mantissa: number
  readonly power: number
  /** The double; Infinity if it is too large or too small to be estimated. */
  readonly value: number
  readonly isExact: boolean
}

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
  const infinity = readInfinity(answer)
  if (infinity !== undefined) return readInfinity(output) === infinity
  const expected = estimateNumber(answer)
  if (expected === undefined) return undefined
  const found = estimateNumber(output)
  if (found === undefined) return undefined
  const decided = compareEstimates(expected, found, tolerances)
  if (decided !== undefined) return decided
  const exactAnswer = readExactly(answer, expected)
  const exactOutput = readExactly(output, found)
  if (exactAnswer === undefined || exactOutput === undefined) return undefined
  return isWithinTolerances(exactAnswer, exactOutput, tolerances)
}

function readExactly(token: Token, estimate: Estimate): Decimal | undefined {
  if (!estimate.isExact) return parseDecimal(token.bytes, token.start, token.end)
  return { mantissa: BigInt(estimate.mantissa), exponent: estimate.power }
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

/** The decision if the estimates' errors cannot change it. */
function compareEstimates(answer: Estimate, output: Estimate, tolerances: Tolerances): boolean | undefined {
  const expected = answer.value
  const found = output.value
  if (!Number.isFinite(expected) || !Number.isFinite(found)) return undefined
  const difference = Math.abs(found - expected)
  const isExact = answer.isExact && output.isExact
  // Different decimals of at most 15 digits are different doubles.
  if (isExact && difference === 0) return true
  const error = isExact ? ROUNDING_ERROR : DROPPING_ERROR
  const differenceError = error * (Math.abs(found) + Math.abs(expected))
  const absolute = tolerances.absoluteTolerance?.estimate ?? 0
  const relative = (tolerances.relativeTolerance?.estimate ?? 0) * Math.abs(expected)
  const limit = Math.max(absolute, relative)
  if (difference + differenceError < limit * (1 - 2 * error)) return true
  if (difference - differenceError > limit * (1 + 2 * error)) return false
  return undefined
}

/** The token's number by the grammar of `NumberScanner`, or undefined. */
function estimateNumber({ bytes, start, end }: Token): Estimate | undefined {
  let index = start
  let byte = bytes[index] ?? 0
  const isNegative = byte === 45
  if (isNegative || byte === 43) index += 1
  let mantissa = 0
  let power = 0
  let digits = 0
  let isExact = true
  let hasPoint = false
  for (; index < end; index += 1) {
    byte = bytes[index] ?? 0
    if (byte >= 48 && byte <= 57) {
      digits += 1
      if (mantissa < FULL_MANTISSA) {
        mantissa = mantissa * 10 + byte - 48
        if (hasPoint) power -= 1
      } else {
        isExact &&= byte === 48
        if (!hasPoint) power += 1
      }
    } else if (byte === 46 && !hasPoint) hasPoint = true
    else break
  }
  if (digits === 0) return undefined
  if (index < end) power += readExponent(bytes, index, end)
  if (Number.isNaN(power)) return undefined
  if (isNegative) mantissa = -mantissa
  return { mantissa, power, value: scale(mantissa, power), isExact }
}

/** The exponent with its `e`, or NaN. */
function readExponent(bytes: Buffer, start: number, end: number): number {
  const letter = bytes[start]
  if (letter !== 69 && letter !== 101) return Number.NaN
  const sign = bytes[start + 1]
  const first = sign === 43 || sign === 45 ? start + 2 : start + 1
  if (first >= end) return Number.NaN
  let exponent = 0
  for (let index = first; index < end; index += 1) {
    const byte = bytes[index] ?? 0
    if (byte < 48 || byte > 57) return Number.NaN
    exponent = Math.min(exponent * 10 + byte - 48, 1e15)
  }
  return sign === 45 ? -exponent : exponent
}

function scale(mantissa: number, power: number): number {
  if (mantissa === 0 || power === 0) return mantissa
  const factor = POWERS_OF_TEN[Math.abs(power)]
  if (factor === undefined) return Number.POSITIVE_INFINITY
  return power < 0 ? mantissa / factor : mantissa * factor
}
