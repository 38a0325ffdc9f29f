import { vi } from 'vitest'

/** Only ends tests that hang. */
const LONGEST_MS = 300_000

/** Calls `check` again until it does not throw; resolves to its result. */
export const until = <T>(check: () => T | Promise<T>, interval = 10): Promise<T> =>
  vi.waitFor(check, { timeout: LONGEST_MS, interval })
