import type { Slice, Target } from './slice.ts'
import { joinValues, median, percentile } from './statistics.ts'

/** The figures of one target at one number of connections. */
export interface Figures {
  readonly target: Target['name']
  readonly requestsPerSecond: number
  /** For pgbench both percentiles are the mean. */
  readonly p50Ms: number
  readonly p99Ms: number
  /** CPU time per request. */
  readonly nodeCpuUs: number | undefined
  readonly postgresCpuUs: number | undefined
  /** The share of one core that the generator used. */
  readonly generatorShare: number | undefined
  readonly bytesPerResponse: number
  /** The share of 503 responses. */
  readonly refusedShare: number
  /** The most memory of the server at the end of a round. */
  readonly residentMebibytes: number | undefined
}

/** Loads the targets in turn, in another order each round. Returns the figures of each target. */
export async function measureInTurn(
  targets: readonly Target[],
  options: { readonly connections: number; readonly seconds: number; readonly rounds: number },
): Promise<Figures[]> {
  const slices = targets.map((): Slice[] => [])
  for (let round = 0; round < options.rounds; round += 1) {
    for (let turn = 0; turn < targets.length; turn += 1) {
      const place = (turn + round) % targets.length
      const slice = await targets[place]?.run(options.connections, options.seconds)
      if (slice !== undefined) slices[place]?.push(slice)
    }
  }
  return targets.map(({ name }, n) => summarise(name, slices[n] ?? []))
}

/** The median rate of the rounds; percentiles and CPU times over all their requests. */
export function summarise(target: Target['name'], slices: readonly Slice[]): Figures {
  const latencies = joinValues(slices.map(({ latenciesMs }) => latenciesMs))
  const sum = (read: (slice: Slice) => number | undefined) =>
    slices.reduce<number | undefined>((total, slice) => {
      const value = read(slice)
      return total === undefined || value === undefined ? undefined : total + value
    }, 0)
  const requests = sum((slice) => slice.requests) ?? 0
  const each = (total: number | undefined) => (total === undefined ? undefined : (total * 1000) / requests)
  const generatorMs = sum((slice) => slice.generatorCpuMs)
  const refused = sum((slice) => slice.refused) ?? 0
  const resident = slices.flatMap(({ residentMebibytes }) => residentMebibytes ?? [])
  const seconds = sum((slice) => slice.seconds) ?? 0
  return {
    target,
    requestsPerSecond: median(slices.map((slice) => slice.requests / slice.seconds)),
    p50Ms: percentile(latencies, 50),
    p99Ms: percentile(latencies, 99),
    nodeCpuUs: each(sum((slice) => slice.nodeCpuMs)),
    postgresCpuUs: each(sum((slice) => slice.postgresCpuMs)),
    generatorShare: generatorMs === undefined ? undefined : generatorMs / 1000 / seconds,
    bytesPerResponse: (sum((slice) => slice.bytes) ?? 0) / requests,
    refusedShare: refused / (requests + refused),
    residentMebibytes: resident.length === 0 ? undefined : Math.max(...resident),
  }
}
