import type { Message, MessageHandler } from './message-source.ts'

/** Wraps the handler of messages, and lists those that it works on. */
export function trackWork(handle: MessageHandler) {
  const begun = new Map<symbol, { id: string; startedAt: number }>()
  return {
    async handler(message: Message) {
      const key = Symbol(message.id)
      begun.set(key, { id: message.id, startedAt: performance.now() })
      try {
        await handle(message)
      } finally {
        begun.delete(key)
      }
    },
    /** The ids of messages that are judged, each with its seconds so far. */
    list: () =>
      [...begun.values()].map(({ id, startedAt }) => ({
        id,
        seconds: (performance.now() - startedAt) / 1000,
      })),
  }
}
