import { availableParallelism } from 'node:os'
import { writeTable } from '../local-servers/markdown-table.ts'
import type { MemoryReading } from './memory.ts'
import {
  ceilingOf,
  cpuRatioOf,
  type GrowthResult,
  type RouteResult,
  ratioOf,
  ratioWithRelay,
  serviceOf,
  timesOfSameBytes,
} from './results.ts'
import { type ContestStep, nameLimit } from './search-most.ts'

/** Writes three significant digits, or whole numbers from 100. */
export function round(value: number | undefined): string | undefined {
  if (value === undefined || Number.isNaN(value)) return undefined
  if (value >= 100) return Math.round(value).toLocaleString('en-US')
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

const percent = (share: number | undefined) =>
  share === undefined ? undefined : `${Math.round(share * 100)} %`

type Cell = string | number | undefined

/** Writes a table from its columns. */
const writeColumns = <Row>(rows: readonly Row[], columns: Record<string, (row: Row) => Cell>): string =>
  writeTable(
    Object.keys(columns),
    rows.map((row) => Object.values(columns).map((write) => write(row))),
  )

/** The table of routes with their ceilings. */
export function writeRoutesTable(results: readonly RouteResult[]): string {
  const lines = results.flatMap((result) => {
    const times = round(timesOfSameBytes(result))
    const relay = round(ratioWithRelay(result))
    return [
      ...(times ? [`${result.route}: ${times} times as long as a select of the same bytes.\n\n`] : []),
      ...(relay
        ? [`${result.route} on ${result.connections}: ${relay} of pgbench with the relay’s statements.\n\n`]
        : []),
    ]
  })
  const rows = results.map((result) => ({
    ...{ result, service: serviceOf(result), ceiling: ceilingOf(result) },
    bare: result.figures.find(({ target }) => target === 'bare Fastify'),
  }))
  const table = writeColumns(rows, {
    route: ({ result }) => result.route,
    connections: ({ result }) => result.connections,
    'requests/s': ({ service }) => round(service.requestsPerSecond),
    'p50 ms': ({ service }) => round(service.p50Ms),
    'p99 ms': ({ service }) => round(service.p99Ms),
    'Node µs': ({ service }) => round(service.nodeCpuUs),
    'PostgreSQL µs': ({ service }) => round(service.postgresCpuUs),
    refused: ({ service }) => percent(service.refusedShare || undefined),
    ceiling: ({ ceiling }) => ceiling?.target,
    'its requests/s': ({ ceiling }) => round(ceiling?.requestsPerSecond),
    ratio: ({ result }) => round(ratioOf(result)),
    'by CPU': ({ result }) => round(cpuRatioOf(result)),
    target: ({ result }) => round(result.target),
    'bare Fastify/s': ({ bare }) => round(bare?.requestsPerSecond),
    generator: ({ service }) => percent(service.generatorShare),
  })
  return [...lines, table].join('')
}

/** The growth of p50 from the small to the large database; per row for responses that grow. */
export function writeGrowthTable(results: readonly GrowthResult[]): string {
  const rows = results.map(({ route, small, large, rows }) => ({
    ...{ route, small: small.p50Ms, large: large.p50Ms },
    perRow: rows && { small: (small.p50Ms * 1000) / rows.small, large: (large.p50Ms * 1000) / rows.large },
  }))
  return writeColumns(rows, {
    route: ({ route }) => route,
    'p50 ms at S': ({ small }) => round(small),
    'p50 ms at L': ({ large }) => round(large),
    ratio: ({ small, large, perRow }) => round(perRow ? undefined : large / small),
    'µs per row at S': ({ perRow }) => round(perRow?.small),
    'µs per row at L': ({ perRow }) => round(perRow?.large),
    'ratio per row': ({ perRow }) => round(perRow && perRow.large / perRow.small),
  })
}

/** The steps of the contest test and the largest contest. */
export function writeContestTable(steps: readonly ContestStep[]): string {
  const table = writeColumns(steps, {
    people: ({ people }) => people,
    'requests/s': (step) => round(step.requestsPerSecond),
    'MiB/s': (step) => round(step.mebibytesPerSecond),
    'p50 ms': ({ p50Ms }) => round(p50Ms),
    'p99 ms': ({ p99Ms }) => round(p99Ms),
    'p99 submit': ({ p99MsOf }) => round(p99MsOf.submit),
    'p99 poll': ({ p99MsOf }) => round(p99MsOf.poll),
    'p99 standings': ({ p99MsOf }) => round(p99MsOf.standings),
    failures: ({ failures }) => Object.values(failures).reduce((sum, count) => sum + count, 0),
    service: ({ shares }) => round(shares.service),
    PostgreSQL: ({ shares }) => round(shares.PostgreSQL),
    generator: ({ shares }) => round(shares.generator),
    worker: ({ shares }) => round(shares.worker),
    'whole machine': ({ shares }) => round(shares['whole machine']),
    'service late by ms': ({ serviceLagMs }) => round(serviceLagMs),
    'generator late by ms': ({ generatorLagMs }) => round(generatorLagMs),
    carried: ({ holds }) => (holds ? 'yes' : 'no'),
  })
  const most = Math.max(0, ...steps.filter(({ holds }) => holds).map(({ people }) => people))
  const limit = nameLimit(steps, availableParallelism())
  return `**${most} people** at once${limit === undefined ? '' : `; the limit is ${limit}`}.\n\n${table}`
}

/** The memory of the service, minute by minute. */
export const writeMemoryTable = (readings: readonly MemoryReading[]): string =>
  writeColumns(readings, {
    minute: ({ minutes }) => minutes,
    MiB: ({ residentMebibytes }) => round(residentMebibytes),
    'requests/s': ({ requestsPerSecond }) => round(requestsPerSecond),
    refused: ({ refusedShare }) => percent(refusedShare),
  })
