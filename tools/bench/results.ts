import type { Figures } from './measure.ts'
import type { MemoryReading } from './memory.ts'
import type { ContestStep } from './search-most.ts'

/** What the service came to on a route at so many connections, with its ceilings. */
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
  /** Rows of the answer, where their number grows. */
  readonly rows: { readonly small: number; readonly large: number } | undefined
}

/** Everything that a run found out. */
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

/** The service's own figures in a result. */
export function serviceOf(result: RouteResult): Figures {
  const figures = result.figures.find(({ target }) => target === 'service')
  if (figures === undefined) throw new Error(`The service was not measured on ${result.route}`)
  return figures
}

/** What the service is held against: the one statement, or the better of pgbench's runs; undefined where there is neither. */
export function ceilingOf({ figures }: RouteResult): Figures | undefined {
  const others = ['service', 'bare Fastify', 'same bytes', 'pgbench, with the relay']
  const ceilings = figures.filter(({ target }) => !others.includes(target))
  return ceilings.reduce<Figures | undefined>(
    (best, one) => (best === undefined || one.requestsPerSecond > best.requestsPerSecond ? one : best),
    undefined,
  )
}

/** How much of its ceiling the service reaches; undefined where there is none. */
export function ratioOf(result: RouteResult): number | undefined {
  const ceiling = ceilingOf(result)
  return ceiling && serviceOf(result).requestsPerSecond / ceiling.requestsPerSecond
}

/**
 * The same by the CPU time that a request costs Node and PostgreSQL together, which tells more than the rate where other work runs on the machine;
 * undefined where the ceiling has no Node.
 */
export function cpuRatioOf(result: RouteResult): number | undefined {
  const ceiling = ceilingOf(result)
  const service = serviceOf(result)
  const sum = (node: number | undefined, postgres: number | undefined) =>
    node === undefined || postgres === undefined ? undefined : node + postgres
  const own = sum(service.nodeCpuUs, service.postgresCpuUs)
  const its = sum(ceiling?.nodeCpuUs, ceiling?.postgresCpuUs)
  return own === undefined || its === undefined ? undefined : its / own
}

/** How many times as long as a `select` of the same bytes the service takes; undefined where that was not measured. */
export function timesOfSameBytes(result: RouteResult): number | undefined {
  const bytes = result.figures.find(({ target }) => target === 'same bytes')
  return bytes && serviceOf(result).p50Ms / bytes.p50Ms
}

/** How much the service reaches of the statement together with what the relay does for it; undefined where that was not measured. */
export function ratioWithRelay(result: RouteResult): number | undefined {
  const relay = result.figures.find(({ target }) => target === 'pgbench, with the relay')
  return relay && serviceOf(result).requestsPerSecond / relay.requestsPerSecond
}

/**
 * A line for each route and number of connections that reached less of its ceiling than its target, or one line where all reached it; none where
 * nothing that has a target was measured.
 */
export function describeMissedTargets(results: readonly RouteResult[]): string[] {
  const held = results.flatMap((result) => {
    const { route, connections, target } = result
    const ratio = ratioOf(result)
    return target === undefined || ratio === undefined ? [] : [{ route, connections, target, ratio }]
  })
  const missed = held.filter(({ ratio, target }) => ratio < target)
  if (held.length > 0 && missed.length === 0) return ['All targets met.']
  return missed.map(
    ({ route, connections, ratio, target }) =>
      `${route}, ${connections} connections: ${writeDown(ratio)} of its ceiling, target ${target.toFixed(2)}`,
  )
}

/** Never up: what is missed by little would look as if it were reached. */
const writeDown = (ratio: number) => (Math.floor(ratio * 1000) / 1000).toFixed(3)
