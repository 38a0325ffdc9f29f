import { availableParallelism } from 'node:os'
import { writeTable } from '../local-servers/report.ts'
import { writeColumns } from './columns.ts'
import { type ContestStep, nameLimit, PEOPLE_TARGET } from './contest.ts'
import type { JudgingReport } from './judging.ts'
import { writeJudgingTable } from './judging-report.ts'
import type { TestsReading } from './large-tests.ts'
import type { LiveResult } from './live.ts'
import { writeLiveTables } from './live-report.ts'
import { type Figures, round, type TargetName } from './measure.ts'
import type { MemoryReading } from './memory.ts'
import { writeMemoryTable } from './memory-report.ts'
import type { PartitionsResult } from './partitions.ts'
import type { ScalingResult } from './scaling.ts'
import {
  writeDeletionsTable,
  writeInstancesTable,
  writePartitionsTable,
  writeWorkersTable,
} from './scaling-report.ts'

/** The figures of the service and its ceilings on a route. */
export interface RouteResult {
  readonly route: string
  readonly connections: number
  readonly target: number | undefined
  /** The wanted ratio to the lean ceiling. */
  readonly leanTarget?: number | undefined
  readonly figures: readonly Figures[]
}

/** A route on the small and on the large database, on one connection. */
export interface GrowthResult {
  readonly route: string
  readonly small: Figures
  readonly large: Figures
  /** The number of rows in the response, if it grows. */
  readonly rows: { readonly small: number; readonly large: number } | undefined
}

/** All results of a run. */
export interface Report {
  readonly machine: Readonly<Record<string, string>>
  readonly tables: readonly {
    readonly size: string
    readonly fillSeconds: number
    readonly routes: readonly RouteResult[]
  }[]
  readonly growth: readonly GrowthResult[]
  readonly contest: readonly ContestStep[]
  readonly memory: readonly MemoryReading[]
  readonly largeTests: readonly TestsReading[]
  readonly packages: readonly TestsReading[]
  readonly judging?: JudgingReport
  readonly live?: LiveResult
  readonly scaling?: ScalingResult
  readonly partitions?: PartitionsResult
}

/** The figures of a target, if measured. */
export const figuresOf = ({ figures }: RouteResult, name: TargetName) =>
  figures.find(({ target }) => target === name)

/** The service's figures. */
export function serviceOf(result: RouteResult): Figures {
  const figures = figuresOf(result, 'service')
  if (figures === undefined) throw new Error(`The service was not measured on ${result.route}`)
  return figures
}

const CEILINGS = ['one statement', 'pgbench', 'pgbench, pool']

/** The ceiling: the one statement or the faster run of pgbench, if any. */
export const ceilingOf = ({ figures }: RouteResult): Figures | undefined =>
  figures
    .filter(({ target }) => CEILINGS.includes(target))
    .sort((one, other) => other.requestsPerSecond - one.requestsPerSecond)[0]

/** The service's rate divided by the ceiling's, or by that of another target, if measured. */
export function ratioOf(result: RouteResult, name?: TargetName): number | undefined {
  const other = name === undefined ? ceilingOf(result) : figuresOf(result, name)
  return other && serviceOf(result).requestsPerSecond / other.requestsPerSecond
}

/** The same for the CPU time per request; undefined for pgbench. */
export function cpuRatioOf(result: RouteResult): number | undefined {
  const costOf = (figures: Figures | undefined) =>
    (figures?.nodeCpuUs ?? Number.NaN) + (figures?.postgresCpuUs ?? Number.NaN)
  const ratio = costOf(ceilingOf(result)) / costOf(serviceOf(result))
  return Number.isNaN(ratio) ? undefined : ratio
}

/** The service's time divided by the time of a `select` of the same bytes, if measured. */
function timesOfSameBytes(result: RouteResult): number | undefined {
  const bytes = figuresOf(result, 'same bytes')
  return bytes && serviceOf(result).p50Ms / bytes.p50Ms
}

/** One line per missed target, or one line if all were met. Empty without targets. */
export function describeMissedTargets(results: readonly RouteResult[]): string[] {
  const measured = results.flatMap((result) => [
    ...compare(result, result.target, 'its ceiling', ratioOf(result)),
    ...compare(result, result.leanTarget, 'the lean ceiling', ratioOf(result, 'lean')),
  ])
  const missed = measured.filter(({ ratio, target }) => ratio < target)
  if (measured.length > 0 && missed.length === 0) return ['All targets met.']
  return missed.map(
    ({ route, connections, ceiling, ratio, target }) =>
      `${route}, ${connections} connections: ${roundDown(ratio)} of ${ceiling}, target ${target.toFixed(2)}`,
  )
}

/** Empty without a target or a ceiling. */
const compare = (
  { route, connections }: RouteResult,
  target: number | undefined,
  ceiling: string,
  ratio: number | undefined,
) => (target === undefined || ratio === undefined ? [] : [{ route, connections, target, ceiling, ratio }])

/** Never rounds up: a missed target must not look met. */
const roundDown = (ratio: number) => (Math.floor(ratio * 1000) / 1000).toFixed(3)

const percent = (share: number | undefined) =>
  share === undefined ? undefined : `${Math.round(share * 100)} %`

/** The table of routes with their ceilings. */
export function writeRoutesTable(results: readonly RouteResult[]): string {
  const notes = results.flatMap((result) => {
    const { route, connections } = result
    const times = round(timesOfSameBytes(result))
    const relay = round(ratioOf(result, 'pgbench, with the relay'))
    return [
      times && `${route}: ${times} times as long as a select of the same bytes.\n\n`,
      relay && `${route} on ${connections}: ${relay} of pgbench with the relay’s statements.\n\n`,
    ]
  })
  const rows = results.map((result) => ({
    ...{ result, service: serviceOf(result), ceiling: ceilingOf(result) },
    bare: figuresOf(result, 'bare Fastify'),
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
  return [...notes, table].join('')
}

/** The lean and the coalesced ceilings of the routes; undefined if none was measured. */
export function writeFurtherCeilings(results: readonly RouteResult[]): string | undefined {
  const rows = results.flatMap((result) => {
    const [lean, coalesced] = [figuresOf(result, 'lean'), figuresOf(result, 'coalesced')]
    return lean || coalesced ? [{ result, lean, coalesced, service: serviceOf(result) }] : []
  })
  if (rows.length === 0) return undefined
  return writeColumns(rows, {
    route: ({ result }) => result.route,
    connections: ({ result }) => result.connections,
    'requests/s': ({ service }) => round(service.requestsPerSecond),
    'lean/s': ({ lean }) => round(lean?.requestsPerSecond),
    'ratio to lean': ({ result }) => round(ratioOf(result, 'lean')),
    target: ({ result }) => round(result.leanTarget),
    'coalesced/s': ({ coalesced }) => round(coalesced?.requestsPerSecond),
    'ratio to coalesced': ({ result }) => round(ratioOf(result, 'coalesced')),
  })
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
function writeContestTable(steps: readonly ContestStep[]): string {
  const table = writeColumns(steps, {
    polled: ({ standings }) => `\`${standings}\``,
    people: ({ people }) => people,
    'requests/s': (step) => round(step.requestsPerSecond),
    'MiB/s': (step) => round(step.mebibytesPerSecond),
    'p50 ms': ({ p50Ms }) => round(p50Ms),
    'p99 ms': ({ p99Ms }) => round(p99Ms),
    'p99 submit': ({ p99MsOf }) => round(p99MsOf.submit),
    'p99 poll': ({ p99MsOf }) => round(p99MsOf.poll),
    'p99 standings': ({ p99MsOf }) => round(p99MsOf.standings),
    'p99 scoreboard': ({ p99MsOf }) => round(p99MsOf.scoreboard),
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
  const kinds = [...new Set(steps.map(({ standings }) => standings))]
  const results = kinds.map((kind) => {
    const own = steps.filter(({ standings }) => standings === kind)
    const most = Math.max(0, ...own.filter(({ holds }) => holds).map(({ people }) => people))
    const limit = nameLimit(own, availableParallelism())
    const limited = limit === undefined ? '' : `; the limit is ${limit}`
    const target = PEOPLE_TARGET.toLocaleString('en-US')
    return `**${most} people** at once who poll \`${kind}\`; target: ${target}${limited}.\n\n`
  })
  return `${results.join('')}${table}`
}

/** The memory of the service above its idle memory, step by step. */
const writeLargeTestsTable = (readings: readonly TestsReading[]): string =>
  writeColumns(readings, {
    step: ({ step }) => step,
    requests: ({ requests }) => requests,
    seconds: ({ seconds }) => round(seconds),
    'peak, MiB above idle': ({ peakMebibytes }) => round(peakMebibytes),
  })

/** The parts of the documents by name, without those that the run did not measure. */
export function writeParts({
  machine,
  tables,
  growth,
  contest,
  memory,
  largeTests,
  packages,
  judging,
  live,
  scaling,
  partitions,
}: Report): Map<string, string> {
  const parts = new Map<string, string>()
  if (tables.length > 0) parts.set('machine', writeTable(['', ''], Object.entries(machine)))
  for (const { size, fillSeconds, routes } of tables) {
    const further = writeFurtherCeilings(routes)
    const text = [
      `Filled in ${Math.round(fillSeconds)} s.\n`,
      writeRoutesTable(routes),
      ...(further ? [further] : []),
    ]
    parts.set(`size ${size}`, text.join('\n'))
  }
  if (growth.length > 0) parts.set('growth', writeGrowthTable(growth))
  const load = `Load of the machine before: ${machine.load ?? 'unknown'}.\n\n`
  if (contest.length > 0) parts.set('contest', `${load}${writeContestTable(contest)}`)
  if (memory.length > 0) parts.set('memory', `${load}${writeMemoryTable(memory)}`)
  if (largeTests.length > 0) parts.set('large tests', `${load}${writeLargeTestsTable(largeTests)}`)
  if (packages.length > 0) parts.set('packages', `${load}${writeLargeTestsTable(packages)}`)
  if (live) parts.set('live', `${load}${writeLiveTables(live)}`)
  if (scaling) {
    parts.set('machine', writeTable(['', ''], Object.entries(machine)))
    parts.set('instances', writeInstancesTable(scaling.instances))
    parts.set('workers', writeWorkersTable(scaling.workers))
  }
  if (partitions) {
    const { processor, memory, postgres, date } = machine
    const measuredOn = writeTable(['', ''], Object.entries({ processor, memory, postgres, date }))
    const tables = [measuredOn, writePartitionsTable(partitions), writeDeletionsTable(partitions)]
    parts.set('partitions', tables.join('\n'))
  }
  if (judging) parts.set('judging', `${load}${writeJudgingTable(judging)}`)
  return parts
}

/** Replaces the parts between their marks. Throws if a mark is missing. */
export function replaceParts(text: string, parts: ReadonlyMap<string, string>): string {
  let replaced = text
  for (const [name, content] of parts) {
    const [begin, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`]
    const from = replaced.indexOf(begin)
    const to = replaced.indexOf(end)
    if (from < 0 || to < from) throw new Error(`The document has no marks for "${name}"`)
    replaced = `${replaced.slice(0, from + begin.length)}\n${content}\n${replaced.slice(to)}`
  }
  return replaced
}
