import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, vi } from 'vitest'
import { startTcpProxy } from '../../../test/support/tcp-proxy.ts'
import type { Message, MessageHandler, Subscription } from '../src/messages/message-source.ts'
import { createRabbitmqSource } from '../src/messages/rabbitmq-source.ts'
import { WorkerTooOldError } from '../src/service/service-error.ts'
import { amqpUrl, noBroker, openTestQueue, type TestQueue } from './support/broker.ts'
import { createBrokerUser, noBrokerUsers } from './support/broker-user.ts'
import { createTextLog } from './support/line-logger.ts'
import { testUnless } from './support/requirements.ts'
import { findClosedHost } from './support/unusable-servers.ts'
import { waitFor } from './support/wait.ts'

if (noBroker) console.warn(`The tests of the RabbitMQ source are left out: ${noBroker}.`)

describe('the RabbitMQ source', () => {
  const testBroker = testUnless(noBroker)
  let queue: TestQueue
  let subscription: Subscription | undefined
  let log: ReturnType<typeof createTextLog>

  beforeEach(async () => {
    log = createTextLog()
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
    const options = { url: amqpUrl, queue: queue.queue, queueType: 'classic' } as const
    const source = createRabbitmqSource({ ...options, logger: log.logger, ...changes })
    subscription = await source.consume(concurrency, handler)
    await waitFor('the consumer', async () => (await queue.count())?.consumerCount)
    return subscription
  }
  const newMessage = (): Message => ({ type: 'submission', id: randomUUID() })
  async function collect(url = amqpUrl) {
    const seen: Message[] = []
    await consume(async (message) => void seen.push(message), 1, { url })
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

  for (const [kind, changes, queueArguments] of [
    ['durable and without arguments', {}, {}],
    ['of the type quorum if configured', { queueType: 'quorum' }, { 'x-queue-type': 'quorum' }],
  ] as const)
    testBroker(`declares a missing queue, ${kind}`, async () => {
      await consume(async () => {}, 1, changes)
      // RabbitMQ refuses a different declaration.
      await expect(queue.declare(queueArguments)).resolves.toMatchObject({ queue: queue.queue })
    })

  testBroker('delivers both types of messages, also from a queue with other arguments', async () => {
    await queue.declare({ 'x-max-length': 1000 })
    const messages: Message[] = [newMessage(), { type: 'input', id: randomUUID() }, newMessage()]
    const seen = await collect()
    for (const message of messages.slice(0, 2)) await queue.publish(message)
    await queue.publish(Buffer.from(JSON.stringify(messages[2])))
    await waitFor('the messages', () => seen.length === 3)
    expect(seen).toEqual(messages)
    await subscription?.stop()
    expect(await queue.count()).toMatchObject({ messageCount: 0, consumerCount: 0 })
  })

  /** A handler whose calls end when the test says so. */
  function holdHandlers() {
    const calls: { end: () => void; fail: (reason: Error) => void }[] = []
    const handle = (_?: unknown) => new Promise<void>((end, fail) => void calls.push({ end, fail }))
    const waitForCalls = (count: number) => waitFor(`${count} calls`, () => calls.length === count)
    return { calls, handle, waitForCalls }
  }

  testBroker('runs as many handlers at once as its concurrency, and acknowledges at their end', async () => {
    const { calls, handle, waitForCalls } = holdHandlers()
    const started = await consume(handle, 2)
    for (let count = 0; count < 5; count += 1) await queue.publish(newMessage())
    await waitForCalls(2)
    expect((await queue.count())?.messageCount).toBe(3)
    calls[0]?.end()
    await waitForCalls(3)
    expect((await queue.count())?.messageCount).toBe(2)
    const stopped = started.stop()
    calls[1]?.end()
    calls[2]?.fail(new Error('stopping'))
    await stopped
    // One more for the handler that failed: it was given back at once.
    expect((await queue.count())?.messageCount).toBe(3)
  })

  testBroker('gives a message back after a pause when its handler fails', async () => {
    const handle = vi.fn(async () => {}).mockRejectedValueOnce(new Error('out of reach'))
    await consume(handle)
    await queue.publish(newMessage())
    await waitFor('it to come back', () => handle.mock.calls.length === 2)
    expect(log.text).toMatch(
      /"pauseMs":1000.*"message":"out of reach"|"message":"out of reach".*"pauseMs":1000/,
    )
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

  testUnless(noBrokerUsers)('gives it back after a pause if it may only read', async (context) => {
    await queue.declare()
    const user = await createBrokerUser({ configure: '^$', write: '^$', read: '.*' })
    context.onTestFinished(user.remove)
    await queue.publish(newMessage())
    const tooOld = new WorkerTooOldError('this worker lacks limits/1')
    const handle = vi.fn(async () => {}).mockRejectedValueOnce(tooOld)
    await consume(handle, 1, { url: user.url })
    await waitFor('the second delivery', () => handle.mock.calls.length === 2)
    expect(log.text).toContain('"pauseMs":1000')
  })

  testBroker('drops invalid messages and logs this', async () => {
    const seen = await collect()
    const objects = ['null', '[]', '{"type":"submission"}', '{"type":"other","id":"x"}']
    for (const body of ['not JSON', '', ...objects, '{"type":"input","id":"../users"}'])
      await queue.publish(Buffer.from(body))
    for (const body of [{ type: 'submission', id: 7 }, { id: randomUUID() }, 'text'])
      await queue.publish(body)
    await expectDelivery(seen)
    expect(log.text.match(/was dropped/g)).toHaveLength(10)
  })

  testBroker('reconnects after a lost connection, and the message comes back', async () => {
    const proxy = await startProxy()
    const { calls, handle, waitForCalls } = holdHandlers()
    const seen: Message[] = []
    await consume((message) => handle(seen.push(message)), 1, { url: proxy.url })
    const message = newMessage()
    await queue.publish(message)
    await waitForCalls(1)
    proxy.cut()
    proxy.restore()
    calls[0]?.end()
    await waitForCalls(2)
    calls[1]?.end()
    await waitUntilEmpty()
    expect(seen).toEqual([message, message])
    await subscription?.stop()
    await proxy.close()
  })

  testBroker('starts while one of several hosts is lost; if all are lost it names them', async () => {
    const closed = await findClosedHost()
    const { host } = new URL(amqpUrl)
    for (const hosts of [`${closed},${host}`, `${host},${closed}`]) {
      await expectDelivery(await collect(amqpUrl.replace(host, hosts)))
      await subscription?.stop()
    }
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
    expect(log.text).toBe('')
  })

  testUnless(noBrokerUsers)('refuses to start without the permission to read the queue', async (context) => {
    const user = await createBrokerUser({ configure: '.*', write: '.*', read: '^$' })
    context.onTestFinished(user.remove)
    await expect(consume(async () => {}, 1, { url: user.url })).rejects.toThrow(
      `AMQP_QUEUE: the worker cannot read the queue "${queue.queue}" of RabbitMQ at `,
    )
  })

  testBroker('stops although RabbitMQ is out of reach', async () => {
    const proxy = await startProxy()
    const started = await consume(async () => {}, 1, { url: proxy.url })
    await proxy.close()
    await started.stop()
    subscription = undefined
  })
})

async function startProxy() {
  const url = new URL(amqpUrl)
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5672) })
  url.host = `127.0.0.1:${proxy.port}`
  return { ...proxy, url: url.href }
}
