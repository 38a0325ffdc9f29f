import { describe, expect, it } from 'vitest'
import { compile } from '../../../src/db/statement.ts'
import { writeTable } from '../../local-servers/report.ts'
import { type ContestStep, findMost, nameLimit, standingsPath } from '../contest.ts'
import {
  type Figures,
  joinValues,
  median,
  percentile,
  round,
  type Slice,
  summarise,
  type TargetName,
} from '../measure.ts'
import { readResult, writeRelayScript, writeScript } from '../pgbench.ts'
import {
  ceilingOf,
  cpuRatioOf,
  describeMissedTargets,
  type RouteResult,
  ratioOf,
  replaceParts,
  writeFurtherCeilings,
  writeGrowthTable,
  writeParts,
  writeRoutesTable,
} from '../report.ts'

const slice = (given: Partial<Slice>): Slice => ({
  ...{ requests: 100, refused: 0, seconds: 1, bytes: 1000, latenciesMs: Float64Array.of(1, 2, 3) },
  ...{ nodeCpuMs: 50, postgresCpuMs: 20, generatorCpuMs: 100, residentMebibytes: 80 },
  ...given,
})

/** A route with a number of requests per second for each target. */
const routeWith = (rates: { readonly [name in TargetName]?: number }, given: Partial<RouteResult> = {}) => ({
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
      slice({ requests: 300, seconds: 2, latenciesMs: Float64Array.of(2, 9, 2), residentMebibytes: 120 }),
      slice({ requests: 600, seconds: 1, latenciesMs: Float64Array.of(3, 3, 3), refused: 250 }),
    ])
    expect(figures).toEqual({
      ...{ target: 'service', requestsPerSecond: 150, p50Ms: 2, p99Ms: 9, nodeCpuUs: 150, postgresCpuUs: 60 },
      ...{ generatorShare: 0.075, bytesPerResponse: 3, refusedShare: 0.2, residentMebibytes: 120 },
    })
  })

  it('omit a cost that is unknown in one round', () => {
    const figures = summarise('service', [slice({}), slice({ postgresCpuMs: undefined })])
    expect(figures).toMatchObject({ postgresCpuUs: undefined, nodeCpuUs: 500 })
  })

  it('are compared with the one statement or the faster run of pgbench, never with bare Fastify', () => {
    const read = routeWith({ service: 80, 'bare Fastify': 1000, 'one statement': 100 })
    expect(ratioOf(read)).toBe(0.8)
    expect(cpuRatioOf(read)).toBeCloseTo(0.8)
    const rates = { service: 80, pgbench: 100, 'pgbench, pool': 160, 'bare Fastify': 1000 }
    const write = routeWith({ ...rates, 'pgbench, with the relay': 200 })
    expect(ceilingOf(write)?.target).toBe('pgbench, pool')
    expect([ratioOf(write), ratioOf(write, 'pgbench, with the relay')]).toEqual([0.5, 0.4])
    expect(ratioOf(routeWith({ service: 80 }))).toBeUndefined()
    expect(cpuRatioOf(routeWith({ service: 80 }))).toBeUndefined()
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

  const outputWithRelay = `number of transactions actually processed: 315
number of failed transactions: 0 (0.000%)
latency average = 2.5 ms
tps = 157.5 (without initial connection time)
SQL script 1: /tmp/script.sql
 - weight: 20 (targets 95.2% of total)
 - 300 transactions (95.2% of total, tps = 150.0)
SQL script 2: /tmp/beside.sql
 - weight: 1 (targets 4.8% of total)
 - 15 transactions (4.8% of total, tps = 7.5)\n`

  it('counts the submissions over the time without connecting, and refuses failures', () => {
    const result = { requests: 300, seconds: 2, meanLatencyMs: 2.5 }
    expect(readResult(output(0))).toEqual(result)
    expect(readResult(outputWithRelay)).toEqual(result)
    expect(() => readResult(output(3))).toThrow('3 transactions of pgbench failed')
  })

  it('runs the relay’s two statements', () => {
    expect(writeRelayScript()).toContain('for update skip locked')
    expect(writeRelayScript()).toMatch(/delete from outbox\s[^;]*outbox.id = any\(\(array\(/)
    expect(writeRelayScript()).not.toMatch(/\$\d/)
  })
})

describe('the contest test', () => {
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

  const step = (people: number, holds: boolean, shares: Partial<ContestStep['shares']>): ContestStep => ({
    ...{ people, holds, requestsPerSecond: 10, mebibytesPerSecond: 1, p50Ms: 1, p99Ms: 300, judged: 1 },
    ...{
      failures: {},
      p99MsOf: { submit: 1, poll: 1, standings: 1, scoreboard: 1 },
      serviceLagMs: 1,
      generatorLagMs: 1,
    },
    ...{ standings: 'frozen', seconds: [] },
    shares: { service: 0.1, PostgreSQL: 0.1, generator: 0.1, worker: 0.1, 'whole machine': 0.5, ...shares },
  })

  it.each<[string, string | undefined, ...ContestStep[]]>([
    ['nothing if every step held', undefined, step(100, true, { service: 1 })],
    [
      'the limit of the smallest failed step',
      'neither the service nor the machine',
      ...[step(400, false, { service: 0.95 }), step(100, true, {}), step(200, false, {})],
    ],
    [
      'the core of the service before the machine',
      'one core',
      step(100, false, { service: 0.95, 'whole machine': 2 }),
    ],
    ['other programs', 'other programs used 1.5', step(100, false, { 'whole machine': 1.9 })],
    [
      'the cores that the contest uses',
      'shared by the service, PostgreSQL',
      step(100, false, { service: 0.7, PostgreSQL: 1, 'whole machine': 2 }),
    ],
  ])('names %s as its limit', (_, limit, ...steps) => {
    if (limit === undefined) expect(nameLimit(steps, 2)).toBeUndefined()
    else expect(nameLimit(steps, 2)).toContain(limit)
  })

  it('polls the standings, or the attempts if these are wanted', () => {
    expect(standingsPath(3, 'standings')).toBe('/v1/events/3/standings')
    expect(standingsPath(3, 'frozen')).toBe('/v1/events/3/standings')
    expect(standingsPath(3, 'attempts')).toBe('/v1/events/3/attempts')
  })

  it('reports the largest contest for each kind of standings', () => {
    const contest: ContestStep[] = [
      ...[step(125, true, {}), step(250, false, {})],
      ...[{ ...step(500, true, {}), standings: 'attempts' as const }],
    ]
    const others = { tables: [], growth: [], memory: [], largeTests: [], packages: [] }
    const part = writeParts({ machine: {}, contest, ...others }).get('contest')
    expect(part).toContain('**125 people** at once who poll `frozen`; target: 6,000; the limit is')
    expect(part).toContain('**500 people** at once who poll `attempts`; target: 6,000.')
  })
})

describe('the tables of a benchmark', () => {
  const figures: Figures = {
    ...({ target: 'service' } as const),
    ...{ requestsPerSecond: 1500, p50Ms: 0.5, p99Ms: 12.34, nodeCpuUs: 250 },
    ...{ postgresCpuUs: 50, generatorShare: 0.126, bytesPerResponse: 75, refusedShare: 0 },
    residentMebibytes: 90,
  }

  it('have three significant digits, and a dash for unknown values', () => {
    const table = '| route | ms |\n| --- | ---: |\n| poll | – |\n'
    expect(writeTable(['route', 'ms'], [['poll', undefined]])).toBe(table)
    expect([0.4567, 12.345, 1234.5].map(round)).toEqual(['0.46', '12.3', '1,235'])
    expect([undefined, Number.NaN].map(round)).toEqual([undefined, undefined])
  })

  it('show a route and its ceiling', () => {
    const bare: Figures = { ...figures, target: 'bare Fastify', requestsPerSecond: 20_000 }
    const costs = { requestsPerSecond: 2000, nodeCpuUs: 100, postgresCpuUs: 50 }
    const ceiling: Figures = { ...figures, target: 'one statement', ...costs }
    const results = [{ ...figures, refusedShare: 0.25 }, bare, ceiling]
    const route = { route: 'status poll', connections: 32, target: 0.75, figures: results }
    const [head = '', , row] = writeRoutesTable([route]).split('\n')
    expect(row).toBe(
      '| status poll | 32 | 1,500 | 0.50 | 12.3 | 250 | 50.0 | 25 % | one statement | 2,000 | 0.75 | 0.50 | 0.75 | 20,000 | 13 % |',
    )
    expect(head.split('|')).toHaveLength(String(row).split('|').length)
    expect(writeFurtherCeilings([route])).toBeUndefined()
  })

  it('compare a route with the lean and the coalesced ceiling', () => {
    const rates = { service: 900, lean: 1000, coalesced: 2000 }
    const result = routeWith(rates, { route: 'status poll', connections: 32, leanTarget: 1.2 })
    const [, , row] = writeFurtherCeilings([result])?.split('\n') ?? []
    expect(row).toBe('| status poll | 32 | 900 | 1,000 | 0.90 | 1.20 | 2,000 | 0.45 |')
  })

  it('show growth per response, or per row for growing responses', () => {
    const at = (p50Ms: number) => ({ ...figures, p50Ms })
    const rows = { small: 100, large: 2000 }
    const [, , poll, list] = writeGrowthTable([
      { route: 'poll', small: at(1), large: at(1.2), rows: undefined },
      { route: 'list', small: at(1), large: at(30), rows },
    ]).split('\n')
    expect(poll).toBe('| poll | 1.00 | 1.20 | 1.20 | – | – | – |')
    expect(list).toBe('| list | 1.00 | 30.0 | – | 10.0 | 15.0 | 1.50 |')
  })

  const text =
    'before\n<!-- growth -->\nold\n<!-- end of growth -->\nafter\n<!-- machine -->\n<!-- end of machine -->\n'

  it('replace only the measured parts of the document, and need their marks', () => {
    const once = replaceParts(text, new Map([['growth', 'new']]))
    expect(once).toBe(text.replace('\nold\n', '\n\nnew\n'))
    expect(replaceParts(once, new Map([['growth', 'new']]))).toBe(once)
    expect(() => replaceParts(text, new Map([['size S', 'new']]))).toThrow('no marks for "size S"')
    expect(
      writeParts({
        machine: {},
        tables: [],
        growth: [],
        contest: [],
        memory: [],
        largeTests: [],
        packages: [],
      }).size,
    ).toBe(0)
  })
})

describe('the targets of a benchmark', () => {
  const result = (route: string, connections: number, rate: number, target?: number) =>
    routeWith({ service: rate, 'one statement': 1000 }, { route, connections, target })

  it('are listed if missed, with a ratio that is never rounded up', () => {
    const submit = result('submit', 256, 120, 0.6)
    const results = [result('status poll', 1, 760, 0.75), result('status poll', 32, 749.9, 0.75), submit]
    expect(describeMissedTargets(results)).toEqual([
      'status poll, 32 connections: 0.749 of its ceiling, target 0.75',
      'submit, 256 connections: 0.120 of its ceiling, target 0.60',
    ])
  })

  it('apply to the lean ceiling too', () => {
    const rates = { service: 900, 'one statement': 1000, lean: 1000 }
    const given = { route: 'status poll', connections: 32, target: 0.75, leanTarget: 1.2 }
    expect(describeMissedTargets([routeWith(rates, given)])).toEqual([
      'status poll, 32 connections: 0.900 of the lean ceiling, target 1.20',
    ])
  })

  it('are one line if all are met, even exactly; other routes have no target', () => {
    const results = [result('status poll', 1, 750, 0.75), result('submission', 1, 10)]
    expect(describeMissedTargets(results)).toEqual(['All targets met.'])
  })

  it('are not reported if none was measured', () => {
    expect(describeMissedTargets([])).toEqual([])
    const withoutCeiling = routeWith({ service: 10 })
    expect(describeMissedTargets([result('submission', 1, 10), withoutCeiling])).toEqual([])
  })
})
