import { describe, expect, test } from 'vitest'
import type { QueuedMessage } from '../../src/queue/broker.ts'
import { createInProcessBroker } from '../../src/queue/in-process.ts'
import { gate } from './support.ts'

const messageFor = (id: string): QueuedMessage => ({
  outboxId: id,
  body: { type: 'submission', id },
  attempt: 1,
  claims: 1,
  enqueuedAt: '2026-04-01T18:00:00Z',
})

describe('the queue inside the process', () => {
  test('has no room without a consumer, and refuses what is published all the same', async () => {
    const broker = createInProcessBroker()
    expect(broker.capacity()).toBe(0)
    await expect(broker.publish(messageFor('a'))).rejects.toThrow('no worker')
  })

  test('has as much room as its consumers have places free, and says when one becomes free', async () => {
    const broker = createInProcessBroker()
    const rooms: number[] = []
    broker.onReady(() => void rooms.push(broker.capacity()))
    const first = gate()
    await broker.consume(2, () => first.passed)
    await broker.consume(1, () => first.passed)
    const published = broker.publish(messageFor('a'))
    expect(broker.capacity()).toBe(2)
    first.open()
    await published
    expect(rooms).toEqual([2, 3, 3])
  })

  test('hands over the body and answers only once the handler has finished', async () => {
    const broker = createInProcessBroker()
    const work = gate()
    const events: string[] = []
    await broker.consume(1, async (message) => {
      expect(message).toEqual({ type: 'submission', id: 'a' })
      await work.passed
      events.push('handled')
    })
    const published = broker.publish(messageFor('a')).then(() => events.push('answered'))
    work.open()
    await published
    expect(events).toEqual(['handled', 'answered'])
  })

  test('rejects when the handler throws, even before its first await, and has the place free again', async () => {
    const broker = createInProcessBroker()
    await broker.consume(1, () => {
      throw new Error('broken')
    })
    await expect(broker.publish(messageFor('a'))).rejects.toThrow('broken')
    expect(broker.capacity()).toBe(1)
  })

  test('a stopped consumer gets no more messages and is waited for', async () => {
    const broker = createInProcessBroker()
    const work = gate()
    const events: string[] = []
    const consumption = await broker.consume(2, async () => {
      await work.passed
      events.push('handled')
    })
    const published = broker.publish(messageFor('a'))
    const stopped = consumption.stop().then(() => events.push('stopped'))
    expect(broker.capacity()).toBe(0)
    work.open()
    await Promise.all([published, stopped])
    expect(events).toEqual(['handled', 'stopped'])
  })

  test('stopping gives back, after a bounded time, what a handler does not finish', async () => {
    const broker = createInProcessBroker({ stopTimeoutMs: 20 })
    const consumption = await broker.consume(1, () => gate().passed)
    const published = expect(broker.publish(messageFor('a'))).rejects.toThrow('stopped before')
    await consumption.stop()
    await published
  })

  test('closing stops every consumer', async () => {
    const broker = createInProcessBroker()
    await broker.consume(1, async () => {})
    await broker.consume(1, async () => {})
    await broker.close()
    expect(broker.capacity()).toBe(0)
  })
})
