import { expect, it } from 'vitest'
import { summariseStep } from '../contest.ts'
import { median, percentile, summarise, type TargetName } from '../measure.ts'
import { readResult } from '../pgbench.ts'
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

it('a contest holds without a failure and below the limit of the slowest responses', () => {
  const latenciesMs = { submit: [10], poll: [20], standings: [150], scoreboard: [30] }
  const result = { latenciesMs, failures: {}, bytes: 20 * 2 ** 20, cpuMs: 1, ownLagMs: 1 }
  expect(summariseStep(4, result)).toMatchObject({ p50Ms: 20, p99Ms: 150, failures: 0, holds: true })
  const failed = { ...result, failures: { 'poll: 500': 1, 'submit: no response': 2 } }
  expect(summariseStep(4, failed)).toMatchObject({ failures: 3, holds: false })
  const slow = { ...result, latenciesMs: { ...latenciesMs, poll: [200] } }
  expect(summariseStep(4, slow)).toMatchObject({ holds: false })
})

it('requests of pgbench are counted over the time without connecting; failures are refused', () => {
  const output = (failed: number) => `number of transactions actually processed: 300
number of failed transactions: ${failed} (0.000%)
latency average = 2.5 ms
initial connection time = 800.1 ms
tps = 150.0 (without initial connection time)\n`
  expect(readResult(output(0))).toEqual({ requests: 300, seconds: 2, meanLatencyMs: 2.5 })
  expect(() => readResult(output(2))).toThrow('2 transactions of pgbench failed')
})
