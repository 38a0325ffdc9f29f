import { type Cell, writeTable } from '../local-servers/report.ts'
import { drawPairs, type Pair } from './charts.ts'
import { type ContestStep, PEOPLE_TARGET } from './contest.ts'
import type { JudgingReport } from './judging.ts'
import type { LiveResult } from './live.ts'
import { type Figures, median, round, type TargetName } from './measure.ts'
import { growthOf, MEMORY_TARGETS, type MemoryReading } from './memory.ts'

/** The figures of the service and its ceilings on a route. */
export interface RouteResult {
  readonly route: string
  readonly connections: number
  readonly target: number | undefined
  readonly leanTarget?: number | undefined
  readonly figures: readonly Figures[]
}

/** A route of constant size on the small and on the large database, on one connection. */
export interface GrowthResult {
  readonly route: string
  readonly small: Figures
  readonly large: Figures
}

export interface Report {
  readonly machine: Readonly<Record<string, string>>
  readonly tables?: readonly { readonly size: string; readonly routes: readonly RouteResult[] }[]
  readonly growth?: readonly GrowthResult[]
  readonly contest?: readonly ContestStep[]
  readonly memory?: readonly MemoryReading[]
  readonly judging?: JudgingReport
  readonly live?: LiveResult
}

/** A part of docs/performance.md; a chart has a file in docs/charts. */
export interface Part {
  readonly text: string
  readonly svg?: string
}

const CHART_CONNECTIONS = 32
/** The live test's targets: the longest p99 of an event, and the most memory of a stream. */
const LIVE_TARGETS = { p99Ms: 500, kib: 60 } as const

const figuresOf = ({ figures }: RouteResult, name: TargetName) =>
  figures.find(({ target }) => target === name)

export function serviceOf(result: RouteResult): Figures {
  const figures = figuresOf(result, 'service')
  if (figures === undefined) throw new Error(`The service was not measured on ${result.route}`)
  return figures
}

/** The ceiling: the one statement or the faster run of pgbench, if any. */
export const ceilingOf = ({ figures }: RouteResult): Figures | undefined =>
  figures
    .filter(({ target }) => target !== 'service' && target !== 'lean')
    .sort((one, other) => other.requestsPerSecond - one.requestsPerSecond)[0]

/** The service's rate divided by the ceiling's, or by that of another target, if measured. */
export function ratioOf(result: RouteResult, name?: TargetName): number | undefined {
  const other = name === undefined ? ceilingOf(result) : figuresOf(result, name)
  return other && serviceOf(result).requestsPerSecond / other.requestsPerSecond
}

/** The same for the CPU time per request; undefined for pgbench. */
function cpuRatioOf(result: RouteResult): number | undefined {
  const costOf = (figures: Figures | undefined) =>
    (figures?.nodeCpuUs ?? Number.NaN) + (figures?.postgresCpuUs ?? Number.NaN)
  const ratio = costOf(ceilingOf(result)) / costOf(serviceOf(result))
  return Number.isNaN(ratio) ? undefined : ratio
}

/** Never rounds up: a missed target must not look met. */
const roundDown = (ratio: number | undefined) => ratio && round(Math.floor(ratio * 100) / 100)

const percent = (share: number | undefined) =>
  share === undefined ? undefined : `${Math.round(share * 100)} %`

const yesOrNo = (isMet: boolean) => (isMet ? 'yes' : 'no')

interface MeasuredRoute {
  readonly result: RouteResult
  readonly service: Figures
  readonly ceiling: Figures | undefined
}

const ROUTE_COLUMNS: Readonly<Record<string, (measured: MeasuredRoute) => Cell>> = {
  connections: ({ result }) => result.connections,
  'requests/s': ({ service }) => round(service.requestsPerSecond),
  'p50 ms': ({ service }) => round(service.p50Ms),
  'p99 ms': ({ service }) => round(service.p99Ms),
  'Node µs': ({ service }) => round(service.nodeCpuUs),
  'PostgreSQL µs': ({ service }) => round(service.postgresCpuUs),
  refused: ({ service }) => percent(service.refusedShare || undefined),
  ceiling: ({ ceiling }) => ceiling?.target,
  'its requests/s': ({ ceiling }) => round(ceiling?.requestsPerSecond),
  ratio: ({ result }) => roundDown(ratioOf(result)),
  'by CPU': ({ result }) => round(cpuRatioOf(result)),
  target: ({ result }) => round(result.target),
  'ratio to lean': ({ result }) => roundDown(ratioOf(result, 'lean')),
  'its target': ({ result }) => round(result.leanTarget),
  generator: ({ service }) => percent(service.generatorShare),
}

/** One row for each route, with its figures for each number of connections. */
export function writeRoutesTable(results: readonly RouteResult[]): string {
  const rows = [...new Set(results.map(({ route }) => route))].map((route) => {
    const measured = results
      .filter((result) => result.route === route)
      .map((result) => ({ result, service: serviceOf(result), ceiling: ceilingOf(result) }))
    return [route, ...Object.values(ROUTE_COLUMNS).map((write) => joinFigures(measured.map(write)))]
  })
  return writeTable(['route', ...Object.keys(ROUTE_COLUMNS)], rows)
}

/** A single figure if all are equal. */
const joinFigures = (cells: readonly Cell[]): Cell =>
  new Set(cells).size > 1 ? cells.map((cell) => cell ?? '–').join(' / ') : cells[0]

const CONTEST_COLUMNS: Readonly<Record<string, (step: ContestStep) => Cell>> = {
  people: ({ people }) => people,
  'requests/s': (step) => round(step.requestsPerSecond),
  'MiB/s': (step) => round(step.mebibytesPerSecond),
  'p50 ms': ({ p50Ms }) => round(p50Ms),
  'p99 ms': ({ p99Ms }) => round(p99Ms),
  'p99 submit': ({ p99MsOf }) => round(p99MsOf.submit),
  'p99 poll': ({ p99MsOf }) => round(p99MsOf.poll),
  'p99 standings': ({ p99MsOf }) => round(p99MsOf.standings),
  'p99 scoreboard': ({ p99MsOf }) => round(p99MsOf.scoreboard),
  failures: ({ failures }) => failures,
  service: ({ shares }) => round(shares.service),
  PostgreSQL: ({ shares }) => round(shares.PostgreSQL),
  generator: ({ shares }) => round(shares.generator),
  worker: ({ shares }) => round(shares.worker),
  'whole machine': ({ shares }) => round(shares['whole machine']),
  'service late by ms': ({ serviceLagMs }) => round(serviceLagMs),
  'generator late by ms': ({ generatorLagMs }) => round(generatorLagMs),
  carried: ({ holds }) => yesOrNo(holds),
}

function writeContestTable(steps: readonly ContestStep[]): string {
  const rows = steps.map((step) => Object.values(CONTEST_COLUMNS).map((write) => write(step)))
  return writeTable(Object.keys(CONTEST_COLUMNS), rows)
}

/** The memory of the service: idle, then minute by minute, with the targets. */
function writeMemoryTable(readings: readonly MemoryReading[]): string {
  const { idle, loaded, growth: most } = MEMORY_TARGETS
  const growth = growthOf(readings)
  const rows = readings.map(({ minutes, residentMebibytes: mebibytes, requestsPerSecond, refusedShare }) =>
    minutes === 0
      ? ['idle', round(mebibytes), `below ${idle}`, yesOrNo(mebibytes < idle), undefined, undefined]
      : [
          ...[minutes, round(mebibytes), `at most ${loaded}`, yesOrNo(mebibytes <= loaded)],
          ...[round(requestsPerSecond), percent(refusedShare)],
        ],
  )
  const grown =
    growth !== undefined &&
    `The second half of the minutes had ${growth.toFixed(2)} times the memory of the first half; target: at most ${most.toFixed(2)}; ${growth <= most ? 'met' : 'missed'}.\n\n`
  return `${grown || ''}${writeTable(['minute', 'MiB', 'target', 'met', 'requests/s', 'refused'], rows)}`
}

/** The table of the judge worker's figures. A target is met by a median below it. */
function writeJudgingTable({ isolation, figures }: JudgingReport): string {
  const table = writeTable(
    ['figure', 'median', 'lowest', 'highest', 'CPU ms', 'target', 'met'],
    figures.map(({ name, unit, values, target, cpuMs }) => [
      name,
      ...[median(values), Math.min(...values), Math.max(...values)].map((value) => `${round(value)} ${unit}`),
      cpuMs && round(median(cpuMs)),
      target && `below ${target} ${unit}`,
      target && yesOrNo(median(values) < target),
    ]),
  )
  return `Sandbox: ${isolation}.\n\n${table}`
}

function writeLiveTable(result: LiveResult): string {
  const { p99Ms, kib: most } = LIVE_TARGETS
  const { delayMs, kibPerStream, shares, quietShares } = result
  const memory = (kib: number) => [`${round(kib)} KiB`, `below ${most} KiB`, yesOrNo(kib < most)]
  const none = (count: number) => [count, '0', yesOrNo(count === 0)]
  const rows: (string | number | undefined)[][] = [
    ['verdict to event, p50', `${round(delayMs.p50)} ms`],
    ['verdict to event, p99', `${round(delayMs.p99)} ms`, `below ${p99Ms} ms`, yesOrNo(delayMs.p99 < p99Ms)],
    ['verdict to event, longest', `${round(delayMs.most)} ms`],
    ['verdicts without an event', ...none(result.missing)],
    ['streams that ended', ...none(result.ended)],
    ['memory per stream, after opening', ...memory(kibPerStream.opened)],
    ['memory per stream, after the verdicts', ...memory(kibPerStream.loaded)],
    ['time until all were open', `${round(result.openedSeconds)} s`],
    ['503 responses until then, repeated after 0.25 s', result.refused],
    ['cores of the service, with verdicts', round(shares.service)],
    ['cores of PostgreSQL, with verdicts', round(shares.PostgreSQL)],
    ['cores of the service, without', round(quietShares.service)],
    ['cores of PostgreSQL, without', round(quietShares.PostgreSQL)],
    ['service late by', `${round(result.serviceLagMs)} ms`],
  ]
  return writeTable(
    [`${result.streams.toLocaleString('en-US')} streams, ${result.verdicts} verdicts`, '', 'target', 'met'],
    rows.map((row) => [0, 1, 2, 3].map((column) => row[column])),
  )
}

/** A chart of two figures of each route; undefined without routes. */
function drawChart(file: string, heading: string, names: [string, string], pairs: readonly Pair[]) {
  const known = pairs.filter(({ from, to }) => Number.isFinite(from) && Number.isFinite(to))
  if (known.length === 0) return undefined
  const { svg, alternative } = drawPairs(heading, names, known)
  return { text: `![${alternative}](charts/${file}.svg)\n`, svg }
}

/** The parts of docs/performance.md by name, without those that the run did not measure. */
export function writeParts(report: Report): Map<string, Part> {
  const { machine, tables = [], growth = [], contest, memory, judging, live } = report
  const routes = tables.find(({ size }) => size === 'S')?.routes ?? []
  const rates = routes.flatMap((result) => {
    const ceiling = ceilingOf(result)
    if (ceiling === undefined || result.connections !== CHART_CONNECTIONS) return []
    const to = serviceOf(result).requestsPerSecond
    return [{ route: result.route, from: ceiling.requestsPerSecond, to }]
  })
  const times = growth.map(({ route, small, large }) => ({ route, from: small.p50Ms, to: large.p50Ms }))
  const load = `Load of the machine before: ${machine.load ?? 'unknown'}.\n\n`
  const people = `Target: ${PEOPLE_TARGET.toLocaleString('en-US')} people.\n\n`
  const parts: Record<string, Part | undefined> = {
    machine: tables.length > 0 ? { text: writeTable(['', ''], Object.entries(machine)) } : undefined,
    throughput: drawChart(
      'throughput',
      `Requests per second on ${CHART_CONNECTIONS} connections`,
      ['ceiling', 'service'],
      rates,
    ),
    growth: drawChart('growth', 'p50 in ms on one connection', ['S', 'L'], times),
    ...Object.fromEntries(
      tables.map(({ size, routes }) => [`size ${size}`, { text: writeRoutesTable(routes) }]),
    ),
    contest: contest && { text: `${load}${people}${writeContestTable(contest)}` },
    memory: memory && { text: `${load}${writeMemoryTable(memory)}` },
    live: live && { text: `${load}${writeLiveTable(live)}` },
    judging: judging && { text: `${load}${writeJudgingTable(judging)}` },
  }
  return new Map(Object.entries(parts).flatMap(([name, part]) => (part ? [[name, part] as const] : [])))
}

/** Replaces the parts between their marks. Throws if a mark is missing. */
export function replaceParts(text: string, parts: ReadonlyMap<string, Part>): string {
  let replaced = text
  for (const [name, part] of parts) {
    const [begin, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`]
    const from = replaced.indexOf(begin)
    const to = replaced.indexOf(end)
    if (from < 0 || to < from) throw new Error(`The document has no marks for "${name}"`)
    replaced = `${replaced.slice(0, from + begin.length)}\n${part.text}\n${replaced.slice(to)}`
  }
  return replaced
}
