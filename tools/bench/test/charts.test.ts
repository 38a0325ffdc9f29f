import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DOMParser } from 'linkedom'
import { describe, expect, it } from 'vitest'
import { drawContests } from '../charts/contest-charts.ts'
import { drawGrowth } from '../charts/growth-chart.ts'
import { spreadLabels } from '../charts/svg.ts'
import { drawThroughput } from '../charts/throughput-charts.ts'
import { writeCharts } from '../charts/write-charts.ts'
import type { ContestStep } from '../contest.ts'
import { type Slice, summarise, type TargetName } from '../measure.ts'
import type { GrowthResult, Report, RouteResult } from '../report.ts'

const slice = (requests: number, latencyMs = 1): Slice => ({
  ...{ requests, refused: 0, seconds: 1, bytes: 0, latenciesMs: Float64Array.of(latencyMs) },
})
const figures = (target: TargetName, rate: number) => summarise(target, [slice(rate)])

const poll = (connections: number, rate: number): RouteResult => ({
  ...{ route: 'status poll', connections, target: undefined },
  figures: [
    ...[figures('service', rate), figures('bare Fastify', 9 * rate), figures('one statement', 2 * rate)],
    ...[figures('lean', 3 * rate), figures('coalesced', 4 * rate)],
  ],
})
const routes = [poll(1, 1000), poll(32, 2000), poll(256, 1500)]

const grown = (route: string, smallMs: number, largeMs: number): GrowthResult => ({
  ...{ route, rows: undefined },
  small: summarise('service', [slice(1, smallMs)]),
  large: summarise('service', [slice(1, largeMs)]),
})

const step = (people: number, holds: boolean): ContestStep => ({
  ...{ people, holds, requestsPerSecond: 10, mebibytesPerSecond: 1, p50Ms: 5, p99Ms: 90, judged: 1 },
  ...{
    failures: {},
    p99MsOf: { submit: 1, poll: 1, standings: 1, scoreboard: 1 },
    serviceLagMs: 1,
    generatorLagMs: 1,
  },
  ...{
    standings: 'standings',
    shares: { service: 0, PostgreSQL: 0, generator: 0, worker: 0, 'whole machine': 0 },
  },
  seconds: [0, 1, 2, 3].map((second) => ({
    // No request was due in the third second.
    ...{
      second,
      requests: 10,
      p50Ms: second === 2 ? Number.NaN : 5,
      p99Ms: second === 2 ? Number.NaN : 90 + second,
    },
  })),
})

const report: Report = {
  ...{
    machine: {},
    tables: [{ size: 'S', fillSeconds: 1, routes }],
    memory: [],
    largeTests: [],
    packages: [],
  },
  growth: [grown('status poll', 0.5, 0.6), grown('submission', 0.7, 0.7)],
  contest: [step(1000, true), step(2000, true), step(4000, false)],
}

const [throughput] = drawThroughput(report.tables[0]?.routes ?? [])
const [growth] = drawGrowth(report.growth)
const [contest] = drawContests(report.contest)

describe.each([
  ['throughput', throughput],
  ['growth', growth],
  ['contest', contest],
])('the chart of %s', (_, chart) => {
  const svg = chart?.svg ?? ''

  it('has a title, a description, and no unknown number', () => {
    const document = new DOMParser().parseFromString(svg, 'image/svg+xml')
    expect(document.querySelector('title')?.textContent).toBeTruthy()
    expect(document.querySelector('desc')?.textContent).toBe(chart?.alternative)
    expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/)
    expect(svg).not.toMatch(/NaN|undefined|Infinity|null/)
  })

  it('has colors for light and for dark pages, and uses no other', () => {
    expect(svg).toContain('@media (prefers-color-scheme: dark)')
    const used = [...svg.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(([, value]) => String(value))
    const others = used.filter((value) => !/^(?:none|currentColor|var\(--\w+\))$/.test(value))
    expect(others).toEqual([])
    for (const value of used.filter((one) => one.startsWith('var('))) {
      expect(svg.split(`${value.slice(4, -1)}: #`), value).toHaveLength(3)
    }
  })
})

const textsOf = (svg = '') => [...svg.matchAll(/<text[^>]*>([^<]+)</g)].map(([, text]) => text)

describe('the charts', () => {
  it('show the service and its ceilings by connections, without bare Fastify', () => {
    expect(textsOf(throughput?.svg)).toEqual(
      expect.arrayContaining([
        ...['status poll', 'connections', 'requests/s', '1', '32', '256'],
        ...['service', 'one statement', 'lean', 'coalesced'],
      ]),
    )
    expect(textsOf(throughput?.svg)).not.toContain('bare Fastify')
    expect(throughput?.svg.match(/aria-label="line"/g)).toHaveLength(4)
    expect(throughput?.alternative).toContain('service 1,000 on 1, 2,000 on 32, 1,500 on 256; one statement')
  })

  it('show the faster run of pgbench as one line', () => {
    const write = (connections: number): RouteResult => ({
      ...{ route: 'submit', connections, target: undefined },
      figures: [figures('service', 10), figures('pgbench', connections), figures('pgbench, pool', 20)],
    })
    const [chart] = drawThroughput([write(1), write(32)])
    expect(chart?.alternative).toContain('pgbench 20.0 on 1, 32.0 on 32')
    expect(chart?.file).toBe('throughput-submit.svg')
  })

  it('leave out routes with one number of connections or without a ceiling', () => {
    const alone = [1, 32].map((connections) => ({
      ...{ route: 'mix', connections, target: undefined, figures: [figures('service', 10)] },
    }))
    expect(drawThroughput([poll(1, 1000), ...alone])).toEqual([])
  })

  it('show the growth of each route of constant size', () => {
    const rows = { small: 1, large: 10 }
    const [chart] = drawGrowth([...report.growth, { ...grown('all problems', 1, 9), rows }])
    expect(textsOf(chart?.svg)).toEqual(
      expect.arrayContaining(['status poll', 'submission', '× 1.20', '× 1.00', '○ 100,000 ● 1,000,000']),
    )
    expect(chart?.svg).not.toContain('all problems')
    expect(drawGrowth([])).toEqual([])
  })

  it('show the largest contest that the machine carried, else the smallest one', () => {
    expect(contest?.alternative).toContain('Contest of 2,000 people who poll standings: p50 5.00 ms')
    expect(textsOf(contest?.svg)).toEqual(
      expect.arrayContaining(['p50', 'p99', 'limit of p99', 'response time, ms']),
    )
    const [failed] = drawContests([step(8000, false), step(4000, false)])
    expect(failed?.alternative).toContain('4,000 people')
    expect(drawContests([{ ...step(1000, true), seconds: [] }])).toEqual([])
  })

  it('keep labels apart, in their order', () => {
    const labels = [12, 10, 30, 1].map((value) => ({ text: String(value), value, color: '' }))
    expect(spreadLabels(labels, 5, 2).map(({ text, value }) => [text, value])).toEqual([
      ...[
        ['1', 2],
        ['10', 10],
        ['12', 15],
        ['30', 30],
      ],
    ])
  })
})

describe('the charts of the documentation', () => {
  const docs = new URL('../../../docs/', import.meta.url)

  it('are the files that its text shows', async () => {
    const text = await readFile(new URL('performance.md', docs), 'utf8')
    const shown = [...text.matchAll(/\]\((charts\/[^)]+)\)/g)].map(([, path]) => String(path))
    expect(shown.filter((path) => !existsSync(new URL(path, docs)))).toEqual([])
    const files = await readdir(new URL('charts/', docs))
    expect(files.filter((file) => !shown.includes(`charts/${file}`))).toEqual([])
  })

  it('are replaced by those of a run, and stay the same for the same figures', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'judge-charts-'))
    try {
      await cp(new URL('performance.md', docs), join(folder, 'performance.md'))
      const target = pathToFileURL(`${folder}/`)
      const read = async () => {
        const files = (await readdir(join(folder, 'charts'))).sort()
        return [
          files,
          ...(await Promise.all(files.map((file) => readFile(join(folder, 'charts', file), 'utf8')))),
        ]
      }
      await writeCharts(
        {
          ...report,
          tables: [{ size: 'S', fillSeconds: 1, routes: routes.map((one) => ({ ...one, route: 'old' })) }],
        },
        target,
      )
      await writeCharts(report, target)
      const once = await read()
      expect(once[0]).toEqual(['contest-standings.svg', 'growth.svg', 'throughput-status-poll.svg'])
      await writeCharts(JSON.parse(JSON.stringify(report)), target)
      expect(await read()).toEqual(once)
      const text = await readFile(join(folder, 'performance.md'), 'utf8')
      expect(text.match(/!\[[^\]]+\]\(charts\/[\w-]+\.svg\)/g)).toHaveLength(3)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
