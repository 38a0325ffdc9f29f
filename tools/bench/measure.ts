/** The result of a slice of load. CPU times cover the whole slice; unknown ones are undefined. */
export interface Slice {
  readonly requests: number
  readonly refused: number
  readonly seconds: number
  readonly latenciesMs: readonly number[]
  readonly nodeCpuMs?: number | undefined
  readonly postgresCpuMs?: number | undefined
  readonly generatorCpuMs?: number | undefined
}

export type TargetName = 'service' | 'one statement' | 'lean' | 'pgbench' | 'pgbench, pool'

export interface Target {
  readonly name: TargetName
  run(connections: number, seconds: number): Promise<Slice>
  end(): Promise<void>
}

/** The figures of one target at one number of connections. */
export type Figures = ReturnType<typeof summarise>

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
export function summarise(target: TargetName, slices: readonly Slice[]) {
  const latencies = slices.flatMap(({ latenciesMs }) => latenciesMs)
  const sum = (read: (slice: Slice) => number | undefined) =>
    slices.reduce((total, slice) => total + (read(slice) ?? Number.NaN), 0)
  const known = (total: number) => (Number.isNaN(total) ? undefined : total)
  const requests = sum((slice) => slice.requests)
  const refused = sum((slice) => slice.refused)
  return {
    target,
    requestsPerSecond: median(slices.map((slice) => slice.requests / slice.seconds)),
    /** For pgbench both percentiles are the mean. */
    p50Ms: percentile(latencies, 50),
    p99Ms: percentile(latencies, 99),
    nodeCpuUs: known((sum((slice) => slice.nodeCpuMs) * 1000) / requests),
    postgresCpuUs: known((sum((slice) => slice.postgresCpuMs) * 1000) / requests),
    /** The share of one core that the generator used. */
    generatorShare: known(sum((slice) => slice.generatorCpuMs) / 1000 / sum((slice) => slice.seconds)),
    refusedShare: refused / (requests + refused),
  }
}

/** The median; NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The percentile by the nearest rank; NaN without values. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN
}

/** The difference of two readings; undefined if one is unknown. */
export const difference = (after: number | undefined, before: number | undefined) =>
  after === undefined || before === undefined ? undefined : after - before

/** Runs some work. The shares are the cores that it used, by the CPU times that `read` returns. */
export async function measureShares<Name extends string, Value>(
  read: () => Readonly<Record<Name, number | undefined>>,
  work: () => Promise<Value>,
) {
  const before = read()
  const startedMs = performance.now()
  const value = await work()
  const elapsedMs = performance.now() - startedMs
  const after = read()
  const shareOf = (name: Name) => {
    const cpuMs = difference(after[name], before[name])
    return cpuMs && cpuMs / elapsedMs
  }
  const shares = Object.keys(after).map((name) => [name, shareOf(name as Name)])
  return { value, shares: Object.fromEntries(shares) as Record<Name, number | undefined> }
}

/** Writes three significant digits, or whole numbers from 100. */
export function round(value: number | undefined): string | undefined {
  if (value === undefined || Number.isNaN(value)) return undefined
  if (value >= 100) return Math.round(value).toLocaleString('en-US')
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
