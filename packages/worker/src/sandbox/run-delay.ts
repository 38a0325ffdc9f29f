import { readFileSync } from 'node:fs'

/**
 * Adds up for how long threads were ready to run but waited for a CPU, in ms. Threads that have
 * ended count as 0, and so does every thread where the kernel does not count (no
 * CONFIG_SCHED_INFO).
 */
export function sumRunDelayMs(threadIds: readonly (number | string)[]): number {
  return threadIds.reduce<number>((sum, id) => sum + readRunDelayMs(id), 0)
}

function readRunDelayMs(threadId: number | string): number {
  try {
    // Nanoseconds on a CPU, nanoseconds waiting for one, time slices.
    const [, waitedNs] = readFileSync(`/proc/${threadId}/schedstat`, 'utf8').split(' ')
    return Number(waitedNs ?? 0) / 1e6
  } catch {
    return 0
  }
}
