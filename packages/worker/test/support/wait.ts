import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until `condition` returns a true value, at most five minutes by default. */
export async function waitFor<T>(
  what: string,
  condition: () => T | Promise<T>,
  longestMs = 300_000,
): Promise<T> {
  const deadline = Date.now() + longestMs
  for (;;) {
    const value = await condition()
    if (value) return value
    if (Date.now() > deadline) throw new Error(`timed out waiting for ${what}`)
    await sleep(20)
  }
}
