import { vi } from 'vitest'
import { WAIT_LIMIT_MS } from '../../../../test/support/limits.ts'

/** Waits until `condition` returns a true value; resolves to it. */
export const waitFor = <T>(what: string, condition: () => T | Promise<T>) =>
  vi.waitUntil(condition, { timeout: WAIT_LIMIT_MS, interval: 20 }).catch((err: unknown) => {
    throw new Error(`waiting for ${what} has failed`, { cause: err })
  })
