import { setTimeout as sleep } from 'node:timers/promises'

/** A scenario took too long. Parts of it may still run. */
class LateError extends Error {}

/** The end of a scenario, which has no result if it has thrown or taken too long. */
export interface Observed<Result> {
  readonly name: string
  readonly seconds: number
  readonly result?: Result
  readonly isLate?: boolean
}

/** Runs a scenario, and prints whether it passed. */
export async function observe<Result extends { readonly failures: readonly string[] }>(
  name: string,
  boundMs: number,
  start: () => Promise<Result>,
): Promise<Observed<Result>> {
  const startedAtMs = performance.now()
  const seconds = () => Math.round((performance.now() - startedAtMs) / 1000)
  try {
    const result = await runInTime(start, boundMs)
    const verdict = result.failures.length === 0 ? 'passed' : 'FAILED'
    console.log([`${verdict} ${name} (${seconds()} s)`, ...result.failures].join('\n  '))
    return { name, seconds: seconds(), result }
  } catch (err) {
    console.error(`ERROR ${name}:`, err)
    return { name, seconds: seconds(), isLate: err instanceof LateError }
  }
}

/** Waits for a scenario. Throws a `LateError` if it takes longer. */
async function runInTime<T>(start: () => Promise<T>, boundMs: number): Promise<T> {
  const ending = new AbortController()
  const running = start()
  const timeout = sleep(boundMs, undefined, { signal: ending.signal }).then(() => {
    throw new LateError(`did not end within ${boundMs / 1000} s`)
  })
  try {
    return await Promise.race([running, timeout])
  } finally {
    ending.abort()
  }
}
