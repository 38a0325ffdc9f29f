import type { Pipe, PipeMessage } from '@judge-data-layer/runtime/judging-pipe'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Logger } from '../../src/background/outage-log.ts'
import type { Broker, GradingMessage } from '../../src/queue/broker.ts'
import { servePipedWorker } from '../../src/queue/piped-worker.ts'
import { openTestDatabase } from '../support/database.ts'
import { onRabbitMq } from '../support/needs.ts'
import { emptyOutbox, gate, keepLog, queueRows, readRows } from '../support/queue.ts'
import { startProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'
import {
  amqpUrl,
  openLocalBroker,
  openQueueContract,
  openRabbitQueue,
  relay,
  untilEmpty,
  untilReady,
} from './harness.ts'

interface Link {
  readonly broker: Broker
  /** Starts an outage: the queue takes no messages. */
  cut(): Promise<unknown>
  /** Waits until the broker has tried in vain to end the outage. */
  untilNoticed(): Promise<unknown>
  restore(): Promise<unknown>
}

/** A queue with workers that record the messages they receive. */
interface TestedQueue {
  received(): GradingMessage[]
  connect(options?: { logger?: Logger; isCut?: boolean }): Promise<Link>
}

async function openLocal(): Promise<TestedQueue> {
  const received: GradingMessage[] = []
  const connect: TestedQueue['connect'] = async ({ isCut } = {}) => {
    const broker = openLocalBroker()
    const consume = () => broker.consume(7, async (message) => void received.push(message))
    let worker = isCut ? undefined : await consume()
    const restore = async () => {
      worker = await consume()
    }
    return { broker, cut: async () => worker?.stop(), untilNoticed: async () => {}, restore }
  }
  return { received: () => received, connect }
}

async function openRemote(): Promise<TestedQueue> {
  const queue = openRabbitQueue()
  const messages = await queue.consume()
  const connect: TestedQueue['connect'] = async ({ logger = keepLog(), isCut } = {}) => {
    const { proxy, url } = await startProxy(amqpUrl ?? '')
    if (isCut) proxy.cut()
    const broker = queue.connect({ url, logger })
    if (!isCut) await untilReady(broker)
    const untilNoticed = () => {
      const enough = proxy.connectionCount + 2
      return until(() => expect(proxy.connectionCount).toBeGreaterThanOrEqual(enough))
    }
    return { broker, cut: async () => proxy.cut(), untilNoticed, restore: async () => proxy.restore() }
  }
  return { received: () => messages.map(({ body }) => body), connect }
}

const db = (await openTestDatabase()).database
beforeEach(() => emptyOutbox(db))

const message = (id: string) => {
  const body = { type: 'submission', id } as const
  return { outboxId: '1', body, judging: 1, claims: 1, enqueuedAt: '2026-04-01T18:00:00Z' }
}

const idsOf = (messages: readonly GradingMessage[]) => messages.map(({ id }) => id)
const levels = ({ lines }: ReturnType<typeof keepLog>) => lines.map(({ level }) => level)

/** `logged`: the levels of the log lines that two outages cause. */
const outages = ['error', 'info', 'error', 'info']
const queues = [
  { name: 'the local queue', open: openLocal, logged: [], needs: {} },
  { name: 'RabbitMQ (TEST_AMQP_URL)', open: openRemote, logged: outages, needs: onRabbitMq },
]

for (const { name, open, logged, needs } of queues) {
  describe(name, needs, () => {
    const untilReceived = (queue: TestedQueue, ids: readonly string[]) =>
      until(() => expect(idsOf(queue.received()).sort()).toEqual(ids.toSorted()))

    test.each(['submission', 'input'] as const)(
      'delivers exactly the fields of docs/asyncapi.yaml in a message of type %s (D29, D30)',
      async (type) => {
        const queue = await open()
        relay({ database: db, ...(await queue.connect()) })
        const [id] = await queueRows(db, 1, type)
        await untilReceived(queue, [String(id)])
        expect(queue.received()).toEqual([{ type, id }])
        expect((await openQueueContract()).payload(type, queue.received()[0])).toEqual([])
      },
    )

    test('delivers messages in the order of their rows, which are then deleted', async () => {
      const queue = await open()
      const { broker } = await queue.connect()
      const started = relay({ database: db, broker, pollMs: 600_000, leaseMs: 600_000 })
      const ids = await queueRows(db, 30)
      started.wake()
      await untilReceived(queue, ids)
      expect(idsOf(queue.received())).toEqual(ids)
      await untilEmpty(db)
    })

    test('leaves rows unclaimed during an outage, and delivers each once afterwards', async () => {
      const queue = await open()
      const logger = keepLog()
      const { broker, cut, untilNoticed, restore } = await queue.connect({ logger, isCut: true })
      const started = relay({ database: db, broker })
      const ids: string[] = []
      for (const outage of [1, 2]) {
        await until(() => expect(broker.capacity()).toBe(0))
        for (let count = 1; count <= 20; count += 1) {
          ids.push(...(await queueRows(db, 1)))
          started.wake()
        }
        expect(broker.capacity()).toBe(0)
        await expect(broker.publish(message('a'))).rejects.toThrow()
        if (outage === 1) {
          await untilNoticed()
          // In the second outage, a claim from before may still be running.
          const claims = (await readRows(db)).map((row) => row.claims)
          expect(claims).toEqual(Array.from({ length: 20 }, () => 0))
          expect(levels(logger)).toEqual(logged.slice(0, 1))
        }
        await restore()
        await untilEmpty(db)
        await untilReceived(queue, ids)
        expect(levels(logger)).toEqual(logged.slice(0, 2 * outage))
        if (outage === 1) await cut()
      }
    })

    test('has no capacity once closed, and refuses messages', async () => {
      const { broker } = await (await open()).connect()
      expect(broker.capacity()).toBeGreaterThan(0)
      await broker.close()
      await broker.close()
      expect(broker.capacity()).toBe(0)
      await expect(broker.publish(message('a'))).rejects.toThrow()
    })
  })
}

const queued = message('a')
const { body } = queued

test('the local queue confirms a message after its handler has finished; a stopping consumer waits for it', async () => {
  const broker = openLocalBroker()
  const work = gate()
  const events: string[] = []
  const consumption = await broker.consume(2, async (received) => {
    expect(received).toEqual(body)
    await work.passed
    events.push('handled')
  })
  const published = broker.publish(queued).then(() => events.push('confirmed'))
  const stopped = consumption.stop().then(() => events.push('stopped'))
  expect(broker.capacity()).toBe(0)
  work.open()
  await Promise.all([published, stopped])
  expect(events[0]).toBe('handled')
  expect(events.toSorted()).toEqual(['confirmed', 'handled', 'stopped'])
})

test('the local queue, closed, rejects the messages whose handlers do not finish in time', async () => {
  const broker = openLocalBroker({ closeTimeoutMs: 20 })
  const consumption = await broker.consume(1, () => gate().passed)
  const published = expect(broker.publish(queued)).rejects.toThrow('stopped before')
  const stopped = consumption.stop()
  await broker.close()
  await Promise.all([published, stopped])
})

test('a worker at the other end of the pipe gets as many messages as it has room for, and acknowledges or returns each', async () => {
  const broker = openLocalBroker({ closeTimeoutMs: 20 })
  const sent: PipeMessage[] = []
  let receive = (_: PipeMessage) => {}
  const pipe: Pipe = {
    send: async (one) => void sent.push(one),
    onMessage: (listener) => {
      receive = listener
    },
    onEnd: () => {},
  }
  servePipedWorker(broker, pipe)
  receive({ kind: 'ready', concurrency: 2 })
  const done = broker.publish(queued)
  const returned = expect(broker.publish(queued)).rejects.toThrow('gave the message back: broken')
  expect(sent).toEqual([1, 2].map((delivery) => ({ kind: 'delivery', delivery, body })))
  await expect(broker.publish(queued)).rejects.toThrow('no worker is free')
  receive({ kind: 'settled', delivery: 2, failure: 'broken' })
  receive({ kind: 'settled', delivery: 1 })
  await Promise.all([done, returned])
  expect(broker.capacity()).toBe(2)
})
