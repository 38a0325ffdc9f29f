import type { AsyncMessage } from 'rabbitmq-client'
import { beforeEach, describe, expect, test } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { claimMessages, endClaims } from '../../src/queue/outbox.ts'
import { openTestDatabase } from '../support/database.ts'
import { expectSince } from '../support/moments.ts'
import { onRabbitMq } from '../support/needs.ts'
import { emptyOutbox, keepLog, queueRows, readRows } from '../support/queue.ts'
import { startProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'
import {
  amqpUrl,
  openQueueContract,
  openRabbitQueue,
  type RabbitQueue,
  relay,
  untilEmpty,
  untilReady,
} from './harness.ts'

const { database: db } = await openTestDatabase()
const contract = await openQueueContract()

describe('RabbitMQ (TEST_AMQP_URL)', onRabbitMq, () => {
  let queue: RabbitQueue
  beforeEach(async () => {
    await emptyOutbox(db)
    queue = openRabbitQueue()
  })

  const openProxy = () => startProxy(amqpUrl ?? '')
  const untilReceived = (messages: AsyncMessage[], count: number) =>
    until(() => expect(messages.length).toBeGreaterThanOrEqual(count))
  const idsOf = (messages: AsyncMessage[]) => messages.map((message) => message.body.id)

  async function expectQueued(ids: readonly string[]): Promise<void> {
    const messages = await queue.consume()
    await untilReceived(messages, ids.length)
    expect(idsOf(messages).sort()).toEqual(ids.toSorted())
  }

  describe('a message', () => {
    test.each(['submission', 'input'] as const)(
      'of type %s is persistent, on the default exchange, as docs/asyncapi.yaml describes it (D29)',
      async (kind) => {
        const messages = await queue.consume()
        const queuedAt = Date.now()
        const [id] = await queueRows(db, 1, kind)
        const [row] = await readRows(db)
        relay({ database: db, broker: queue.connect() })
        await untilReceived(messages, 1)
        const enqueued_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
        expect(messages).toMatchObject([
          {
            ...{ exchange: '', routingKey: queue.name, durable: true, contentType: 'application/json' },
            ...{ type: kind, messageId: row?.id, body: { type: kind, id } },
            headers: { judging: 1, attempt: 1, enqueued_at },
          },
        ])
        expect(messages.flatMap((message) => contract.delivery(kind, message))).toEqual([])
        const enqueuedAt = messages[0]?.headers?.enqueued_at
        expect(messages[0]?.timestamp).toBe(Math.floor(Date.parse(enqueuedAt) / 1000))
        expectSince(queuedAt, enqueuedAt)
      },
    )

    test('has exactly the bytes {"type":…,"id":…} [Event: queue message]', async () => {
      const { proxy, url } = await openProxy()
      relay({ database: db, broker: queue.connect({ url }) })
      const [id] = await queueRows(db, 1)
      await untilEmpty(db)
      const body = Buffer.from(`{"type":"submission","id":"${id}"}`)
      const size = Buffer.alloc(4)
      size.writeUInt32BE(body.length)
      // A frame: length, payload, end octet.
      const frame = Buffer.concat([size, body, Buffer.from([0xce])])
      expect(proxy.sent().includes(frame)).toBe(true)
    })

    test('has the number of the judging, however often the relay claimed it', async () => {
      await queueRows(db, 1)
      await db.query(unprepared('update outbox set attempt = 2'))
      await endClaims(db, await claimMessages(db, 1, 60_000), () => 0)
      relay({ database: db, broker: queue.connect() })
      const messages = await queue.consume()
      await untilReceived(messages, 1)
      expect(messages[0]?.headers).toMatchObject({ judging: 2, attempt: 2 })
      expect(messages.flatMap((message) => contract.delivery('submission', message))).toEqual([])
    })
  })

  describe('the queue', () => {
    // RabbitMQ refuses a different declaration.
    test('has the documented properties by default: durable, without arguments', async () => {
      await untilReady(queue.connect())
      const { name, ...properties } = contract.document.channels.gradingQueue.bindings.amqp.queue
      await queue.rabbit.queueDeclare({ queue: queue.name, ...properties })
      await queue.rabbit.queueDeclare({ queue: queue.name, durable: true })
      const channel = await queue.rabbit.acquire()
      await expect(channel.queueDeclare({ queue: queue.name, durable: false })).rejects.toThrow('durable')
    })

    test('is a quorum queue if configured; a second delivery is as documented too', async () => {
      relay({ database: db, broker: queue.connect({ queueType: 'quorum' }) })
      await queueRows(db, 1, 'input')
      await untilEmpty(db)
      const quorum = { durable: true, arguments: { 'x-queue-type': 'quorum' as const } }
      await queue.rabbit.queueDeclare({ queue: queue.name, ...quorum })
      const messages = await queue.consume({ requeued: 1, queueOptions: { passive: true } })
      await untilReceived(messages, 2)
      expect(messages.map(({ headers }) => headers?.['x-delivery-count'])).toEqual([undefined, 1])
      expect(messages.flatMap((message) => contract.delivery('input', message))).toEqual([])
    })

    test('is declared again after its deletion, and no message is lost', async () => {
      const broker = queue.connect()
      const started = relay({ database: db, broker })
      await untilReady(broker)
      await queue.rabbit.queueDelete(queue.name)
      const ids = await queueRows(db, 20)
      started.wake()
      await untilEmpty(db)
      await expectQueued(ids)
    })

    test('with other properties is logged once; messages wait until it is replaced', async () => {
      await queue.rabbit.queueDeclare({ queue: queue.name, durable: true, arguments: { 'x-max-length': 7 } })
      const logger = keepLog()
      const { proxy, url } = await openProxy()
      const broker = queue.connect({ url, logger })
      relay({ database: db, broker })
      const ids = await queueRows(db, 2)
      const declarations = () => proxy.sent().toString('latin1').split(queue.name).length - 1
      await until(() => expect(declarations()).toBeGreaterThanOrEqual(3))
      expect(logger.lines).toEqual([
        { level: 'error', message: expect.stringContaining(`"${queue.name}" exists with other`) },
      ])
      expect(broker.capacity()).toBe(0)
      expect(proxy.connectionCount).toBe(1)
      await queue.rabbit.queueDelete(queue.name)
      await untilEmpty(db)
      expect(logger.lines.map((line) => line.level)).toEqual(['error', 'info'])
      await expectQueued(ids)
    })
  })

  test('an outage during a stream of messages loses none', async () => {
    const { proxy, url } = await openProxy()
    const messages = await queue.consume()
    const ids = await queueRows(db, 1000)
    relay({ database: db, broker: queue.connect({ url, maxInFlight: 50 }) })
    await until(() => expect(messages.length).toBeGreaterThan(200), 1)
    expect(messages.length).toBeLessThan(1000)
    proxy.cut()
    proxy.restore()
    await untilEmpty(db)
    await until(() => expect(new Set(idsOf(messages)).size).toBe(1000))
    expect([...new Set(idsOf(messages))].sort()).toEqual(ids.sort())
    // Only messages whose confirm was lost may arrive twice.
    expect(messages.length).toBeLessThanOrEqual(1050)
  })

  test('with several hosts, another one gets the messages when one is lost', async () => {
    const proxies = await Promise.all([openProxy(), openProxy()])
    const hosts = proxies.map(({ url }) => new URL(url).host)
    const [first] = proxies
    const url = (first?.url ?? '').replace(hosts[0] ?? '', hosts.join(','))
    const broker = queue.connect({ url })
    relay({ database: db, broker })
    await untilReady(broker)
    const lost = proxies.find(({ proxy }) => proxy.connectionCount > 0)
    const ids = await queueRows(db, 100)
    lost?.proxy.cut()
    await untilEmpty(db)
    await expectQueued(ids)
  })

  test('a lost confirm is noticed in time, and the message is sent again', async () => {
    const { proxy, url } = await openProxy()
    const broker = queue.connect({ url, confirmTimeoutMs: 300 })
    await untilReady(broker)
    proxy.mute()
    const ids = await queueRows(db, 1)
    relay({ database: db, broker })
    await until(async () => {
      expect(await readRows(db)).toMatchObject([{ claims: 1, is_due: true }])
    })
    expect(broker.capacity()).toBe(0)
    proxy.cut()
    proxy.restore()
    await untilEmpty(db)
    const messages = await queue.consume()
    await untilReceived(messages, 1)
    expect(new Set(idsOf(messages))).toEqual(new Set(ids))
    expect(new Set(messages.map((message) => message.messageId)).size).toBe(1)
  })

  test('closing ends with a silent broker, and does not connect again', async () => {
    const { proxy, url } = await openProxy()
    const broker = queue.connect({ url })
    await untilReady(broker)
    proxy.mute()
    await broker.close()
    expect([broker.capacity(), proxy.connectionCount]).toEqual([0, 1])
  })
})
