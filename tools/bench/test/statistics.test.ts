import { describe, expect, it } from 'vitest'
import { compile } from '../../../src/db/statement.ts'
import { summarise } from '../measure.ts'
import { readResult, writeScript } from '../pgbench.ts'
import { writeRelayScript } from '../relay-script.ts'
import { ceilingOf, cpuRatioOf, type RouteResult, ratioOf } from '../results.ts'
import { type ContestStep, findMost, nameLimit } from '../search-most.ts'
import type { Slice } from '../slice.ts'
import { joinValues, median, percentile } from '../statistics.ts'

const slice = (given: Partial<Slice>): Slice => ({
  requests: 100,
  refused: 0,
  seconds: 1,
  bytes: 1000,
  latenciesMs: Float64Array.of(1, 2, 3),
  nodeCpuMs: 50,
  postgresCpuMs: 20,
  generatorCpuMs: 100,
  residentMebibytes: 80,
  ...given,
})

describe('the figures of a benchmark', () => {
  it('are the median of the rounds in any order', () => {
    expect(median([900, 10, 30])).toBe(30)
    expect(median([4, 1, 3, 2])).toBe(2.5)
    expect(median([])).toBeNaN()
  })

  it('have percentiles by the nearest rank, in numeric order', () => {
    const values = Float64Array.from({ length: 100 }, (_, n) => 100 - n)
    expect(percentile(values, 50)).toBe(50)
    expect(percentile(values, 99)).toBe(99)
    expect(percentile(values, 100)).toBe(100)
    expect(percentile(Float64Array.of(7), 99)).toBe(7)
    expect(percentile(Float64Array.of(), 99)).toBeNaN()
    expect(joinValues([Float64Array.of(1, 2), Float64Array.of(), Float64Array.of(3)])).toEqual(
      Float64Array.of(1, 2, 3),
    )
  })

  it('have the rate of the median round, and percentiles and costs of all requests', () => {
    const figures = summarise('service', [
      slice({ requests: 100, seconds: 1, latenciesMs: Float64Array.of(1, 1, 1) }),
      slice({ requests: 300, seconds: 2, latenciesMs: Float64Array.of(2, 9, 2), residentMebibytes: 120 }),
      slice({ requests: 600, seconds: 1, latenciesMs: Float64Array.of(3, 3, 3), refused: 250 }),
    ])
    expect(figures).toEqual({
      target: 'service',
      requestsPerSecond: 150,
      p50Ms: 2,
      p99Ms: 9,
      nodeCpuUs: 150,
      postgresCpuUs: 60,
      generatorShare: 0.075,
      bytesPerResponse: 3,
      refusedShare: 0.2,
      residentMebibytes: 120,
    })
  })

  it('omit a cost that is unknown in one round', () => {
    const figures = summarise('service', [slice({}), slice({ postgresCpuMs: undefined })])
    expect(figures.postgresCpuUs).toBeUndefined()
    expect(figures.nodeCpuUs).toBe(500)
  })
})

describe('the ratio to the ceiling', () => {
  const measured = (...targets: [RouteResult['figures'][number]['target'], number][]): RouteResult => ({
    route: 'submit',
    connections: 32,
    target: 0.6,
    figures: targets.map(([target, requests]) => summarise(target, [slice({ requests })])),
  })

  it('uses the one statement, never bare Fastify', () => {
    const result = measured(['service', 80], ['bare Fastify', 1000], ['one statement', 100])
    expect(ratioOf(result)).toBe(0.8)
    expect(cpuRatioOf(result)).toBeCloseTo(0.8)
  })

  it('uses the faster run of pgbench', () => {
    const result = measured(['service', 80], ['pgbench', 100], ['pgbench, pool', 160], ['bare Fastify', 1000])
    expect(ceilingOf(result)?.target).toBe('pgbench, pool')
    expect(ratioOf(result)).toBe(0.5)
  })

  it('is undefined without a ceiling', () => {
    expect(ratioOf(measured(['service', 80]))).toBeUndefined()
  })
})

describe('pgbench', () => {
  it('replaces every occurrence of a value', () => {
    const script = writeScript({
      statement: compile('many', { a: 'text', b: 'text', l: 'text' }, 'select :a, :l, :b, :a'),
      prologue: ['\\set a random(1, 2)'],
      values: { a: ':a', b: 'null', l: ':l' },
      variables: {},
    })
    expect(script).toBe('\\set a random(1, 2)\nselect :a::text, :l::text, null::text, :a::text;\n')
  })

  it('refuses a script with a missing value', () => {
    const script = {
      statement: compile('two', { a: 'text', b: 'text' }, 'select :a, :b'),
      prologue: [],
      values: { a: '1' },
      variables: {},
    }
    expect(() => writeScript(script)).toThrow('no value for :b of two')
  })

  it('reads the rate without the time to connect, and refuses failures', () => {
    const output = (failed: number) => `number of transactions actually processed: 300
number of failed transactions: ${failed} (0.000%)
latency average = 2.5 ms
initial connection time = 800.1 ms
tps = 150.0 (without initial connection time)\n`
    expect(readResult(output(0))).toEqual({ requests: 300, seconds: 2, meanLatencyMs: 2.5 })
    expect(() => readResult(output(3))).toThrow('3 transactions of pgbench failed')
  })
})

describe('pgbench with the relay', () => {
  it('counts only the submissions, over the whole time', () => {
    const output = `number of transactions actually processed: 315
number of failed transactions: 0 (0.000%)
latency average = 2.5 ms
tps = 157.5 (without initial connection time)
SQL script 1: /tmp/script.sql
 - weight: 20 (targets 95.2% of total)
 - 300 transactions (95.2% of total, tps = 150.0)
SQL script 2: /tmp/beside.sql
 - weight: 1 (targets 4.8% of total)
 - 15 transactions (4.8% of total, tps = 7.5)\n`
    expect(readResult(output)).toEqual({ requests: 300, seconds: 2, meanLatencyMs: 2.5 })
  })

  it('runs the relay’s two statements', async () => {
    const script = writeRelayScript()
    expect(script).toContain('for update skip locked')
    expect(script).toMatch(/delete from outbox\s[^;]*outbox.id = any\(\(array\(/)
    expect(script).not.toMatch(/\$\d/)
  })
})

describe('the search for the largest contest', () => {
  const carries = (limit: number) => async (people: number) => ({ people, holds: people <= limit })

  it.each([0, 3, 99, 100, 750, 6_000])('finds %i people within a tenth, never more', async (limit) => {
    const steps = await findMost({ first: 100, most: 20_000 }, carries(limit))
    const found = Math.max(0, ...steps.filter(({ holds }) => holds).map(({ people }) => people))
    expect(found).toBeLessThanOrEqual(limit)
    expect(limit - found).toBeLessThanOrEqual(Math.max(1, limit / 10))
    expect(steps.length).toBeLessThan(20)
  })

  it('never exceeds the existing people', async () => {
    const steps = await findMost({ first: 100, most: 1000 }, carries(50_000))
    expect(Math.max(...steps.map(({ people }) => people))).toBeGreaterThan(900)
    expect(steps.every(({ people }) => people <= 1000)).toBe(true)
  })
})

describe('the limit of a contest', () => {
  const step = (people: number, holds: boolean, shares: Partial<ContestStep['shares']>): ContestStep => ({
    ...{ people, holds, requestsPerSecond: 10, mebibytesPerSecond: 1, p50Ms: 1, p99Ms: 300 },
    ...{ failures: {}, judged: 1 },
    ...{ p99MsOf: { submit: 1, poll: 1, standings: 1 }, serviceLagMs: 1, generatorLagMs: 1 },
    shares: { service: 0.1, PostgreSQL: 0.1, generator: 0.1, worker: 0.1, 'whole machine': 0.5, ...shares },
  })

  it('is undefined if every step held', () => {
    expect(nameLimit([step(100, true, { service: 1 })], 2)).toBeUndefined()
  })

  it('is read from the smallest failed step', () => {
    const steps = [step(400, false, { service: 0.95 }), step(100, true, {}), step(200, false, {})]
    expect(nameLimit(steps, 2)).toContain('neither the service nor the machine')
  })

  it('is the core of the service before the machine', () => {
    expect(nameLimit([step(100, false, { service: 0.95, 'whole machine': 2 })], 2)).toContain('one core')
  })

  it('separates other programs from the contest', () => {
    expect(nameLimit([step(100, false, { 'whole machine': 1.9 })], 2)).toContain('other programs used 1.5')
    const own = step(100, false, { service: 0.7, PostgreSQL: 1, 'whole machine': 2 })
    expect(nameLimit([own], 2)).toContain('shared by the service, PostgreSQL')
  })
})
