import { describe, expect, it } from 'vitest'
import { summariseStep } from '../contest.ts'
import { summariseDelays } from '../live.ts'
import { joinValues, median, percentile, type Slice, summarise, type TargetName } from '../measure.ts'
import { growthOf } from '../memory.ts'
import { readResult } from '../pgbench.ts'
import * as report from '../report.ts'

const slice = (given: Partial<Slice>): Slice => ({
  ...{ requests: 100, refused: 0, seconds: 1, latenciesMs: Float64Array.of(1, 2, 3) },
  ...{ nodeCpuMs: 50, postgresCpuMs: 20, generatorCpuMs: 100 },
  ...given,
})

/** A route with a number of requests per second for each target. */
const routeWith = (rates: { readonly [name in TargetName]?: number }) => ({
  ...{ route: 'submit', connections: 32, target: 0.6, leanTarget: 0.75 },
  figures: Object.entries(rates).map(([target, requests]) =>
    summarise(target as TargetName, [slice({ requests })]),
  ),
})

describe('the figures of a benchmark', () => {
  it('are the median of the rounds, and percentiles by the nearest rank, in numeric order', () => {
    expect([[900, 10, 30], [4, 1, 3, 2], []].map(median)).toEqual([30, 2.5, Number.NaN])
    const values = Float64Array.from({ length: 100 }, (_, n) => 100 - n)
    expect([50, 99, 100].map((percent) => percentile(values, percent))).toEqual([50, 99, 100])
    expect(percentile(Float64Array.of(7), 99)).toBe(7)
    expect(percentile(Float64Array.of(), 99)).toBeNaN()
    const lists = [Float64Array.of(1, 2), Float64Array.of(), Float64Array.of(3)]
    expect(joinValues(lists)).toEqual(Float64Array.of(1, 2, 3))
  })

  it('have the rate of the median round, and percentiles and costs of all requests', () => {
    const figures = summarise('service', [
      slice({ requests: 100, seconds: 1, latenciesMs: Float64Array.of(1, 1, 1) }),
      slice({ requests: 300, seconds: 2, latenciesMs: Float64Array.of(2, 9, 2) }),
      slice({ requests: 600, seconds: 1, latenciesMs: Float64Array.of(3, 3, 3), refused: 250 }),
    ])
    expect(figures).toEqual({
      ...{ target: 'service', requestsPerSecond: 150, p50Ms: 2, p99Ms: 9, nodeCpuUs: 150, postgresCpuUs: 60 },
      ...{ generatorShare: 0.075, refusedShare: 0.2 },
    })
    const unknown = summarise('service', [slice({}), slice({ postgresCpuMs: undefined })])
    expect(unknown).toMatchObject({ postgresCpuUs: undefined, nodeCpuUs: 500 })
  })

  it('are compared with the one statement or the faster run of pgbench', () => {
    const read = routeWith({ service: 80, lean: 160, 'one statement': 100 })
    expect([report.ratioOf(read), report.ratioOf(read, 'lean')]).toEqual([0.8, 0.5])
    expect(report.cpuRatioOf(read)).toBeCloseTo(0.8)
    const write = routeWith({ service: 80, pgbench: 100, 'pgbench, pool': 160 })
    expect([report.ceilingOf(write)?.target, report.ratioOf(write)]).toEqual(['pgbench, pool', 0.5])
    expect(report.ratioOf(routeWith({ service: 80 }))).toBeUndefined()
    expect(report.cpuRatioOf(routeWith({ service: 80 }))).toBeUndefined()
    // A missed target must not look met: ratios are never rounded up.
    const table = report.writeRoutesTable([routeWith({ service: 1500, 'one statement': 2000, lean: 2001 })])
    expect(table).toContain('| one statement | 2,000 | 0.75 | 0.75 | 0.60 | 0.74 | 0.75 |')
  })

  it('of a contest cover all requests, and a failure or a slow response means too many people', () => {
    const latenciesMs = {
      ...{ submit: Float64Array.of(10), poll: Float64Array.of(20) },
      ...{ standings: Float64Array.of(150), scoreboard: Float64Array.of(30) },
    }
    const result = { latenciesMs, failures: {}, bytes: 20 * 2 ** 20, cpuMs: 1, ownLagMs: 1 }
    expect(summariseStep(4, result)).toMatchObject({
      ...{ requestsPerSecond: 0.2, mebibytesPerSecond: 1, p50Ms: 20, p99Ms: 150, failures: 0, holds: true },
      p99MsOf: { submit: 10, poll: 20, standings: 150, scoreboard: 30 },
    })
    const failed = summariseStep(4, { ...result, failures: { 'poll: 500': 1, 'submit: no response': 2 } })
    expect(failed).toMatchObject({ failures: 3, holds: false })
    const slow = { ...latenciesMs, poll: Float64Array.of(200) }
    expect(summariseStep(4, { ...result, latenciesMs: slow })).toMatchObject({ holds: false })
  })

  it('of memory compare the second half of the minutes with the first half', () => {
    const readings = (...mebibytes: number[]) =>
      mebibytes.map((residentMebibytes, minutes) => ({
        ...{ minutes, residentMebibytes, requestsPerSecond: 1000, refusedShare: 0 },
      }))
    expect(growthOf(readings(100, 200, 210, 220, 231))).toBe(1.1)
    expect(growthOf(readings(100, 200, 210, 220))).toBeUndefined()
  })

  it('of pgbench are requests over the time without connecting; failures are refused', () => {
    const output = (failed: number) => `number of transactions actually processed: 300
number of failed transactions: ${failed} (0.000%)
latency average = 2.5 ms
initial connection time = 800.1 ms
tps = 150.0 (without initial connection time)\n`
    expect(readResult(output(0))).toEqual({ requests: 300, seconds: 2, meanLatencyMs: 2.5 })
    expect(() => readResult(output(2))).toThrow('2 transactions of pgbench failed')
    expect(() => readResult(output(0).replace('latency', 'time'))).toThrow('pgbench did not print')
  })

  it('of streams count the time from the response to the event, never less than 0', () => {
    const answered = [1, 2, 3].map((n) => ({ submission: `s${n}`, storedMs: 10 * n }))
    const delayMs = { p50: 0, p99: 5, most: 5 }
    const events = new Map(Object.entries({ s1: 15, s2: 19 }))
    expect(summariseDelays(answered, events)).toEqual({ verdicts: 3, missing: 1, delayMs })
  })
})
