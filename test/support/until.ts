import { setImmediate as nextTurn } from 'node:timers/promises'
import { vi } from 'vitest'
import { WAIT_LIMIT_MS } from './limits.ts'

/** Calls `check` again until it does not throw; resolves to its result. */
export const until = <T>(check: () => T | Promise<T>, interval = 10): Promise<T> =>
  vi.waitFor(check, { timeout: WAIT_LIMIT_MS, interval })

/** Waits for a condition while a fake clock stands still: `until` and `expect.poll` move it on. */
export async function untilWithoutTime(check: () => boolean): Promise<void> {
  while (!check()) await nextTurn()
}
