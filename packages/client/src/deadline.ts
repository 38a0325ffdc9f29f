/** A signal that is aborted after a time, or with the signal it goes with. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Whether the time is what ended it. */
  readonly isOver: boolean
  /** Stops its clock. */
  close(): void
}

/**
 * Starts the clock of a deadline. `AbortSignal.any` with an `AbortSignal.timeout` does not do: Node 20 collects that as garbage while
 * a request still waits for it, and the request is never ended.
 */
export function startDeadline(timeoutMs: number, outer?: AbortSignal): Deadline {
  const ending = new AbortController()
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    ending.abort(new DOMException(`not done within ${timeoutMs} ms`, 'TimeoutError'))
  }, timeoutMs)
  const follow = () => ending.abort(outer?.reason)
  if (outer?.aborted) follow()
  else outer?.addEventListener('abort', follow)
  return {
    signal: ending.signal,
    get isOver() {
      return isOver
    },
    close() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', follow)
    },
  }
}
