import { readFileSync } from 'node:fs'
import { tryOr } from '../shared/try-or.ts'

/** How long threads waited for a CPU; 0 for ended threads and without CONFIG_SCHED_INFO. */
export function sumRunDelayMs(threadIds: readonly (number | string)[]): number {
  return threadIds.reduce<number>((sum, id) => sum + readRunDelayMs(id), 0)
}

function readRunDelayMs(threadId: number | string): number {
  // Nanoseconds on a CPU, nanoseconds of waiting, time slices.
  const [, waitedNs = 0] = tryOr(() => readFileSync(`/proc/${threadId}/schedstat`, 'utf8'), '').split(' ')
  return Number(waitedNs) / 1e6
}
