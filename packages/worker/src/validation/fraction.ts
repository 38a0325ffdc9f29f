import { parseDecimal } from './decimal.ts'

/** An exact number: `numerator` / `denominator`, reduced; the denominator is positive. */
export interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

export const ZERO: Fraction = { numerator: 0n, denominator: 1n }

/** The decimal number that JavaScript shows for `value`: 0.1 is exactly 1/10. It must be finite. */
export function toFraction(value: number): Fraction {
  const decimal = parseDecimal(Buffer.from(String(value)))
  if (decimal === undefined) throw new RangeError(`not a finite number: ${value}`)
  const power = 10n ** BigInt(Math.abs(decimal.exponent))
  return decimal.exponent < 0
    ? reduce(decimal.mantissa, power)
    : { numerator: decimal.mantissa * power, denominator: 1n }
}

export function addFractions(left: Fraction, right: Fraction): Fraction {
  return reduce(
    left.numerator * right.denominator + right.numerator * left.denominator,
    left.denominator * right.denominator,
  )
}

export function multiplyFractions(left: Fraction, right: Fraction): Fraction {
  return reduce(left.numerator * right.numerator, left.denominator * right.denominator)
}

export function divideByInteger(value: Fraction, divisor: number): Fraction {
  return reduce(value.numerator, value.denominator * BigInt(divisor))
}

/** Negative, 0 or positive, as `left - right`. */
export function compareFractions(left: Fraction, right: Fraction): number {
  const difference = left.numerator * right.denominator - right.numerator * left.denominator
  if (difference === 0n) return 0
  return difference < 0n ? -1 : 1
}

/** Whether the decimal number ends, such as 1/8 = 0.125. */
export function hasFiniteDecimal({ denominator }: Fraction): boolean {
  let rest = denominator
  for (const prime of [2n, 5n]) while (rest % prime === 0n) rest /= prime
  return rest === 1n
}

/** In hundredths; halves are rounded up. The value must not be negative. */
export const roundToHundredths = (value: Fraction): bigint => roundTo(value, 100n)

const TRILLION = 10n ** 12n

/** The number with twelve decimals. The value must not be negative. */
export const toNumber = (value: Fraction): number => Number(roundTo(value, TRILLION)) / Number(TRILLION)

const roundTo = ({ numerator, denominator }: Fraction, parts: bigint) =>
  (numerator * 2n * parts + denominator) / (denominator * 2n)

function reduce(numerator: bigint, denominator: bigint): Fraction {
  let divisor = numerator < 0n ? -numerator : numerator
  for (let rest = denominator; rest !== 0n; ) [divisor, rest] = [rest, divisor % rest]
  return { numerator: numerator / divisor, denominator: denominator / divisor }
}
