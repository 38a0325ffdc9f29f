import type { Pipe, PipeMessage } from '@judge-data-layer/process/judging-pipe'
import { expect, test } from 'vitest'
import type { QueuedMessage } from '../../src/queue/broker.ts'
import { servePipedWorker } from '../../src/queue/piped-worker.ts'
import { gate } from '../support/queue.ts'
import { openLocalBroker } from './harness.ts'

const body = { type: 'submission', id: 'a' } as const
const enqueuedAt = '2026-04-01T18:00:00Z'
const message: QueuedMessage = { outboxId: '1', body, judging: 1, claims: 1, enqueuedAt }

test('the local queue confirms a message after its handler has finished; a stopping consumer waits for it', async () => {
  const broker = openLocalBroker()
  const work = gate()
  const events: string[] = []
  const consumption = await broker.consume(2, async (received) => {
    expect(received).toEqual(body)
    await work.passed
    events.push('handled')
  })
  const published = broker.publish(message).then(() => events.push('confirmed'))
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
  const published = expect(broker.publish(message)).rejects.toThrow('stopped before')
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
  const done = broker.publish(message)
  const returned = expect(broker.publish(message)).rejects.toThrow('gave the message back: broken')
  expect(sent).toEqual([1, 2].map((delivery) => ({ kind: 'delivery', delivery, body })))
  await expect(broker.publish(message)).rejects.toThrow('no worker is free')
  receive({ kind: 'settled', delivery: 2, failure: 'broken' })
  receive({ kind: 'settled', delivery: 1 })
  await Promise.all([done, returned])
  expect(broker.capacity()).toBe(2)
})
