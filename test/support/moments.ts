import { expect } from 'vitest'
import { until } from './until.ts'

/** The clocks of Node.js and of the database round to milliseconds in different ways. */
const ROUNDING_MS = 1

/** Expects an instant between `sinceMs`, a result of `Date.now()`, and the present moment. */
export function expectSince(sinceMs: number, instant: string): void {
  expect(Date.parse(instant)).toBeGreaterThanOrEqual(sinceMs - ROUNDING_MS)
  expect(Date.parse(instant)).toBeLessThanOrEqual(Date.now() + ROUNDING_MS)
}

/** Resolves in another millisecond: the time of a later write then differs from earlier times. */
export const nextMillisecond = (now = Date.now()) => until(() => expect(Date.now()).toBeGreaterThan(now))
