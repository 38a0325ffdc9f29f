import { setTimeout as sleep } from 'node:timers/promises'

/** The end of a scenario, which has no result if it has thrown or taken too long. */
export interface Observed<Result> {
  readonly name: string
  readonly result?: Result
  readonly isLate?: boolean
}

/** Runs a scenario, and prints whether it passed. Parts of a late one may still run. */
export async function observe<Result extends { readonly failures: readonly string[] }>(
  name: string,
  boundMs: number,
  start: () => Promise<Result>,
): Promise<Observed<Result>> {
  const startedAtMs = performance.now()
  const seconds = () => Math.round((performance.now() - startedAtMs) / 1000)
  try {
    const result = await Promise.race([start(), sleep(boundMs, undefined, { ref: false })])
    if (result === undefined) {
      console.error(`ERROR ${name}: did not end within ${boundMs / 1000} s`)
      return { name, isLate: true }
    }
    const verdict = result.failures.length === 0 ? 'passed' : 'FAILED'
    console.log([`${verdict} ${name} (${seconds()} s)`, ...result.failures].join('\n  '))
    return { name, result }
  } catch (err) {
    console.error(`ERROR ${name}:`, err)
    return { name }
  }
}
