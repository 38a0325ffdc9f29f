import { describe, expect, it } from 'vitest'
import { compile } from '../../../src/db/statement.ts'
import { summariseStep } from '../contest.ts'
import { joinValues, median, percentile, type Slice, summarise, type TargetName } from '../measure.ts'
import { growthOf } from '../memory.ts'
import { readResult, writeScript } from '../pgbench.ts'
import * as report from '../report.ts'

const slice = (given: Partial<Slice>): Slice => ({
  ...{ requests: 100, refused: 0, seconds: 1, latenciesMs: Float64Array.of(1, 2, 3) },
  ...{ nodeCpuMs: 50, postgresCpuMs: 20, generatorCpuMs: 100 },
  ...given,
})

/** A route with a number of requests per second for each target. */
const routeWith = (
  rates: { readonly [name in TargetName]?: number },
  given: Partial<report.RouteResult> = {},
) => ({
  ...{ route: 'submit', connections: 32, target: 0.6, ...given },
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
  })

  it('of a contest cover all requests, and a failure or a slow response means too many people', () => {
    const latenciesMs = {
      ...{ submit: Float64Array.of(10), poll: Float64Array.of(20), standings: Float64Array.of(150) },
      scoreboard: Float64Array.of(30),
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
        ...{ minutes, residentMebibytes, requestsPerSecond: minutes * 1000, refusedShare: 0.126 },
      }))
    expect(growthOf(readings(100, 200, 210, 220, 231))).toBe(1.1)
    expect(report.writeMemoryTable(readings(100, 200, 210, 220, 231))).toContain('at most 1.05; missed')
    expect(growthOf(readings(100, 200, 210, 220))).toBeUndefined()
    const table = report.writeMemoryTable(readings(110, 250, 250.4)).split('\n')
    expect(table.slice(2, 5)).toEqual([
      '| idle | 110 | below 110 | no | – | – |',
      '| 1 | 250 | at most 250 | yes | 1,000 | 13 % |',
      '| 2 | 250 | at most 250 | no | 2,000 | 13 % |',
    ])
  })
})

describe('pgbench', () => {
  const statement = compile('many', { a: 'text', b: 'text', l: 'text' }, 'select :a, :l, :b, :a')
  const script = { statement, prologue: ['\\set a random(1, 2)'], variables: {} }

  it('replaces every occurrence of a value, and refuses a script with a missing value', () => {
    const written = '\\set a random(1, 2)\nselect :a::text, :l::text, null::text, :a::text;\n'
    expect(writeScript({ ...script, values: { a: ':a', b: 'null', l: ':l' } })).toBe(written)
    const incomplete = { ...script, values: { a: '1', l: '2' } }
    expect(() => writeScript(incomplete)).toThrow('no value for :b of many')
  })

  const output = (failed: number) => `number of transactions actually processed: 300
number of failed transactions: ${failed} (0.000%)
latency average = 2.5 ms
initial connection time = 800.1 ms
tps = 150.0 (without initial connection time)\n`

  it('counts the requests over the time without connecting, and refuses failures', () => {
    expect(readResult(output(0))).toEqual({ requests: 300, seconds: 2, meanLatencyMs: 2.5 })
    expect(() => readResult(output(2))).toThrow('2 transactions of pgbench failed')
    expect(() => readResult(output(0).replace('latency', 'time'))).toThrow('pgbench did not print')
  })
})

describe('the tables of a benchmark', () => {
  it('show a route and its ceilings, with ratios that are never rounded up', () => {
    const rates = { service: 1500, 'one statement': 2000, lean: 2001 }
    const [head = '', , row = ''] = report
      .writeRoutesTable([routeWith(rates, { leanTarget: 0.75 })])
      .split('\n')
    expect(row).toBe(
      '| submit | 32 | 1,500 | 2.00 | 3.00 | 33.3 | 13.3 | – | one statement | 2,000 | 0.75 | 0.75 | 0.60 | 0.74 | 0.75 | 10 % |',
    )
    expect(head.split('|')).toHaveLength(row.split('|').length)
  })

  it('compare the median of a judging figure with its target', () => {
    const values = { name: 'tests', unit: 's', cpuMs: [900, 1000, 800] } as const
    const figures = [
      { ...values, values: [1, 3, 2], target: 1.5 },
      { ...values, values: [9, 1, 1.4], target: 1.5 },
      { name: 'tests', unit: 's' as const, values: [4] },
    ]
    expect(
      report.writeJudgingTable({ isolation: 'bubblewrap', figures }).trimEnd().split('\n').slice(4),
    ).toEqual([
      '| tests | 2.00 s | 1.00 s | 3.00 s | 900 | below 1.5 s | no |',
      '| tests | 1.40 s | 1.00 s | 9.00 s | 900 | below 1.5 s | yes |',
      '| tests | 4.00 s | 4.00 s | 4.00 s | – | – | – |',
    ])
  })

  it('are also charts, whose alternative text has the figures', () => {
    const routes = [routeWith({ service: 80, 'one statement': 100 })]
    const part = report.writeParts({ machine: {}, tables: [{ size: 'S', routes }] }).get('throughput')
    expect(part?.svg).toContain('× 0.80')
    expect(part?.svg).not.toMatch(/NaN|undefined|Infinity|null/)
    expect(part?.text).toContain('ceiling and service: submit 100 and 80.0.](charts/throughput.svg)')
  })
})
