import type { Message, MessageHandler, MessageSource } from '../../src/message-source.ts'

/** A source in this process. Rejected messages go back to its end. */
export function createListSource() {
  const waiting: Message[] = []
  const running = new Set<Promise<void>>()
  const returned: { message: Message; reason: string }[] = []
  let consumer: { concurrency: number; handler: MessageHandler } | undefined
  let mostAtOnce = 0

  const deliver = () => {
    while (consumer && running.size < consumer.concurrency) {
      const message = waiting.shift()
      if (!message) return
      const call = consumer
        .handler(message)
        .catch((err: unknown) => {
          returned.push({ message, reason: String(err) })
          waiting.push(message)
        })
        .finally(() => {
          running.delete(call)
          setImmediate(deliver)
        })
      running.add(call)
      mostAtOnce = Math.max(mostAtOnce, running.size)
    }
  }
  const source: MessageSource = {
    async consume(concurrency, handler) {
      consumer = { concurrency, handler }
      deliver()
      return {
        async stop() {
          consumer = undefined
          await Promise.all(running)
        },
      }
    },
  }
  return {
    source,
    returned,
    get mostAtOnce() {
      return mostAtOnce
    },
    get isIdle() {
      return waiting.length === 0 && running.size === 0
    },
    put(...messages: Message[]) {
      waiting.push(...messages)
      deliver()
    },
  }
}
