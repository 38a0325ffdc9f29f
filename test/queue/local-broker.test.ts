import { describe, expect, test } from 'vitest'
import { type QueuedMessage, ReturnedError } from '../../src/queue/broker.ts'
import { gate } from '../support/queue.ts'
import { openLocalBroker } from './harness.ts'

const body = { type: 'submission', id: 'a' } as const
const enqueuedAt = '2026-04-01T18:00:00Z'
const message: QueuedMessage = { outboxId: '1', body, judging: 1, claims: 1, enqueuedAt }

describe('the local queue', () => {
  test('has the capacity of its free consumers, and reports each change', async () => {
    const broker = openLocalBroker()
    const reported: number[] = []
    broker.onReady(() => void reported.push(broker.capacity()))
    const work = gate()
    await broker.consume(2, () => work.passed)
    await broker.consume(1, () => work.passed)
    const published = broker.publish(message)
    expect(broker.capacity()).toBe(2)
    work.open()
    await published
    expect(reported).toEqual([2, 3, 3])
  })

  test('confirms a message after its handler has finished; a stopping consumer waits for it', async () => {
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

  test('rejects a message whose handler throws, even before its first await, and is free again', async () => {
    const broker = openLocalBroker()
    await broker.consume(1, () => {
      throw new Error('broken')
    })
    await expect(broker.publish(message)).rejects.toThrow(ReturnedError)
    expect(broker.capacity()).toBe(1)
  })

  test('closed, rejects the messages whose handlers do not finish in time, also of a stopping consumer', async () => {
    const broker = openLocalBroker({ closeTimeoutMs: 20 })
    const consumption = await broker.consume(1, () => gate().passed)
    const published = expect(broker.publish(message)).rejects.toThrow('stopped before')
    const stopped = consumption.stop()
    await broker.close()
    await Promise.all([published, stopped])
  })

  test('rejects messages without a consumer, and once closed with several', async () => {
    const broker = openLocalBroker()
    await expect(broker.publish(message)).rejects.toThrow('no worker')
    await broker.consume(1, async () => {})
    await broker.consume(1, async () => {})
    await broker.close()
    expect(broker.capacity()).toBe(0)
  })
})
