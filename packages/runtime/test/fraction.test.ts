import { expect, it } from 'vitest'
import {
  addFractions,
  divideByInteger,
  roundScore,
  roundToHundredths,
  toFraction,
  toNumber,
} from '../src/fraction.ts'

it.each<[number, bigint, bigint]>([
  [0, 0n, 1n],
  [-0, 0n, 1n],
  [0.1, 1n, 10n],
  [-2.5, -5n, 2n],
  [1e21, 10n ** 21n, 1n],
  [1.5e-7, 3n, 20_000_000n],
  [1e-9, 1n, 1_000_000_000n],
])('reads %d as JavaScript writes it', (value, numerator, denominator) => {
  expect(toFraction(value)).toEqual({ numerator, denominator })
})

it.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses %d', (value) => {
  expect(() => toFraction(value)).toThrow(RangeError)
})

it('rounds halves up, and only at the end', () => {
  const third = divideByInteger(toFraction(100), 3)
  expect(toNumber(third)).toBe(33.333333333333)
  expect(roundToHundredths(third)).toBe(3333n)
  expect(addFractions(third, addFractions(third, third))).toEqual(toFraction(100))
  expect(roundToHundredths(toFraction(1.005))).toBe(101n)
})

it('never rounds a score up to the maximum', () => {
  const most = toFraction(100)
  expect(roundScore(most, most)).toBe(10_000n)
  expect(roundScore(toFraction(99.999), most)).toBe(9999n)
})
