import type { MessageHandler } from './message-source.ts'

/** Wraps a handler; `settled` waits for its running calls. */
export function trackCalls(handle: MessageHandler) {
  const running = new Set<Promise<void>>()
  const handler: MessageHandler = (message) => {
    const call = handle(message)
    running.add(call)
    return call.finally(() => running.delete(call))
  }
  return { handler, settled: () => Promise.allSettled(running) }
}
