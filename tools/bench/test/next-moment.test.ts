import { expect, it } from 'vitest'
import { nextMoment, nextMomentAfter } from '../generator/next-moment.ts'

it('plans the next moment, also if it has passed', () => {
  expect(nextMoment(1000, 500)).toBe(1500)
})

it.each([
  ['a fast response', 1100, 1500],
  ['a response at the next moment', 1500, 1500],
  ['a slow response, without the moments that have passed', 2600, 3000],
  ['a clock that is not precise', 999.9, 1500],
])('polls once after %s', (_, nowMs, next) => {
  expect(nextMomentAfter(1000, 500, nowMs)).toBe(next)
})
