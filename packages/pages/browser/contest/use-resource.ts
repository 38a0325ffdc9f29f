import { JudgeApiError } from '@judge-data-layer/client/errors'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { choosePause } from '../shared/poll.ts'
import { isRefusal } from '../shared/request.ts'

/** Something that was read from the service. */
export interface Resource<T> {
  /** The last one that was read; undefined before. */
  readonly data: T | undefined
  readonly failure: unknown
  /** When the service last responded, by the local monotonic clock. */
  readonly respondedMs: number
  reload(): void
}

const RETRY_MS = 2000

/**
 * Reads something, and again with `reload`. Failures that may pass are retried; a refusal is not.
 * `read` must be the same function until it reads something else.
 */
export function useResource<T>(read: (() => Promise<T>) | undefined): Resource<T> {
  const [state, setState] = useState<Omit<Resource<T>, 'reload'>>(() => ({
    ...{ data: undefined, failure: undefined, respondedMs: performance.now() },
  }))
  const start = useRef(() => {})
  useEffect(() => {
    let isOver = false
    let isRunning = false
    let isWanted = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const run = async (failures: number): Promise<void> => {
      if (read === undefined || isOver) return
      clearTimeout(timer)
      isRunning = true
      isWanted = false
      const outcome = await read().then(
        (data) => ({ data, failure: undefined, respondedMs: performance.now() }),
        (failure: unknown) =>
          failure instanceof JudgeApiError ? { failure, respondedMs: performance.now() } : { failure },
      )
      isRunning = false
      if (isOver) return
      setState((before) => ({ ...before, ...outcome }))
      if (isWanted) return run(0)
      if (outcome.failure !== undefined && !isRefusal(outcome.failure))
        timer = setTimeout(() => void run(failures + 1), choosePause(outcome.failure, failures + 1, RETRY_MS))
      return undefined
    }
    start.current = () => {
      // A change during the request may be missing in its response.
      if (isRunning) isWanted = true
      else void run(0)
    }
    start.current()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [read])
  return { ...state, reload: useCallback(() => start.current(), []) }
}
