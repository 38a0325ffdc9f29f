/** A signal that is aborted after a time or with an outer signal. */
export interface Deadline {
  readonly signal: AbortSignal
  /** True if the time is over. */
  readonly isOver: boolean
  /** Starts the time again, with another length. */
  renew(timeoutMs: number): void
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
  const start = (ms: number) =>
    setTimeout(() => {
      isOver = true
      ending.abort(new DOMException(`not done within ${ms} ms`, 'TimeoutError'))
    }, ms)
  let timer = start(timeoutMs)
  const follow = () => ending.abort(outer?.reason)
  if (outer?.aborted) follow()
  else outer?.addEventListener('abort', follow)
  return {
    signal: ending.signal,
    get isOver() {
      return isOver
    },
    renew(ms) {
      clearTimeout(timer)
      timer = start(ms)
    },
    close() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', follow)
    },
  }
}
