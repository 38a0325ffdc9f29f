import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for a scenario. Throws if it takes longer; parts of it may still run then. */
export async function runInTime<T>(start: () => Promise<T>, boundMs: number): Promise<T> {
  const ending = new AbortController()
  const timeout = sleep(boundMs, undefined, { signal: ending.signal }).then(() => {
    throw new Error(`did not end within ${boundMs / 1000} s`)
  })
  try {
    return await Promise.race([start(), timeout])
  } finally {
    ending.abort()
  }
}
