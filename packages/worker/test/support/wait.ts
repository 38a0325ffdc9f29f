import { setTimeout as sleep } from 'node:timers/promises'
import { WAIT_LIMIT_MS } from '../../../../test/support/limits.ts'

/** Waits until `condition` returns a true value. */
export async function waitFor<T>(what: string, condition: () => T | Promise<T>): Promise<T> {
  const deadline = Date.now() + WAIT_LIMIT_MS
  for (;;) {
    const value = await condition()
    if (value) return value
    if (Date.now() > deadline) throw new Error(`timed out waiting for ${what}`)
    await sleep(20)
  }
}
