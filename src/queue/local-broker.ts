import { settlesWithin } from '../background/waiting.ts'
import { type Broker, type GradingMessage, ReturnedError } from './broker.ts'

/** Judges a submission or run; resolving acknowledges the message, throwing requeues it. */
type MessageHandler = (message: GradingMessage) => Promise<void>

export interface LocalBroker extends Broker {
  /**
   * Hands messages to `handler`, at most `concurrency` at a time. `stop` hands over no more, and
   * waits for the running handlers.
   */
  consume(concurrency: number, handler: MessageHandler): Promise<{ stop(): Promise<void> }>
}

/**
 * The queue without RabbitMQ (P27): messages wait in the outbox until a consumer is free. Closing
 * it waits at most `closeTimeoutMs` (default 4000) for handlers.
 */
export function createLocalBroker({ closeTimeoutMs = 4000 } = {}): LocalBroker {
  const consumers = new Set<Consumer>()
  const listeners: (() => void)[] = []
  const notify = () => {
    for (const listener of listeners) listener()
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
      return {
        async stop() {
          await consumer.stop()
          consumers.delete(consumer)
        },
      }
    },
    async close() {
      await Promise.all([...consumers].map((consumer) => consumer.close(closeTimeoutMs)))
      consumers.clear()
    },
  }
}

class Consumer {
  readonly #concurrency: number
  readonly #handler: MessageHandler
  /** The running calls, each with its way to reject. */
  readonly #running = new Map<Promise<void>, (reason: Error) => void>()
  #isStopping = false

  constructor(concurrency: number, handler: MessageHandler) {
    this.#concurrency = concurrency
    this.#handler = handler
  }

  free(): number {
    return this.#isStopping ? 0 : this.#concurrency - this.#running.size
  }

  /** Rejects with `ReturnedError`. */
  handle(message: GradingMessage): Promise<void> {
    let giveUp: (reason: Error) => void = () => {}
    const call = new Promise<void>((resolve, reject) => {
      giveUp = (cause) => reject(new ReturnedError(cause))
      // Async: a handler that throws before its first await makes the promise reject too.
      const handled = (async () => this.#handler(message))()
      handled.then(resolve, giveUp)
    })
    this.#running.set(call, giveUp)
    return call.finally(() => this.#running.delete(call))
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.allSettled(this.#running.keys())
  }

  async close(timeoutMs: number): Promise<void> {
    if (await settlesWithin(this.stop(), timeoutMs)) return
    for (const giveUp of this.#running.values())
      giveUp(new Error('the service was stopped before the worker had finished'))
  }
}
