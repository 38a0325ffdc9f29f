import { JudgeApiError, NoResponseError } from '@judge-data-layer/client/errors'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { isRefusal } from './request.ts'

interface PollTimes {
  /** Between rounds. Without it, after a success or a refusal only `refresh` begins a round. */
  readonly intervalMs?: number
  /** How long a round may take. */
  readonly timeoutMs?: number
}

interface PollOptions extends PollTimes {
  /** Sends one round of requests. Throws if it fails. */
  readonly request: (signal: AbortSignal) => Promise<void>
  /** Called after each round, with its error. */
  readonly onRound: (err: unknown) => void
}

/** The first pause after a failure, without an interval. */
const RETRY_MS = 2000
/** The longest pauses after failures, and after a refusal that only people can lift. */
const MOST_PAUSE_MS = 15_000
const REFUSED_PAUSE_MS = 30_000
const MOST_RETRY_AFTER_MS = 120_000

/** Polls: rounds never overlap, and pauses become longer after failures. */
export function startPolling({ request, onRound, intervalMs, timeoutMs }: PollOptions) {
  const ending = new AbortController()
  let wake = () => {}
  let isWanted = false
  let failures = 0
  const pause = (ms: number | undefined) =>
    new Promise<void>((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const run = async () => {
    while (!ending.signal.aborted) {
      isWanted = false
      const err = await failureOf(request, timeoutMs, ending.signal)
      if (ending.signal.aborted) return
      failures = err === undefined ? 0 : failures + 1
      onRound(err)
      const isDone = intervalMs === undefined && (err === undefined || isRefusal(err))
      if (!isWanted) await pause(isDone ? undefined : choosePause(err, failures, intervalMs ?? RETRY_MS))
    }
  }
  void run()
  return {
    /** Starts the next round now, or after the present one. */
    refresh() {
      isWanted = true
      if (intervalMs === undefined) failures = 0
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
  timeoutMs: number | undefined,
  ending: AbortSignal,
): Promise<unknown> {
  const round = new AbortController()
  const end = () => round.abort(new Error('The service does not respond.'))
  const leave = () => round.abort(ending.reason)
  ending.addEventListener('abort', leave)
  const timer = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs)
  try {
    await request(round.signal)
    return undefined
  } catch (err) {
    return err ?? new Error('The request failed.')
  } finally {
    clearTimeout(timer)
    ending.removeEventListener('abort', leave)
  }
}

/** Something that was read from the service. */
export interface Resource<T> {
  /** The last one that was read; undefined before. */
  readonly data: T | undefined
  readonly failure: unknown
  /** When the service last responded, by the local monotonic clock. */
  readonly respondedMs: number
  reload(): void
}

/**
 * Reads something, and again with `reload` or at every interval. `read` gets what it has read
 * before. It must be the same function until it reads something else.
 */
export function useResource<T>(
  read: ((known: T | undefined, signal: AbortSignal) => Promise<T>) | undefined,
  times: PollTimes = {},
): Resource<T> {
  const [state, setState] = useState<Omit<Resource<T>, 'reload'>>(() => ({
    ...{ data: undefined, failure: undefined, respondedMs: performance.now() },
  }))
  const polling = useRef<ReturnType<typeof startPolling>>(undefined)
  useEffect(() => {
    if (read === undefined) return undefined
    let known: T | undefined
    polling.current = startPolling({
      ...times,
      request: async (signal) => {
        known = await read(known, signal)
      },
      onRound: (failure) =>
        setState(({ data, respondedMs }) => {
          const hasResponded = failure === undefined || failure instanceof JudgeApiError
          return {
            data: failure === undefined ? known : data,
            failure,
            respondedMs: hasResponded ? performance.now() : respondedMs,
          }
        }),
    })
    return () => polling.current?.stop()
  }, [read])
  return { ...state, reload: useCallback(() => polling.current?.refresh(), []) }
}
