import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { type AsyncMessage, Connection } from 'rabbitmq-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import type { Broker } from '../../src/queue/broker.ts'
import { connectRabbitMq, type RabbitMqOptions } from '../../src/queue/rabbitmq.ts'
import { type RelayOptions, startRelay } from '../../src/queue/relay.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'
import { emptyOutbox, keepLog, queueRows, readRows, WITHIN } from '../support/queue.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const amqpUrl = process.env.TEST_AMQP_URL

describe.runIf(amqpUrl)('RabbitMQ (TEST_AMQP_URL)', () => {
  const url = amqpUrl ?? ''
  let opened: TestDatabase
  let db: Database
  let rabbit: Connection
  let queue: string
  const endings: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    opened = await openTestDatabase()
    db = opened.database
    rabbit = new Connection({ url, acquireTimeout: 5000 })
    rabbit.on('error', () => {})
  })
  beforeEach(async () => {
    await emptyOutbox(db)
    queue = `test_${randomUUID()}`
    endings.push(() => rabbit.queueDelete(queue))
  })
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end()
  })
  afterAll(async () => {
    await rabbit?.close()
    await opened?.close()
  })

  function connect(options: Partial<RabbitMqOptions> = {}): Broker {
    const broker = connectRabbitMq({ url, queue, queueType: 'classic', logger: keepLog(), ...options })
    endings.push(() => broker.close())
    return broker
  }

  function relay(broker: Broker, options: Partial<RelayOptions> = {}) {
    const started = startRelay({ database: db, broker, logger: keepLog(), pollMs: 50, ...options })
    endings.push(() => started.stop())
    return started
  }

  async function proxied() {
    const { hostname, port } = new URL(url)
    const proxy = await startTcpProxy({ host: hostname, port: Number(port || 5672) })
    endings.push(() => proxy.close())
    const proxyUrl = new URL(url)
    proxyUrl.host = `127.0.0.1:${proxy.port}`
    return { proxy, url: proxyUrl.href }
  }

  /** A worker's consumer: declares the queue durable and without arguments. */
  async function consume(): Promise<AsyncMessage[]> {
    const messages: AsyncMessage[] = []
    const consumer = rabbit.createConsumer({ queue, queueOptions: { durable: true } }, (message) => {
      messages.push(message)
    })
    endings.push(() => consumer.close())
    await new Promise<void>((resolve, reject) => {
      consumer.on('ready', resolve)
      consumer.on('error', reject)
    })
    return messages
  }

  const idsOf = (messages: AsyncMessage[]) => messages.map((message) => message.body.id)
  const untilReady = (broker: Broker) =>
    vi.waitFor(() => expect(broker.capacity()).toBeGreaterThan(0), WITHIN)
  const untilEmpty = () => vi.waitFor(async () => expect(await readRows(db)).toEqual([]), WITHIN)

  describe('a message (D29)', () => {
    test.each(['submission', 'input'] as const)(
      'of type %s is persistent, on the default exchange, with only type and id in the body',
      async (kind) => {
        const started = relay(connect())
        const messages = await consume()
        const [id] = await queueRows(db, 1, kind)
        const [row] = await readRows(db)
        started.wake()
        await vi.waitFor(() => expect(messages).toHaveLength(1), WITHIN)
        expect(messages[0]).toMatchObject({
          exchange: '',
          routingKey: queue,
          durable: true,
          contentType: 'application/json',
          type: kind,
          messageId: row?.id,
          headers: {
            judging: 1,
            attempt: 1,
            enqueued_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          },
          body: { type: kind, id },
        })
        const enqueuedAtMs = Date.parse(messages[0]?.headers?.enqueued_at)
        expect(messages[0]?.timestamp).toBe(Math.floor(enqueuedAtMs / 1000))
        expect(Math.abs(enqueuedAtMs - Date.now())).toBeLessThan(60_000)
      },
    )

    test('has exactly the bytes {"type":…,"id":…} [Event: queue message]', async () => {
      const { proxy, url } = await proxied()
      relay(connect({ url }))
      const [id] = await queueRows(db, 1)
      await untilEmpty()
      const body = Buffer.from(`{"type":"submission","id":"${id}"}`)
      const size = Buffer.alloc(4)
      size.writeUInt32BE(body.length)
      // A frame: length, payload, end octet.
      const frame = Buffer.concat([size, body, Buffer.from([0xce])])
      expect(proxy.sent().includes(frame)).toBe(true)
    })
  })

  describe('the queue', () => {
    test('is durable and without arguments by default', async () => {
      await untilReady(connect())
      await expect(rabbit.queueDeclare({ queue, durable: true })).resolves.toMatchObject({ queue })
      const channel = await rabbit.acquire()
      await expect(channel.queueDeclare({ queue, durable: false })).rejects.toThrow('durable')
    })

    test('is a quorum queue if configured', async () => {
      const broker = connect({ queueType: 'quorum' })
      relay(broker)
      await queueRows(db, 3)
      await untilEmpty()
      const quorum = { durable: true, arguments: { 'x-queue-type': 'quorum' as const } }
      await expect(rabbit.queueDeclare({ queue, ...quorum })).resolves.toMatchObject({ queue })
    })

    test('is declared again after its deletion, and no message is lost', async () => {
      const broker = connect()
      const started = relay(broker)
      await untilReady(broker)
      await rabbit.queueDelete(queue)
      const ids = await queueRows(db, 20)
      started.wake()
      await untilEmpty()
      const messages = await consume()
      await vi.waitFor(() => expect(idsOf(messages).sort()).toEqual(ids.sort()), WITHIN)
    })

    test('with other properties is logged once; messages wait until it is replaced', async () => {
      await rabbit.queueDeclare({ queue, durable: true, arguments: { 'x-max-length': 7 } })
      const logger = keepLog()
      const { proxy, url } = await proxied()
      const broker = connect({ url, logger })
      relay(broker)
      const ids = await queueRows(db, 2)
      const declarations = () => proxy.sent().toString('latin1').split(queue).length - 1
      await vi.waitFor(() => expect(declarations()).toBeGreaterThanOrEqual(3), WITHIN)
      expect(logger.lines).toEqual([
        { level: 'error', message: expect.stringContaining(`"${queue}" exists with other`) },
      ])
      expect(broker.capacity()).toBe(0)
      expect(proxy.connectionCount).toBe(1)
      await rabbit.queueDelete(queue)
      await untilEmpty()
      expect(logger.lines.map((line) => line.level)).toEqual(['error', 'info'])
      const messages = await consume()
      await vi.waitFor(() => expect(idsOf(messages).sort()).toEqual(ids.sort()), WITHIN)
    })
  })

  describe('an outage', () => {
    test('at the start is logged once; messages wait, and each arrives once afterwards', async () => {
      const { proxy, url } = await proxied()
      proxy.cut()
      const logger = keepLog()
      const broker = connect({ url, logger })
      relay(broker)
      const ids = await queueRows(db, 20)
      await vi.waitFor(() => expect(proxy.connectionCount).toBeGreaterThanOrEqual(3), WITHIN)
      expect(broker.capacity()).toBe(0)
      expect(logger.lines.map((line) => line.level)).toEqual(['error'])
      expect((await readRows(db)).map((row) => row.claims)).toEqual(ids.map(() => 0))
      proxy.restore()
      await untilEmpty()
      expect(logger.lines.map((line) => line.level)).toEqual(['error', 'info'])
      const messages = await consume()
      await vi.waitFor(() => expect(idsOf(messages)).toHaveLength(20), WITHIN)
      expect(idsOf(messages).sort()).toEqual(ids.sort())
    })

    test('while running: messages wait, and each arrives once afterwards', async () => {
      const { proxy, url } = await proxied()
      const logger = keepLog()
      const broker = connect({ url, logger })
      const started = relay(broker)
      const messages = await consume()
      const ids = await queueRows(db, 20)
      await untilEmpty()
      proxy.cut()
      await vi.waitFor(() => expect(broker.capacity()).toBe(0), WITHIN)
      for (let count = 0; count < 20; count += 1) {
        ids.push(...(await queueRows(db, 1)))
        started.wake()
      }
      proxy.restore()
      await untilEmpty()
      await vi.waitFor(() => expect(messages).toHaveLength(40), WITHIN)
      expect(idsOf(messages).sort()).toEqual(ids.sort())
      expect(logger.lines.map((line) => line.level)).toEqual(['error', 'info'])
    })

    test('during a stream of messages loses none', async () => {
      const { proxy, url } = await proxied()
      const started = relay(connect({ url, maxInFlight: 50 }))
      const messages = await consume()
      const ids = await queueRows(db, 2000)
      started.wake()
      await vi.waitFor(() => expect(messages.length).toBeGreaterThan(200), { ...WITHIN, interval: 1 })
      expect(messages.length).toBeLessThan(2000)
      proxy.cut()
      proxy.restore()
      await untilEmpty()
      await vi.waitFor(() => expect(new Set(idsOf(messages)).size).toBe(2000), WITHIN)
      expect([...new Set(idsOf(messages))].sort()).toEqual(ids.sort())
      // Only messages whose confirm was lost may arrive twice.
      expect(messages.length).toBeLessThanOrEqual(2050)
    })

    test('that loses a confirm is noticed in time, and the message is sent again', async () => {
      const { proxy, url } = await proxied()
      const broker = connect({ url, confirmTimeoutMs: 300 })
      const started = relay(broker)
      await untilReady(broker)
      proxy.mute()
      const ids = await queueRows(db, 1)
      started.wake()
      await vi.waitFor(async () => {
        expect(await readRows(db)).toMatchObject([{ claims: 1, is_due: true }])
      }, WITHIN)
      expect(broker.capacity()).toBe(0)
      proxy.cut()
      proxy.restore()
      await untilEmpty()
      const messages = await consume()
      await vi.waitFor(() => expect(messages.length).toBeGreaterThanOrEqual(1), WITHIN)
      expect(new Set(idsOf(messages))).toEqual(new Set(ids))
      expect(new Set(messages.map((message) => message.messageId)).size).toBe(1)
    })
  })

  test('has capacity for maxInFlight messages, and for more once half are confirmed', async () => {
    const broker = connect({ maxInFlight: 4 })
    await untilReady(broker)
    const rooms: number[] = []
    broker.onReady(() => void rooms.push(broker.capacity()))
    const published = [1, 2, 3, 4].map((outboxId) =>
      broker.publish({
        outboxId: String(outboxId),
        body: { type: 'submission', id: randomUUID() },
        judging: 1,
        claims: 1,
        enqueuedAt: '2026-04-01T18:00:00Z',
      }),
    )
    expect(broker.capacity()).toBe(0)
    await Promise.all(published)
    expect(rooms).toEqual([2])
    expect(broker.capacity()).toBe(4)
  })

  test('several relays publish each row once', async () => {
    const relays = [relay(connect()), relay(connect()), relay(connect())]
    const messages = await consume()
    const ids = (await Promise.all(Array.from({ length: 10 }, () => queueRows(db, 100)))).flat()
    for (const one of relays) one.wake()
    await untilEmpty()
    await vi.waitFor(() => expect(messages.length).toBeGreaterThanOrEqual(1000), WITHIN)
    expect(idsOf(messages).sort()).toEqual(ids.sort())
  })

  describe('closing', () => {
    test('takes a bounded time with a silent broker, and does not connect again', async () => {
      const { proxy, url } = await proxied()
      const broker = connect({ url })
      await untilReady(broker)
      proxy.mute()
      const startedMs = performance.now()
      await broker.close()
      expect(performance.now() - startedMs).toBeLessThan(3000)
      expect(broker.capacity()).toBe(0)
      expect(proxy.connectionCount).toBe(1)
    })

    // A second process needs PostgreSQL.
    test.runIf(process.env.TEST_DATABASE_URL).each([
      ['after work', 'empty'],
      ['during an outage', 'outage'],
    ])('lets the process exit (%s)', async (_, until) => {
      const { proxy, url } = await proxied()
      if (until === 'outage') proxy.cut()
      await queueRows(db, 5)
      const script = fileURLToPath(new URL('./closing-process.ts', import.meta.url))
      const closing = spawn(
        process.execPath,
        ['--import', 'tsx', script, opened.url ?? '', url, queue, until],
        { stdio: ['ignore', 'inherit', 'inherit'] },
      )
      endings.push(async () => closing.kill('SIGKILL'))
      await vi.waitFor(() => expect(closing.exitCode).toBe(0), WITHIN)
    })
  })
})
