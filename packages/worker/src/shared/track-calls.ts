/** Wraps a handler; `settled` waits for its running calls. */
export function trackCalls<Values extends readonly unknown[]>(handle: (...values: Values) => Promise<void>) {
  const running = new Set<Promise<void>>()
  const handler = (...values: Values): Promise<void> => {
    const call = handle(...values)
    running.add(call)
    return call.finally(() => running.delete(call))
  }
  return { handler, settled: () => Promise.allSettled(running) }
}
