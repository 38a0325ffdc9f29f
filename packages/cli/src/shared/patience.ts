import { setTimeout as sleep } from 'node:timers/promises'
import { JudgeApiError, NoResponseError } from '@judge-data-layer/client/errors'

const READS_AT_MOST = 5

/** Waits. Rejects with the reason of the signal. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, signal && { signal }).catch(() => {})
  signal?.throwIfAborted()
}

/** Reads again while something is pending, with pauses that grow up to `longestPauseMs`. */
export async function readWhile<Result>(
  isPending: (result: Result) => boolean,
  first: Result,
  readNext: (before: Result) => Promise<Result>,
  longestPauseMs: number,
  signal: AbortSignal,
): Promise<Result> {
  let current = first
  for (let pauseMs = 200; isPending(current); pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    await pause(pauseMs, signal)
    current = await readNext(current)
  }
  return current
}

/** Reads again after failures that may pass, such as a restart of the service or 429. */
export async function readPatiently<Result>(
  read: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read()
    } catch (err) {
      const isTemporary =
        err instanceof NoResponseError || (err instanceof JudgeApiError && [429, 503].includes(err.status))
      if (!isTemporary || attempt === READS_AT_MOST) throw err
      await pause((err.retryAfterSeconds ?? 1) * 1000, signal)
    }
  }
}
