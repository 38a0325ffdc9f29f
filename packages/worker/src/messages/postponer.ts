import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { AsyncMessage, Connection } from 'rabbitmq-client'

/** Puts messages for other workers at the end of the queue. */
export interface Postponer {
  /** Resolves when RabbitMQ has the copy: acknowledge the message. Rejects if it has none. */
  postpone(delivery: AsyncMessage, id: string): Promise<void>
  close(): Promise<void>
}

/** A message comes back to this worker at most once in this time, unless others work faster. */
const PAUSE_MS = 10_000
const REMEMBERED = 10_000

/**
 * RabbitMQ would deliver a rejected message again at once, before all others. A copy at the end of
 * the queue lets the other messages pass. The pause is shared by all messages in the queue: a
 * message waits only if it was postponed less than `PAUSE_MS` ago.
 */
export function createPostponer(connection: Connection, queue: string, signal: AbortSignal): Postponer {
  const publisher = connection.createPublisher({ confirm: true })
  const postponedAtMs = new LRUCache<string, number>({ max: REMEMBERED })
  return {
    async postpone(delivery, id) {
      const againAtMs = (postponedAtMs.get(id) ?? Number.NEGATIVE_INFINITY) + PAUSE_MS
      await sleep(Math.max(0, againAtMs - performance.now()), undefined, { signal })
      const { body, consumerTag: _, deliveryTag: __, exchange: ___, userId: ____, ...fields } = delivery
      await publisher.send({ ...fields, routingKey: queue }, body)
      postponedAtMs.set(id, performance.now())
    },
    close: () => publisher.close(),
  }
}
