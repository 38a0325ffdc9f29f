import type { Slice } from './slice.ts'
import { joinValues, median, percentile } from './statistics.ts'
import type { Target } from './targets.ts'

/** The figures of one target at one number of connections. */
export interface Figures {
  readonly target: Target['name']
  readonly requestsPerSecond: number
  /** The mean in the place of both for pgbench, which does not say more. */
  readonly p50Ms: number
  readonly p99Ms: number
  /** Of one request. */
  readonly nodeCpuUs: number | undefined
  readonly postgresCpuUs: number | undefined
  /** How much of one core the generator took. */
  readonly generatorShare: number | undefined
  readonly bytesPerAnswer: number
  /** The part of all requests that was refused with 503. */
  readonly refusedShare: number
  /** The most memory that the server held at the end of a round. */
  readonly residentMebibytes: number | undefined
}

/** Loads the targets in turn, each round in another order; answers the figures of each over all rounds. */
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

/** The median of the rounds' rates, the percentiles of all their requests together, and CPU by all that were answered. */
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
    bytesPerAnswer: (sum((slice) => slice.bytes) ?? 0) / requests,
    refusedShare: refused / (requests + refused),
    residentMebibytes: resident.length === 0 ? undefined : Math.max(...resident),
  }
}
