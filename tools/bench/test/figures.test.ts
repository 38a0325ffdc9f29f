import { expect, it } from 'vitest'
import { median, percentile, summarise, type TargetName } from '../measure.ts'
import { writeRoutesTable } from '../report.ts'

it('figures are the median of the rounds, and percentiles by the nearest rank, in numeric order', () => {
  expect([[900, 10, 30], [4, 1, 3, 2], []].map(median)).toEqual([30, 2.5, Number.NaN])
  const values = Array.from({ length: 100 }, (_, n) => 100 - n)
  expect([50, 99, 100].map((percent) => percentile(values, percent))).toEqual([50, 99, 100])
  expect(percentile([7], 99)).toBe(7)
  expect(percentile([], 99)).toBeNaN()
})

it('ratios are never rounded up: a missed target must not look met', () => {
  const rates: [TargetName, number][] = [
    ['service', 1500],
    ['one statement', 2000],
    ['lean', 2001],
  ]
  const figures = rates.map(([target, requests]) =>
    summarise(target, [{ requests, refused: 0, seconds: 1, latenciesMs: [1] }]),
  )
  const measured = { route: 'submit', connections: 32, target: 0.6, leanTarget: 0.75, figures }
  const table = writeRoutesTable([measured])
  expect(table).toContain('| one statement | 2,000 | 0.75 | – | 0.60 | 0.74 | 0.75 |')
})
