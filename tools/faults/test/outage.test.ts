import { describe, expect, test } from 'vitest'
import { longestGap, longestOutage } from '../cluster/outage.ts'

test.each([
  [[], 40],
  [[15], 25],
  [[30, 1, 11, 12], 18],
  [[30, 1, 11, 12, 50], 18],
])('the longest gap of %j from 0 to 40 is %d', (times, expected) => {
  expect(longestGap(times, { fromMs: 0, toMs: 40 })).toBe(expected)
})

describe('the longest outage', () => {
  const submission = (sentAtMs: number, acknowledgedAtMs?: number, isRetrying = false) => ({
    ...{ marker: '', verdict: 'ACCEPTED' as const, isRetrying, tries: 1, sentAtMs },
    ...(acknowledgedAtMs !== undefined && { id: '1', acknowledgedAtMs }),
  })
  const each = (from: number, to: number, make: (ms: number) => ReturnType<typeof submission>) =>
    Array.from({ length: (to - from) / 100 }, (_, n) => make(from + n * 100))
  const works = (ms: number) => submission(ms, ms + 10)
  const fails = (ms: number) => submission(ms)

  test('is short while everything works', () => {
    expect(longestOutage(each(0, 10_000, works))).toBe(100)
  })

  test('contains seconds in which few requests succeed', () => {
    const seldom = (ms: number) => (ms % 500 === 0 ? works(ms) : fails(ms))
    const submitted = [...each(0, 3000, works), ...each(3000, 8000, seldom), ...each(8000, 9000, works)]
    expect(longestOutage(submitted)).toBe(5000)
  })

  test('may last until the end', () => {
    const submitted = [...each(0, 3000, works), ...each(3000, 9000, fails)]
    expect(longestOutage(submitted)).toBe(6000)
    const retried = each(3000, 9000, (ms) => submission(ms, ms + 10, true))
    expect(longestOutage([...submitted, ...retried])).toBe(6000)
  })

  test('does not count clients that repeat their request', () => {
    const submitted = each(0, 5000, (ms) => submission(ms, 5000, true))
    expect(longestOutage([...each(0, 1000, works), ...submitted])).toBe(4090)
  })
})
