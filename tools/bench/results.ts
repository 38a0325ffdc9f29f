import type { ContestStep } from './contest.ts'
import type { Figures, TargetName } from './measure.ts'
import type { MemoryReading } from './memory.ts'

/** The figures of the service and its ceilings on a route. */
export interface RouteResult {
  readonly route: string
  readonly connections: number
  readonly target: number | undefined
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
export function timesOfSameBytes(result: RouteResult): number | undefined {
  const bytes = figuresOf(result, 'same bytes')
  return bytes && serviceOf(result).p50Ms / bytes.p50Ms
}

/** One line per missed target, or one line if all were met. Empty without targets. */
export function describeMissedTargets(results: readonly RouteResult[]): string[] {
  const measured = results.flatMap((result) => {
    const { route, connections, target } = result
    const ratio = ratioOf(result)
    return target === undefined || ratio === undefined ? [] : [{ route, connections, target, ratio }]
  })
  const missed = measured.filter(({ ratio, target }) => ratio < target)
  if (measured.length > 0 && missed.length === 0) return ['All targets met.']
  return missed.map(
    ({ route, connections, ratio, target }) =>
      `${route}, ${connections} connections: ${roundDown(ratio)} of its ceiling, target ${target.toFixed(2)}`,
  )
}

/** Never rounds up: a missed target must not look met. */
const roundDown = (ratio: number) => (Math.floor(ratio * 1000) / 1000).toFixed(3)
