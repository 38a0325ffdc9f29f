import { setTimeout as sleep } from 'node:timers/promises'

/** A scenario took too long. Parts of it may still run. */
export class LateError extends Error {
  override readonly name = 'LateError'
}

/** Waits for a scenario. Throws a `LateError` if it takes longer. */
export async function runInTime<T>(start: () => Promise<T>, boundMs: number): Promise<T> {
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
