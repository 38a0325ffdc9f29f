import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { AsyncMessage, Connection } from 'rabbitmq-client'

export type Postponer = ReturnType<typeof createPostponer>

/** A message comes back to this worker at most once in this time, unless others work faster. */
const PAUSE_MS = 10_000
const REMEMBERED = 10_000

/**
 * Puts copies of messages for other workers at the end of the queue: RabbitMQ would deliver a
 * rejected message again at once, before all others. The pause is shared by all messages in the
 * queue: a message waits only if it was postponed less than `PAUSE_MS` ago.
 */
export function createPostponer(connection: Connection, queue: string, signal: AbortSignal) {
  const publisher = connection.createPublisher({ confirm: true })
  const postponedAtMs = new LRUCache<string, number>({ max: REMEMBERED })
  return {
    /** Resolves when RabbitMQ has the copy: acknowledge the message. Rejects if it has none. */
    async postpone(delivery: AsyncMessage, id: string) {
      const againAtMs = (postponedAtMs.get(id) ?? Number.NEGATIVE_INFINITY) + PAUSE_MS
      await sleep(Math.max(0, againAtMs - performance.now()), undefined, { signal })
      const { body, consumerTag: _, deliveryTag: __, exchange: ___, userId: ____, ...fields } = delivery
      await publisher.send({ ...fields, routingKey: queue }, body)
      postponedAtMs.set(id, performance.now())
    },
    close: () => publisher.close(),
  }
}
