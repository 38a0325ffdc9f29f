import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Ajv, type ValidateFunction } from 'ajv'
import { type AsyncMessage, Connection, ConsumerStatus } from 'rabbitmq-client'
import { expect, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import type { Database } from '../../src/db/database.ts'
import { unprepared } from '../../src/db/statement.ts'
import type { Broker, MessageKind } from '../../src/queue/broker.ts'
import { createLocalBroker, type LocalBroker } from '../../src/queue/local-broker.ts'
import { RabbitMqBroker, type RabbitMqOptions } from '../../src/queue/rabbitmq.ts'
import { Relay, type RelayOptions } from '../../src/queue/relay.ts'
import { emptyOutbox, keepLog, readRows } from '../support/queue.ts'
import { until } from '../support/until.ts'

/** The RabbitMQ server of the tests, if there is one. */
export const amqpUrl = process.env.TEST_AMQP_URL

export const untilEmpty = (db: Database) => until(async () => expect(await readRows(db)).toEqual([]))

export const untilReady = (broker: Broker) => until(() => expect(broker.capacity()).toBeGreaterThan(0))

/** Empties the outbox, and ends all judgings and runs. */
export async function endWork(db: Database): Promise<void> {
  await emptyOutbox(db)
  await db.query(unprepared(`update submissions set status = 'ACCEPTED'`))
  await db.query(unprepared('update runs set finished = true'))
  await db.query(unprepared(`update shadow_judgings set status = 'ACCEPTED'`))
}

/** Starts a relay that stops with the test. */
export function relay(options: Partial<RelayOptions> & Pick<RelayOptions, 'database' | 'broker'>): Relay {
  const started = new Relay({ logger: keepLog(), pollMs: 20, drainMs: 500, ...options })
  onTestFinished(() => started.stop())
  return started
}

/** Opens a local queue without a consumer; it closes with the test. */
export function openLocalBroker(options?: { closeTimeoutMs: number }): LocalBroker {
  const broker = createLocalBroker(options)
  onTestFinished(() => broker.close())
  return broker
}

interface ConsumerOptions {
  readonly requeued?: number
  readonly queueOptions?: object
}

/** Names a queue of RabbitMQ for one test, and deletes it afterwards. */
export function openRabbitQueue() {
  const url = amqpUrl ?? ''
  const name = `test_${randomUUID()}`
  /** A connection besides the broker's. */
  const rabbit = new Connection({ url, acquireTimeout: 5000 })
  rabbit.on('error', () => {})
  onTestFinished(async () => {
    await rabbit.queueDelete(name)
    await rabbit.close()
  })
  const countMessages = async () => (await rabbit.queueDeclare({ queue: name, passive: true })).messageCount
  const startConsumer = async ({ requeued = 0, queueOptions = { durable: true } }: ConsumerOptions) => {
    const messages: AsyncMessage[] = []
    const options = { queue: name, queueOptions, noAck: requeued === 0 }
    const consumer = rabbit.createConsumer(options, (message) => {
      messages.push(message)
      return messages.length <= requeued ? ConsumerStatus.REQUEUE : ConsumerStatus.ACK
    })
    onTestFinished(() => consumer.close())
    await new Promise<void>((resolve, reject) => {
      consumer.on('ready', resolve)
      consumer.on('error', reject)
    })
    return { consumer, messages }
  }
  return {
    ...{ name, rabbit, countMessages },
    /** Connects a broker, which closes with the test. */
    connect: (given?: Partial<RabbitMqOptions>): Broker => {
      const own = { url, queue: name, queueType: 'classic', logger: keepLog() } as const
      const broker = new RabbitMqBroker({ ...own, ...given })
      onTestFinished(() => broker.close())
      return broker
    },
    /**
     * Starts a worker's consumer, which declares the queue durable and without arguments; resolves
     * to the messages that it has received so far. `requeued` deliveries are sent back first.
     */
    consume: async (options: ConsumerOptions = {}) => (await startConsumer(options)).messages,
    /** Consumes until the queue is empty; resolves to the messages. */
    drain: async () => {
      const { consumer, messages } = await startConsumer({ queueOptions: { passive: true } })
      await until(async () => expect(await countMessages()).toBe(0))
      await consumer.close()
      return messages
    },
  }
}

export type RabbitQueue = ReturnType<typeof openRabbitQueue>

/** Consumes a queue until a message for each of these ids has arrived, and deletes it. */
export async function expectArrived(queue: string, ids: readonly string[]): Promise<void> {
  const rabbit = new Connection(amqpUrl)
  const arrived = new Set<string>()
  const options = { queue, noAck: true, queueOptions: { durable: true } }
  const consumer = rabbit.createConsumer(options, ({ body }) => void arrived.add(body.id))
  try {
    await until(() => expect(ids.filter((id) => !arrived.has(id))).toEqual([]))
  } finally {
    await consumer.close()
    await rabbit.queueDelete({ queue })
    await rabbit.close()
  }
}

export const queueDocumentFile = new URL('../../docs/asyncapi.yaml', import.meta.url)

/** Reads `docs/asyncapi.yaml`; returns its checks, which list the violations in a message. */
export async function openQueueContract() {
  const document: ReturnType<typeof parse> = parse(await readFile(queueDocumentFile, 'utf8'))
  const validate = createValidator(document.components.schemas)
  const { messages } = document.components
  const payload = (kind: MessageKind, value: unknown) => validate(messages[kind].payload.$ref, value)
  const headers = (kind: MessageKind, value: unknown) => validate(messages[kind].headers.$ref, value)
  /** Checks the payload, headers and AMQP properties of a delivery. */
  const delivery = (kind: MessageKind, message: AsyncMessage): string[] => {
    const { contentType, bindings } = messages[kind]
    const properties = propertiesOf(message)
    const stated = {
      contentType,
      type: bindings.amqp.messageType,
      deliveryMode: document.operations.sendGradingRequest.bindings.amqp.deliveryMode,
    }
    return [
      ...payload(kind, message.body).map((violation) => `payload${violation}`),
      ...headers(kind, message.headers).map((violation) => `headers${violation}`),
      ...validate(bindings.amqp['x-properties'].$ref, properties).map((one) => `properties${one}`),
      ...Object.entries(stated)
        .filter(([name, value]) => properties[name] !== value)
        .map(([name, value]) => `${name} must be ${value}`),
    ]
  }
  return { document, payload, headers, delivery }
}

/** The sender's properties, without those of the delivery and the library's `deliveryMode`. */
function propertiesOf(message: AsyncMessage): Record<string, unknown> {
  const { body, durable, consumerTag, deliveryTag, exchange, redelivered, routingKey, ...properties } =
    message
  return properties
}

function createValidator(schemas: Record<string, object>) {
  const ajv = new Ajv({ strict: true, allErrors: true })
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
  const validators = new Map<string, ValidateFunction>()
  for (const [name, schema] of Object.entries(schemas))
    validators.set(`#/components/schemas/${name}`, ajv.compile(schema))
  return (reference: string, value: unknown): string[] => {
    const validate = validators.get(reference)
    if (validate === undefined) throw new Error(`${reference} is not in the document`)
    validate(value)
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }
}
