import type { MessageHandler } from './message-source.ts'

/** What the worker judges now. */
export interface WorkInProgress {
  /** Wraps the handler of messages. */
  readonly handler: MessageHandler
  /** The ids of messages that are judged, each with its seconds so far. */
  list(): { id: string; seconds: number }[]
}

/** Tracks the messages that a handler works on. */
export function trackWork(handle: MessageHandler): WorkInProgress {
  const begun = new Map<symbol, { id: string; startedAt: number }>()
  return {
    async handler(message) {
      const key = Symbol(message.id)
      begun.set(key, { id: message.id, startedAt: performance.now() })
      try {
        await handle(message)
      } finally {
        begun.delete(key)
      }
    },
    list: () =>
      [...begun.values()].map(({ id, startedAt }) => ({
        id,
        seconds: (performance.now() - startedAt) / 1000,
      })),
  }
}
