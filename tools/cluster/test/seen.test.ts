import { expect, it, test } from 'vitest'
import { findFewer, findLess, longestGap, longestOutage } from '../faults/seen.ts'

test.each([
  [[], 40],
  [[30, 1, 11, 12, 50], 18],
])('the longest gap of %j from 0 to 40 is %d', (times, expected) => {
  expect(longestGap(times, { fromMs: 0, toMs: 40 })).toBe(expected)
})

const submission = (sentAtMs: number, acknowledgedAtMs?: number, isRetrying = false) => ({
  ...{ marker: '', verdict: 'ACCEPTED' as const, isRetrying, tries: 1, sentAtMs },
  ...(acknowledgedAtMs !== undefined && { id: '1', acknowledgedAtMs }),
})
const each = (from: number, to: number, make: (ms: number) => ReturnType<typeof submission>) =>
  Array.from({ length: (to - from) / 100 }, (_, n) => make(from + n * 100))
const works = (ms: number) => submission(ms, ms + 10)
const fails = (ms: number) => submission(ms)
const seldom = (ms: number) => (ms % 500 === 0 ? works(ms) : fails(ms))
const retries = (ms: number) => submission(ms, ms + 10, true)

test.each([
  ['is short while everything works', each(0, 10_000, works), 100],
  [
    'contains seconds in which few requests succeed',
    [...each(0, 3000, works), ...each(3000, 8000, seldom), ...each(8000, 9000, works)],
    5000,
  ],
  [
    'may last until the end, although repeated requests succeed',
    [...each(0, 3000, works), ...each(3000, 9000, fails), ...each(3000, 9000, retries)],
    6000,
  ],
  [
    'contains the time in which nobody is acknowledged',
    [...each(0, 1000, works), ...each(0, 5000, (ms) => submission(ms, 5000, true))],
    4090,
  ],
])('the longest outage %s', (_, submitted, expected) => {
  expect(longestOutage(submitted)).toBe(expected)
})

it('a response shows less if it lacks a submission or a verdict, or counts fewer attempts', () => {
  const seen = new Map([
    ['1', 'PENDING'],
    ['2', 'ACCEPTED'],
  ])
  const without = (id: string) => [`a list without ${id}, which was acknowledged or seen before`]
  expect(findLess(new Map(), ['1', '3'], seen)).toEqual(without('3'))
  expect(findLess(seen, ['2'], new Map([['2', 'ACCEPTED']]))).toEqual(without('1'))
  const unjudged = new Map([...seen, ['2', 'PENDING']] as const)
  expect(findLess(seen, [], unjudged)).toEqual(['2 is PENDING, after ACCEPTED was seen'])
  const more = new Map([...seen, ['1', 'WRONG_ANSWER'], ['3', 'PENDING']] as const)
  expect(findLess(seen, ['1', '2', '3'], more)).toEqual([])
  const attempts = new Map(Object.entries({ 'ada 1': 2, 'ada 2': 1, 'bob 1': 1 }))
  const fewer = ['ada 1 has fewer than 2 attempts', 'bob 1 has fewer than 1 attempts']
  expect(findFewer(attempts, new Map([...attempts, ['ada 1', 1], ['ada 2', 3], ['bob 1', 0]]))).toEqual(fewer)
})
