import { readFileSync } from 'node:fs'

/** How long threads waited for a CPU; 0 for ended threads and without CONFIG_SCHED_INFO. */
export function sumRunDelayMs(threadIds: readonly (number | string)[]): number {
  return threadIds.reduce<number>((sum, id) => sum + readRunDelayMs(id), 0)
}

function readRunDelayMs(threadId: number | string): number {
  try {
    // Nanoseconds on a CPU, nanoseconds of waiting, time slices.
    const [, waitedNs] = readFileSync(`/proc/${threadId}/schedstat`, 'utf8').split(' ')
    return Number(waitedNs ?? 0) / 1e6
  } catch {
    return 0
  }
}
