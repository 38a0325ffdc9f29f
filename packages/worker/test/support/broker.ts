import { randomUUID } from 'node:crypto'
import { Connection } from 'rabbitmq-client'

/** The RabbitMQ to test with, and why tests that need one are left out where there is none. */
export const amqpUrl = process.env.TEST_AMQP_URL ?? ''
export const noBroker = amqpUrl ? undefined : 'TEST_AMQP_URL is not set'

/** Connects to the broker, with a name for a queue that nobody else has; closing deletes the queue. */
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
    /** Publishes as D29 has it: a persistent JSON message on the default exchange. */
    publish: (body: unknown) =>
      publisher.send({ routingKey: queue, durable: true, messageId: randomUUID() }, body),
    /** How many messages wait, and how many consumers there are; undefined while the queue is not there. */
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
