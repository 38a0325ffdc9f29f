/** An exact decimal number: `mantissa` × 10^`exponent`. */
export interface Decimal {
  readonly mantissa: bigint
  readonly exponent: number
}

/** More significant digits than this cannot matter: see `NumberScanner`. */
const MAX_DIGITS = 1000

/** Exponents beyond this limit, in both directions, count as the limit. */
const MAX_EXPONENT = 1e15

const START = 0
const SIGN = 1
const POINT = 2
const INTEGER = 3
const FRACTION = 4
const EXPONENT = 5
const EXPONENT_SIGN = 6
const EXPONENT_DIGITS = 7
const NO_NUMBER = 8

/**
 * Reads a number of any length in pieces, in constant memory, by the package format's grammar:
 * a sign, digits with an optional point (`5.` and `.5` too), and an exponent with `e` or `E`.
 * Infinities, NaN and hexadecimal numbers are not numbers in this grammar.
 *
 * Leading zeros do not count as digits. The first 1,000 significant digits are exact. If any later
 * digit is not zero, all later digits together count as one more digit 1. A comparison is then
 * still exact unless two numbers of more than 1,000 digits differ only after the 1,000th digit.
 */
export class NumberScanner {
  private state = START
  private negative = false
  private readonly digits = Buffer.alloc(MAX_DIGITS)
  private digitCount = 0
  private hasMore = false
  private scale = 0
  private exponent = 0
  private exponentIsNegative = false

  /** Reads the next bytes of the token. Returns false once it cannot become a number any more. */
  feed(bytes: Buffer, start: number, end: number): boolean {
    for (let index = start; index < end; index += 1) {
      const byte = bytes[index] ?? 0
      if (byte >= 48 && byte <= 57) this.takeDigit(byte)
      else this.state = this.stateAfter(byte)
      if (this.state === NO_NUMBER) return false
    }
    return this.state !== NO_NUMBER
  }

  /** The number, or undefined if the token is not a number. */
  finish(): Decimal | undefined {
    if (this.state !== INTEGER && this.state !== FRACTION && this.state !== EXPONENT_DIGITS) return undefined
    if (this.digitCount === 0) return { mantissa: 0n, exponent: 0 }
    const known = BigInt(this.digits.toString('latin1', 0, this.digitCount))
    const magnitude = this.hasMore ? known * 10n + 1n : known
    const exponent = this.scale + (this.exponentIsNegative ? -this.exponent : this.exponent)
    return {
      mantissa: this.negative ? -magnitude : magnitude,
      exponent: this.hasMore ? exponent - 1 : exponent,
    }
  }

  private takeDigit(byte: number): void {
    if (this.state >= EXPONENT) {
      this.state = EXPONENT_DIGITS
      this.exponent = Math.min(this.exponent * 10 + byte - 48, MAX_EXPONENT)
      return
    }
    const isInteger = this.state === START || this.state === SIGN || this.state === INTEGER
    this.state = isInteger ? INTEGER : FRACTION
    if (this.digitCount === MAX_DIGITS) {
      if (byte !== 48) this.hasMore = true
      if (isInteger) this.scale += 1
      return
    }
    if (!isInteger) this.scale -= 1
    if (byte === 48 && this.digitCount === 0) return
    this.digits[this.digitCount] = byte
    this.digitCount += 1
  }

  private stateAfter(byte: number): number {
    const { state } = this
    if (byte === 43 || byte === 45) {
      if (state === EXPONENT) this.exponentIsNegative = byte === 45
      if (state === EXPONENT) return EXPONENT_SIGN
      this.negative = byte === 45
      return state === START ? SIGN : NO_NUMBER
    }
    if (byte === 46) {
      if (state === INTEGER) return FRACTION
      return state === START || state === SIGN ? POINT : NO_NUMBER
    }
    const isExponent = (byte === 69 || byte === 101) && (state === INTEGER || state === FRACTION)
    return isExponent ? EXPONENT : NO_NUMBER
  }
}

/** The number that the bytes are, or undefined: see `NumberScanner`. */
export function parseDecimal(bytes: Buffer, start = 0, end = bytes.length): Decimal | undefined {
  const scanner = new NumberScanner()
  return scanner.feed(bytes, start, end) ? scanner.finish() : undefined
}

export function multiplyDecimals(left: Decimal, right: Decimal): Decimal {
  return { mantissa: left.mantissa * right.mantissa, exponent: left.exponent + right.exponent }
}

export function negateDecimal({ mantissa, exponent }: Decimal): Decimal {
  return { mantissa: -mantissa, exponent }
}

/** Exponents that are so close are aligned without a look at the magnitudes. */
const CLOSE_EXPONENTS = 100

/**
 * The sign of the exact sum of at most ten numbers: negative, 0 or positive. Numbers whose
 * magnitudes are far apart are not written out: 1e999999999 + 1 is quick.
 */
export function signOfSum(terms: readonly Decimal[]): number {
  const exponents = terms.map((term) => term.exponent)
  const isClose = Math.max(...exponents) - Math.min(...exponents) <= CLOSE_EXPONENTS
  const { mantissa } = isClose ? terms.reduce(addAligned) : addByMagnitude(terms)
  if (mantissa === 0n) return 0
  return mantissa < 0n ? -1 : 1
}

/** A number with the sign of the sum. */
function addByMagnitude(terms: readonly Decimal[]): Decimal {
  const sorted = terms
    .filter((term) => term.mantissa !== 0n)
    .map((term) => ({ ...term, leading: leadingExponent(term) }))
    .sort((left, right) => right.leading - left.leading)
  let sum: Decimal = { mantissa: 0n, exponent: 0 }
  for (const term of sorted) {
    // This term and all after it are too small to change the sign.
    if (sum.mantissa !== 0n && leadingExponent(sum) > term.leading + 1) break
    sum = sum.mantissa === 0n ? term : addAligned(sum, term)
  }
  return sum
}

function addAligned(left: Decimal, right: Decimal): Decimal {
  const exponent = Math.min(left.exponent, right.exponent)
  return { mantissa: scaleTo(left, exponent) + scaleTo(right, exponent), exponent }
}

function scaleTo({ mantissa, exponent }: Decimal, target: number): bigint {
  return exponent === target ? mantissa : mantissa * 10n ** BigInt(exponent - target)
}

/** The power of ten of the first digit. */
function leadingExponent({ mantissa, exponent }: Decimal): number {
  const digits = mantissa.toString().length - (mantissa < 0n ? 1 : 0)
  return digits - 1 + exponent
}
