import type { Broker, GradingMessage } from './broker.ts'
import { settlesWithin } from './waiting.ts'

/** Judges a submission or run; resolving acknowledges the message, throwing requeues it. */
export type MessageHandler = (message: GradingMessage) => Promise<void>

export interface LocalBroker extends Broker {
  /**
   * Hands messages to `handler`, at most `concurrency` at a time. `stop` waits a bounded time for
   * running handlers, then requeues the rest.
   */
  consume(concurrency: number, handler: MessageHandler): Promise<{ stop(): Promise<void> }>
}

/**
 * The queue without RabbitMQ (P27): messages wait in the outbox until a consumer is free. Stopping a consumer waits at most `stopTimeoutMs` (default 4000) for its handlers.
 */
export function createLocalBroker({ stopTimeoutMs = 4000 } = {}): LocalBroker {
  const consumers = new Set<Consumer>()
  const listeners: (() => void)[] = []
  const notify = () => {
    for (const listener of listeners) listener()
  }
  const stop = (consumer: Consumer) => {
    consumers.delete(consumer)
    return consumer.finish(stopTimeoutMs)
  }
  return {
    capacity: () => [...consumers].reduce((free, consumer) => free + consumer.free(), 0),
    async publish(message) {
      const consumer = [...consumers].find((candidate) => candidate.free() > 0)
      if (consumer === undefined) throw new Error('no worker is free')
      await consumer.handle(message.body).finally(notify)
    },
    // A message stays in the outbox until its handler has finished.
    isEmpty: async () => true,
    onReady: (listener) => void listeners.push(listener),
    async consume(concurrency, handler) {
      const consumer = new Consumer(concurrency, handler)
      consumers.add(consumer)
      notify()
      return { stop: () => stop(consumer) }
    },
    close: async () => void (await Promise.all([...consumers].map(stop))),
  }
}

class Consumer {
  readonly #concurrency: number
  readonly #handler: MessageHandler
  /** The running calls, each with its way to reject. */
  readonly #running = new Map<Promise<void>, (reason: Error) => void>()

  constructor(concurrency: number, handler: MessageHandler) {
    this.#concurrency = concurrency
    this.#handler = handler
  }

  free(): number {
    return this.#concurrency - this.#running.size
  }

  handle(message: GradingMessage): Promise<void> {
    let giveUp: (reason: Error) => void = () => {}
    const call = new Promise<void>((resolve, reject) => {
      giveUp = reject
      // If the handler throws before its first await, the promise rejects too.
      this.#handler(message).then(resolve, reject)
    })
    this.#running.set(call, giveUp)
    return call.finally(() => this.#running.delete(call))
  }

  async finish(timeoutMs: number): Promise<void> {
    if (await settlesWithin(Promise.allSettled(this.#running.keys()), timeoutMs)) return
    for (const giveUp of this.#running.values())
      giveUp(new Error('the worker was stopped before it had finished'))
  }
}
