import { expect } from 'vitest'

/** The clocks of Node.js and of the database round to milliseconds in different ways. */
const ROUNDING_MS = 1

/** Expects an instant between `sinceMs`, a result of `Date.now()`, and the present moment. */
export function expectSince(sinceMs: number, instant: string): void {
  expect(Date.parse(instant)).toBeGreaterThanOrEqual(sinceMs - ROUNDING_MS)
  expect(Date.parse(instant)).toBeLessThanOrEqual(Date.now() + ROUNDING_MS)
}
