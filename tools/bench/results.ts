import type { Figures } from './measure.ts'
import type { MemoryReading } from './memory.ts'
import type { ContestStep } from './search-most.ts'

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

/** The service's figures. */
export function serviceOf(result: RouteResult): Figures {
  const figures = result.figures.find(({ target }) => target === 'service')
  if (figures === undefined) throw new Error(`The service was not measured on ${result.route}`)
  return figures
}

/** The ceiling: the one statement or the faster run of pgbench, if any. */
export function ceilingOf({ figures }: RouteResult): Figures | undefined {
  const others = ['service', 'bare Fastify', 'same bytes', 'pgbench, with the relay']
  const ceilings = figures.filter(({ target }) => !others.includes(target))
  return ceilings.reduce<Figures | undefined>(
    (best, one) => (best === undefined || one.requestsPerSecond > best.requestsPerSecond ? one : best),
    undefined,
  )
}

/** The service's rate divided by the ceiling's; undefined without a ceiling. */
export function ratioOf(result: RouteResult): number | undefined {
  const ceiling = ceilingOf(result)
  return ceiling && serviceOf(result).requestsPerSecond / ceiling.requestsPerSecond
}

/** The same for the CPU time per request; undefined for pgbench. */
export function cpuRatioOf(result: RouteResult): number | undefined {
  const ceiling = ceilingOf(result)
  const service = serviceOf(result)
  const sum = (node: number | undefined, postgres: number | undefined) =>
    node === undefined || postgres === undefined ? undefined : node + postgres
  const own = sum(service.nodeCpuUs, service.postgresCpuUs)
  const its = sum(ceiling?.nodeCpuUs, ceiling?.postgresCpuUs)
  return own === undefined || its === undefined ? undefined : its / own
}

/** The service's time divided by the time of a `select` of the same bytes, if measured. */
export function timesOfSameBytes(result: RouteResult): number | undefined {
  const bytes = result.figures.find(({ target }) => target === 'same bytes')
  return bytes && serviceOf(result).p50Ms / bytes.p50Ms
}

/** The service's rate divided by pgbench's with the relay's statements, if measured. */
export function ratioWithRelay(result: RouteResult): number | undefined {
  const relay = result.figures.find(({ target }) => target === 'pgbench, with the relay')
  return relay && serviceOf(result).requestsPerSecond / relay.requestsPerSecond
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
