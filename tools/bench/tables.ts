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

/** A number with as many digits as say something. */
export function round(value: number | undefined): string | undefined {
  if (value === undefined || Number.isNaN(value)) return undefined
  if (value >= 100) return Math.round(value).toLocaleString('en-US')
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

const percent = (share: number | undefined) =>
  share === undefined ? undefined : `${Math.round(share * 100)} %`

/** The table of routes with their ceilings. */
export function writeRoutesTable(results: readonly RouteResult[]): string {
  const head = [
    ...['route', 'connections', 'requests/s', 'p50 ms', 'p99 ms', 'Node µs', 'PostgreSQL µs', 'refused'],
    ...['ceiling', 'its requests/s', 'ratio', 'by CPU', 'target', 'bare Fastify/s', 'generator'],
  ]
  const bytes = results.flatMap((result) => {
    const times = timesOfSameBytes(result)
    return times === undefined
      ? []
      : [`${result.route}: ${round(times)} times as long as a select of the same bytes.`]
  })
  const relays = results.flatMap((result) => {
    const ratio = ratioWithRelay(result)
    return ratio === undefined
      ? []
      : [`${result.route} on ${result.connections}: ${round(ratio)} of pgbench with the relay’s statements.`]
  })
  const table = writeTable(
    head,
    results.map((result) => {
      const service = serviceOf(result)
      const ceiling = ceilingOf(result)
      const bare = result.figures.find(({ target }) => target === 'bare Fastify')
      return [
        ...[
          result.route,
          result.connections,
          round(service.requestsPerSecond),
          round(service.p50Ms),
          round(service.p99Ms),
        ],
        ...[
          round(service.nodeCpuUs),
          round(service.postgresCpuUs),
          percent(service.refusedShare || undefined),
        ],
        ...[
          ceiling?.target,
          round(ceiling?.requestsPerSecond),
          round(ratioOf(result)),
          round(cpuRatioOf(result)),
          round(result.target),
        ],
        ...[round(bare?.requestsPerSecond), percent(service.generatorShare)],
      ]
    }),
  )
  return [...[...bytes, ...relays].map((line) => `${line}\n\n`), table].join('')
}

/** How p50 grows from the small to the large database, or the time per row where the answer grows. */
export function writeGrowthTable(results: readonly GrowthResult[]): string {
  const head = [
    'route',
    'p50 ms at S',
    'p50 ms at L',
    'ratio',
    'µs per row at S',
    'µs per row at L',
    'ratio per row',
  ]
  return writeTable(
    head,
    results.map(({ route, small, large, rows }) => {
      const perRow = rows && {
        small: (small.p50Ms * 1000) / rows.small,
        large: (large.p50Ms * 1000) / rows.large,
      }
      const ratio = rows ? undefined : large.p50Ms / small.p50Ms
      return [
        ...[route, round(small.p50Ms), round(large.p50Ms), round(ratio)],
        ...[round(perRow?.small), round(perRow?.large), round(perRow && perRow.large / perRow.small)],
      ]
    }),
  )
}

/** The steps of the load test, and what the largest contest is that it carried. */
export function writeContestTable(steps: readonly ContestStep[]): string {
  const head = [
    ...[
      'people',
      'requests/s',
      'MiB/s',
      'p50 ms',
      'p99 ms',
      'p99 submit',
      'p99 poll',
      'p99 standings',
      'failures',
    ],
    ...[
      'service',
      'PostgreSQL',
      'generator',
      'worker',
      'whole machine',
      'service late by ms',
      'generator late by ms',
      'carried',
    ],
  ]
  const table = writeTable(
    head,
    steps.map((step) => [
      ...[
        step.people,
        round(step.requestsPerSecond),
        round(step.mebibytesPerSecond),
        round(step.p50Ms),
        round(step.p99Ms),
      ],
      ...[round(step.p99MsOf.submit), round(step.p99MsOf.poll), round(step.p99MsOf.standings)],
      Object.values(step.failures).reduce((sum, count) => sum + count, 0),
      ...Object.values(step.shares).map(round),
      ...[round(step.serviceLagMs), round(step.generatorLagMs), step.holds ? 'yes' : 'no'],
    ]),
  )
  const most = Math.max(0, ...steps.filter(({ holds }) => holds).map(({ people }) => people))
  const limit = nameLimit(steps, availableParallelism())
  return `**${most} people** at once${limit === undefined ? '' : `; what limits it is ${limit}`}.\n\n${table}`
}

/** The memory of the service, minute by minute. */
export function writeMemoryTable(readings: readonly MemoryReading[]): string {
  return writeTable(
    ['minute', 'MiB', 'requests/s', 'refused'],
    readings.map(({ minutes, residentMebibytes, requestsPerSecond, refusedShare }) => [
      ...[minutes, round(residentMebibytes), round(requestsPerSecond), percent(refusedShare)],
    ]),
  )
}
