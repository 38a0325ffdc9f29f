/** A signal that is aborted after a time or with an outer signal. */
export interface Deadline {
  readonly signal: AbortSignal
  /** True if the time is over. */
  readonly isOver: boolean
  /** Stops the timer. */
  close(): void
}

/**
 * Starts a deadline. `AbortSignal.any` with `AbortSignal.timeout` is no replacement: Node 20 may
 * collect it as garbage during a request, which then never ends.
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
