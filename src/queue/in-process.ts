import type { Broker, GradingMessage, QueuedMessage } from './broker.ts'
import { settlesWithin } from './waiting.ts'

/** Judges what a message names; resolving acknowledges it, throwing gives it back to the queue. */
export type MessageHandler = (message: GradingMessage) => Promise<void>

export interface Consumption {
  /** Takes no more messages and waits, for a bounded time, for those being handled; the rest goes back to the queue. */
  stop(): Promise<void>
}

export interface InProcessBroker extends Broker {
  /** Hands messages to `handler`, at most `concurrency` at a time. */
  consume(concurrency: number, handler: MessageHandler): Promise<Consumption>
}

/**
 * The queue inside the process (D30): messages wait in the outbox until a consumer in the same process has a place
 * free. Stopping a consumer waits at most `stopTimeoutMs` (default 4000) for its handlers.
 */
export function createInProcessBroker(options: { readonly stopTimeoutMs?: number } = {}): InProcessBroker {
  const consumers = new Set<Consumer>()
  const listeners: (() => void)[] = []
  const notify = () => {
    for (const listener of listeners) listener()
  }
  return {
    capacity: () => [...consumers].reduce((free, consumer) => free + consumer.free(), 0),
    async publish(message) {
      const consumer = [...consumers].find((candidate) => candidate.free() > 0)
      if (consumer === undefined) throw new Error('no worker in this process has a place free')
      await consumer.handle(message).finally(notify)
    },
    // A message stays in the outbox until its consumer has finished with it.
    isEmpty: async () => true,
    onReady: (listener) => void listeners.push(listener),
    async consume(concurrency, handler) {
      const consumer = new Consumer(concurrency, handler)
      consumers.add(consumer)
      notify()
      return {
        stop: () => {
          consumers.delete(consumer)
          return consumer.finish(options.stopTimeoutMs ?? 4000)
        },
      }
    },
    async close() {
      const finishing = [...consumers].map((consumer) => consumer.finish(options.stopTimeoutMs ?? 4000))
      consumers.clear()
      await Promise.all(finishing)
    },
  }
}

class Consumer {
  readonly #concurrency: number
  readonly #handler: MessageHandler
  /** What rejects each hand-over under way. */
  readonly #running = new Set<(reason: Error) => void>()
  #whenIdle: (() => void) | undefined
  #finishing: Promise<void> | undefined

  constructor(concurrency: number, handler: MessageHandler) {
    this.#concurrency = concurrency
    this.#handler = handler
  }

  free(): number {
    return this.#concurrency - this.#running.size
  }

  async handle(message: QueuedMessage): Promise<void> {
    const { promise: givenUp, reject } = rejectable()
    this.#running.add(reject)
    try {
      await Promise.race([this.#run(message.body), givenUp])
    } finally {
      this.#running.delete(reject)
      if (this.#running.size === 0) this.#whenIdle?.()
    }
  }

  finish(timeoutMs: number): Promise<void> {
    this.#finishing ??= this.#waitOrGiveUp(timeoutMs)
    return this.#finishing
  }

  async #waitOrGiveUp(timeoutMs: number): Promise<void> {
    if (this.#running.size === 0) return
    const idle = new Promise<void>((resolve) => {
      this.#whenIdle = resolve
    })
    if (await settlesWithin(idle, timeoutMs)) return
    for (const giveUp of this.#running) giveUp(new Error('the worker was stopped before it had finished'))
  }

  /** An async function, so that a handler that throws before its first await rejects too. */
  async #run(message: GradingMessage): Promise<void> {
    await this.#handler(message)
  }
}

function rejectable(): { promise: Promise<never>; reject: (reason: Error) => void } {
  let reject: (reason: Error) => void = () => {}
  const promise = new Promise<never>((_, refuse) => {
    reject = refuse
  })
  return { promise, reject }
}
