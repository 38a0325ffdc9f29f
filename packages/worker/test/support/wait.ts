import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until `condition` answers something true, at most 20 seconds unless told otherwise. */
export async function waitFor<T>(
  what: string,
  condition: () => T | Promise<T>,
  longestMs = 20_000,
): Promise<T> {
  const deadline = Date.now() + longestMs
  for (;;) {
    const value = await condition()
    if (value) return value
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`)
    await sleep(20)
  }
}
