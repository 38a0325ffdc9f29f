/** Wraps a handler; `settled` waits for its running calls. */
export function trackCalls<Values extends readonly unknown[]>(handle: (...values: Values) => Promise<void>) {
  const running = new Set<Promise<void>>()
  const handler = (...values: Values): Promise<void> => {
    const call = handle(...values).finally(() => running.delete(call))
    running.add(call)
    return call
  }
  return { handler, settled: () => Promise.allSettled(running) }
}
