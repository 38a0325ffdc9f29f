import { randomUUID } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import type { Message, MessageHandler, Subscription } from '../src/message-source.ts'
import { createRabbitmqSource } from '../src/rabbitmq-source.ts'
import { WorkerTooOldError } from '../src/service-error.ts'
import { amqpUrl, noBroker, openTestQueue, type TestQueue } from './support/broker.ts'
import { createBrokerUser, noBrokerUsers } from './support/broker-user.ts'
import { createLineLogger } from './support/line-logger.ts'
import { testUnless } from './support/requirements.ts'
import { findClosedHost, listen } from './support/unusable-servers.ts'
import { waitFor } from './support/wait.ts'

if (noBroker) console.warn(`The tests of the RabbitMQ source are left out: ${noBroker}.`)

describe('the RabbitMQ source', () => {
  const testBroker = testUnless(noBroker)
  let queue: TestQueue
  let subscription: Subscription | undefined
  let logged: string

  beforeEach(async () => {
    logged = ''
    if (!noBroker) queue = await openTestQueue()
  })
  afterEach(async () => {
    await subscription?.stop()
    subscription = undefined
    if (!noBroker) await queue.close()
  })

  async function consume(
    handler: MessageHandler,
    concurrency = 1,
    changes: { url?: string; queueType?: 'quorum' } = {},
  ) {
    const logger = createLineLogger((line) => {
      logged += line
    })
    const options = { url: amqpUrl, queue: queue.queue, queueType: 'classic' } as const
    const source = createRabbitmqSource({ ...options, logger, ...changes })
    subscription = await source.consume(concurrency, handler)
    await waitFor('the consumer', async () => (await queue.count())?.consumerCount)
    return subscription
  }
  const newMessage = (): Message => ({ type: 'submission', id: randomUUID() })
  /** Consumes messages into a list. */
  async function collect() {
    const seen: Message[] = []
    await consume(async (message) => void seen.push(message))
    return seen
  }
  /** Publishes a message and waits until it is the only one in the list. */
  async function expectDelivery(seen: Message[]) {
    const message = newMessage()
    await queue.publish(message)
    await waitFor('the message', () => seen.length === 1)
    expect(seen).toEqual([message])
  }
  const waitUntilEmpty = () =>
    waitFor('an empty queue', async () => (await queue.count())?.messageCount === 0)

  testBroker('declares a missing queue, durable and without arguments', async () => {
    await consume(async () => {})
    // RabbitMQ refuses a different declaration.
    await expect(queue.declare()).resolves.toMatchObject({ queue: queue.queue })
  })

  testBroker('declares a quorum queue if configured', async () => {
    await consume(async () => {}, 1, { queueType: 'quorum' })
    await expect(queue.declare({ 'x-queue-type': 'quorum' })).resolves.toMatchObject({ queue: queue.queue })
  })

  testBroker('accepts a queue that was declared with other arguments', async () => {
    await queue.declare({ 'x-max-length': 1000 })
    await expectDelivery(await collect())
  })

  testBroker('delivers both types of messages, as JSON or bytes, and acknowledges them', async () => {
    const seen: Message[] = []
    const messages: Message[] = [newMessage(), { type: 'input', id: randomUUID() }, newMessage()]
    const started = await consume(async (message) => void seen.push(message), 1)
    await queue.publish(messages[0])
    await queue.publish(messages[1])
    await queue.publish(Buffer.from(JSON.stringify(messages[2])))
    await waitFor('the messages', () => seen.length === 3)
    expect(seen).toEqual(messages)
    await started.stop()
    expect(await queue.count()).toMatchObject({ messageCount: 0, consumerCount: 0 })
  })

  testBroker('acknowledges only after the handler has ended', async () => {
    const finishers: (() => void)[] = []
    const started = await consume(() => new Promise((resolve) => finishers.push(resolve)))
    await queue.publish(newMessage())
    await waitFor('the delivery', () => finishers.length === 1)
    const other = await queue.connection.acquire()
    expect(await other.basicGet({ queue: queue.queue })).toBeUndefined()
    const stopped = started.stop()
    finishers[0]?.()
    await stopped
    expect(await other.basicGet({ queue: queue.queue })).toBeUndefined()
    await other.close()
  })

  testBroker(
    'runs as many handlers at once as its concurrency, and leaves other messages in the queue',
    async () => {
      const finishers: (() => void)[] = []
      await consume(() => new Promise((resolve) => finishers.push(resolve)), 2)
      for (let count = 0; count < 5; count += 1) await queue.publish(newMessage())
      await waitFor('two deliveries', () => finishers.length === 2)
      expect((await queue.count())?.messageCount).toBe(3)
      for (const finish of finishers.splice(0)) finish()
      await waitFor('two more', () => finishers.length === 2)
      for (const finish of finishers.splice(0)) finish()
      await waitFor('the last', () => finishers.length === 1)
      finishers[0]?.()
    },
  )

  testBroker('gives a message back after a pause when its handler fails', async () => {
    const seenAt: number[] = []
    await consume(async () => {
      seenAt.push(performance.now())
      if (seenAt.length < 2) throw new Error('out of reach')
    })
    await queue.publish(newMessage())
    await waitFor('it to come back', () => seenAt.length === 2)
    expect((seenAt[1] ?? 0) - (seenAt[0] ?? 0)).toBeGreaterThan(900)
    expect(logged).toContain('"message":"out of reach"')
    await waitUntilEmpty()
  })

  testBroker('puts a message for a newer worker behind the others, and hands it out seldom', async () => {
    const [old, others] = [newMessage(), [newMessage(), newMessage()]]
    const seen: Message[] = []
    await queue.declare()
    for (const message of [old, ...others]) await queue.publish(message)
    const started = await consume(async (message) => {
      seen.push(message)
      if (message.id === old.id) throw new WorkerTooOldError('this worker lacks limits/1')
    })
    await waitFor('the copy', () => seen.length === 4)
    expect(seen).toEqual([old, ...others, old])
    await started.stop()
    expect([seen.length, (await queue.count())?.messageCount]).toEqual([4, 1])
    const left = await queue.connection.basicGet({ queue: queue.queue })
    expect(left).toMatchObject({ body: old, durable: true, messageId: expect.any(String) })
  })

  testUnless(noBrokerUsers)('gives it back after a pause if it may not write', async (context) => {
    await queue.declare()
    const user = await createBrokerUser({ configure: '^$', write: '^$', read: '.*' })
    context.onTestFinished(user.remove)
    await queue.publish(newMessage())
    let count = 0
    await consume(
      async () => {
        count += 1
        if (count === 1) throw new WorkerTooOldError('this worker lacks limits/1')
      },
      1,
      { url: user.url },
    )
    await waitFor('the second delivery', () => count === 2)
    expect(logged).toContain('"pauseMs":1000')
  })

  testBroker('drops invalid messages and logs this', async () => {
    const seen = await collect()
    const objects = ['null', '[]', '{"type":"submission"}', '{"type":"other","id":"x"}']
    for (const body of ['not JSON', '', ...objects, '{"type":"input","id":"../users"}'])
      await queue.publish(Buffer.from(body))
    for (const body of [{ type: 'submission', id: 7 }, { id: randomUUID() }, 'text'])
      await queue.publish(body)
    await expectDelivery(seen)
    expect(logged.match(/was dropped/g)).toHaveLength(10)
  })

  testBroker('gives unfinished messages back immediately when it stops', async () => {
    const rejecters: ((reason: Error) => void)[] = []
    const started = await consume(() => new Promise((_, reject) => rejecters.push(reject)))
    await queue.publish(newMessage())
    await waitFor('the delivery', () => rejecters.length === 1)
    const stopped = started.stop()
    rejecters[0]?.(new Error('stopping'))
    await stopped
    expect((await queue.count())?.messageCount).toBe(1)
  })

  testBroker('reconnects after a lost connection, and the message comes back', async () => {
    const proxy = await startProxy()
    const seen: Message[] = []
    const finishers: (() => void)[] = []
    const handle = (message: Message) => {
      seen.push(message)
      return new Promise<void>((resolve) => finishers.push(resolve))
    }
    await consume(handle, 1, { url: proxy.url })
    const message = newMessage()
    await queue.publish(message)
    await waitFor('the delivery', () => seen.length === 1)
    proxy.cut()
    finishers[0]?.()
    await waitFor('the message to come back', () => seen.length === 2)
    finishers[1]?.()
    await waitUntilEmpty()
    expect(seen).toEqual([message, message])
    await subscription?.stop()
    proxy.close()
  })

  testBroker('starts, and gets messages, while one of several hosts is lost', async () => {
    const closed = await findClosedHost()
    const { host } = new URL(amqpUrl)
    for (const hosts of [`${closed},${host}`, `${host},${closed}`]) {
      const seen: Message[] = []
      const started = await consume(async (message) => void seen.push(message), 1, {
        url: amqpUrl.replace(host, hosts),
      })
      await expectDelivery(seen)
      await started.stop()
    }
  })

  testBroker('refuses to start if all of several hosts are lost, and names them', async () => {
    const hosts = await Promise.all([findClosedHost(), findClosedHost()])
    const url = amqpUrl.replace(new URL(amqpUrl).host, hosts.join(','))
    await expect(consume(async () => {}, 1, { url })).rejects.toThrow(
      `AMQP_URL: no connection to RabbitMQ at ${hosts.join(', ')}: `,
    )
  })

  testBroker('declares the queue again after its deletion', async () => {
    const seen = await collect()
    await queue.connection.queueDelete({ queue: queue.queue })
    await waitFor('the consumer again', async () => (await queue.count())?.consumerCount)
    await expectDelivery(seen)
  })

  testBroker('refuses to start on a queue that belongs to another connection, and logs nothing', async () => {
    await queue.connection.queueDeclare({ queue: queue.queue, exclusive: true })
    await expect(consume(async () => {})).rejects.toThrow(
      `AMQP_QUEUE: the worker can neither find nor declare the queue "${queue.queue}" of RabbitMQ at `,
    )
    expect(logged).toBe('')
  })

  testUnless(noBrokerUsers)('refuses to start without the permission to read the queue', async (context) => {
    const user = await createBrokerUser({ configure: '.*', write: '.*', read: '^$' })
    context.onTestFinished(user.remove)
    await expect(consume(async () => {}, 1, { url: user.url })).rejects.toThrow(
      `AMQP_QUEUE: the worker cannot read the queue "${queue.queue}" of RabbitMQ at `,
    )
  })

  testUnless(noBrokerUsers)('needs no permission to declare an existing queue', async (context) => {
    await queue.declare()
    const user = await createBrokerUser({ configure: '^$', write: '^$', read: '.*' })
    context.onTestFinished(user.remove)
    const started = await consume(async () => {}, 1, { url: user.url })
    await started.stop()
    expect(logged).not.toContain('"level":40')
  })

  testBroker('stops although RabbitMQ is out of reach', async () => {
    const proxy = await startProxy()
    const started = await consume(async () => {}, 1, { url: proxy.url })
    proxy.close()
    proxy.cut()
    await started.stop()
    subscription = undefined
  })
})

/** Starts a proxy in front of RabbitMQ that can cut connections. */
async function startProxy() {
  const broker = new URL(amqpUrl)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const upstream = connect(Number(broker.port || 5672), broker.hostname)
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(from)
      from.pipe(to).on('error', () => {})
      from.on('error', () => to.destroy())
    }
  })
  const url = new URL(amqpUrl)
  url.host = `127.0.0.1:${await listen(server)}`
  return {
    url: url.href,
    cut: () => sockets.forEach((socket) => void socket.destroy()),
    close: () => server.close(),
  }
}
