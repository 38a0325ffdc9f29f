import { randomUUID } from 'node:crypto'
import { Connection } from 'rabbitmq-client'

/** The URL of RabbitMQ, and the reason to leave out its tests. */
export const amqpUrl = process.env.TEST_AMQP_URL ?? ''
export const noBroker = amqpUrl ? undefined : 'TEST_AMQP_URL is not set'

/** Connects to RabbitMQ and chooses a new queue name; `close` deletes the queue. */
export async function openTestQueue() {
  const connection = new Connection({ url: amqpUrl, retryLow: 50 })
  connection.on('error', () => {})
  await connection.onConnect(10_000)
  const queue = `test-worker-${randomUUID()}`
  const publisher = connection.createPublisher({ confirm: true })
  return {
    queue,
    connection,
    declare: (queueArguments: Record<string, unknown> = {}) =>
      connection.queueDeclare({ queue, durable: true, arguments: queueArguments }),
    /** Publishes a persistent JSON message on the default exchange (D29). */
    publish: (body: unknown) =>
      publisher.send({ routingKey: queue, durable: true, messageId: randomUUID() }, body),
    /** The numbers of messages and consumers; undefined without the queue. */
    async count() {
      return connection.queueDeclare({ queue, passive: true }).catch(() => undefined)
    },
    async close() {
      await publisher.close()
      await connection.queueDelete({ queue })
      await connection.close()
    },
  }
}

export type TestQueue = Awaited<ReturnType<typeof openTestQueue>>
