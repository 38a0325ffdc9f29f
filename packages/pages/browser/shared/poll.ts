import { JudgeApiError, NoResponseError } from '@judge-data-layer/client/errors'
import { isRefusal } from './request.ts'

export interface PollOptions {
  /** Sends one round of requests. Throws if it fails. */
  readonly request: (signal: AbortSignal) => Promise<void>
  /** Called after each round, with its error. */
  readonly onRound: (err: unknown) => void
  readonly intervalMs: number
  /** How long a round may take. */
  readonly timeoutMs: number
}

export interface Polling {
  /** Starts the next round now, or after the present one. */
  refresh(): void
  stop(): void
}

/** The longest pauses after failures, and after a refusal that only people can lift. */
const MOST_PAUSE_MS = 15_000
const REFUSED_PAUSE_MS = 30_000
const MOST_RETRY_AFTER_MS = 120_000

/** Polls: rounds never overlap, and pauses become longer after failures. */
export function startPolling({ request, onRound, intervalMs, timeoutMs }: PollOptions): Polling {
  const ending = new AbortController()
  let wake = () => {}
  let isWanted = false
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const run = async () => {
    for (let failures = 0; !ending.signal.aborted; ) {
      isWanted = false
      const err = await failureOf(request, timeoutMs, ending.signal)
      if (ending.signal.aborted) return
      failures = err === undefined ? 0 : failures + 1
      onRound(err)
      if (!isWanted) await pause(choosePause(err, failures, intervalMs))
    }
  }
  void run()
  return {
    refresh() {
      isWanted = true
      wake()
    },
    stop() {
      ending.abort()
      wake()
    },
  }
}

/** How long to wait for the next round, in milliseconds. */
export function choosePause(err: unknown, failures: number, intervalMs: number): number {
  if (err === undefined) return intervalMs
  const isKnown = err instanceof JudgeApiError || err instanceof NoResponseError
  const retryAfterMs = isKnown ? (err.retryAfterSeconds ?? 0) * 1000 : 0
  const pauseMs = isRefusal(err) ? REFUSED_PAUSE_MS : Math.min(intervalMs * 1.5 ** failures, MOST_PAUSE_MS)
  return Math.max(pauseMs, Math.min(retryAfterMs, MOST_RETRY_AFTER_MS))
}

async function failureOf(
  request: PollOptions['request'],
  timeoutMs: number,
  ending: AbortSignal,
): Promise<unknown> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(new Error('The service does not respond.')), timeoutMs)
  try {
    await request(AbortSignal.any([deadline.signal, ending]))
    return undefined
  } catch (err) {
    return err ?? new Error('The request failed.')
  } finally {
    clearTimeout(timer)
  }
}
