import { describe, expect, it } from 'vitest'
import { writeTable } from '../../local-servers/markdown-table.ts'
import { replaceParts, writeParts } from '../document.ts'
import type { Figures } from '../measure.ts'
import { describeMissedTargets, type RouteResult } from '../results.ts'
import { round, writeGrowthTable, writeRoutesTable } from '../tables.ts'

/** Example figures of the service. */
const figures = (given: Partial<Figures>): Figures => ({
  target: 'service',
  requestsPerSecond: 1500,
  p50Ms: 0.5,
  p99Ms: 12.34,
  nodeCpuUs: 250,
  postgresCpuUs: 50,
  generatorShare: 0.126,
  bytesPerResponse: 75,
  refusedShare: 0,
  residentMebibytes: 90,
  ...given,
})

describe('the tables of a benchmark', () => {
  it('have a dash for unknown values', () => {
    expect(writeTable(['route', 'ms'], [['poll', undefined]])).toBe(
      '| route | ms |\n| --- | ---: |\n| poll | – |\n',
    )
  })

  it('have three significant digits', () => {
    expect([0.4567, 12.345, 1234.5, undefined, Number.NaN].map(round)).toEqual([
      '0.46',
      '12.3',
      '1,235',
      undefined,
      undefined,
    ])
  })

  it('show a route and its ceiling', () => {
    const table = writeRoutesTable([
      {
        route: 'status poll',
        connections: 32,
        target: 0.75,
        figures: [
          figures({ refusedShare: 0.25 }),
          figures({ target: 'bare Fastify', requestsPerSecond: 20_000 }),
          figures({ target: 'one statement', requestsPerSecond: 2000, nodeCpuUs: 100, postgresCpuUs: 50 }),
        ],
      },
    ])
    const [head = '', , row] = table.split('\n')
    expect(row).toBe(
      '| status poll | 32 | 1,500 | 0.50 | 12.3 | 250 | 50.0 | 25 % | one statement | 2,000 | 0.75 | 0.50 | 0.75 | 20,000 | 13 % |',
    )
    expect(head.split('|')).toHaveLength(String(row).split('|').length)
  })

  it('show growth per response, or per row for growing responses', () => {
    const [, , poll, list] = writeGrowthTable([
      { route: 'poll', small: figures({ p50Ms: 1 }), large: figures({ p50Ms: 1.2 }), rows: undefined },
      {
        route: 'list',
        small: figures({ p50Ms: 1 }),
        large: figures({ p50Ms: 30 }),
        rows: { small: 100, large: 2000 },
      },
    ]).split('\n')
    expect(poll).toBe('| poll | 1.00 | 1.20 | 1.20 | – | – | – |')
    expect(list).toBe('| list | 1.00 | 30.0 | – | 10.0 | 15.0 | 1.50 |')
  })
})

describe('the document of a benchmark', () => {
  const text =
    'before\n<!-- growth -->\nold\n<!-- end of growth -->\nafter\n<!-- machine -->\n<!-- end of machine -->\n'

  it('replaces the old figures and keeps the other text', () => {
    const once = replaceParts(text, new Map([['growth', 'new']]))
    expect(once).toBe(text.replace('\nold\n', '\n\nnew\n'))
    expect(replaceParts(once, new Map([['growth', 'new']]))).toBe(once)
  })

  it('refuses figures without marks', () => {
    expect(() => replaceParts(text, new Map([['size S', 'new']]))).toThrow('no marks for "size S"')
  })

  it('keeps figures that a run did not measure', () => {
    expect(writeParts({ machine: {}, tables: [], growth: [], contest: [], memory: [] }).size).toBe(0)
  })
})

/** A result with a ceiling of 1,000 requests per second. */
function resultOf(route: string, connections: number, requestsPerSecond: number, target?: number) {
  const ceiling = figures({ target: 'one statement', requestsPerSecond: 1000 })
  const result: RouteResult = {
    ...{ route, connections, target },
    figures: [figures({ requestsPerSecond }), ceiling],
  }
  return result
}

describe('the targets of a benchmark', () => {
  it('are listed if missed, with a ratio that is never rounded up', () => {
    const lines = describeMissedTargets([
      resultOf('status poll', 1, 760, 0.75),
      resultOf('status poll', 32, 749.9, 0.75),
      resultOf('submit', 256, 120, 0.6),
    ])
    expect(lines).toEqual([
      'status poll, 32 connections: 0.749 of its ceiling, target 0.75',
      'submit, 256 connections: 0.120 of its ceiling, target 0.60',
    ])
  })

  it('are one line if all are met, even exactly; other routes have no target', () => {
    const results = [resultOf('status poll', 1, 750, 0.75), resultOf('submission', 1, 10)]
    expect(describeMissedTargets(results)).toEqual(['All targets met.'])
  })

  it('are not reported if none was measured', () => {
    const withoutCeiling: RouteResult = {
      route: 'contest mix',
      connections: 1,
      target: 0.5,
      figures: [figures({})],
    }
    expect(describeMissedTargets([])).toEqual([])
    expect(describeMissedTargets([resultOf('submission', 1, 10), withoutCeiling])).toEqual([])
  })
})
