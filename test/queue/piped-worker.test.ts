import type { Pipe, PipeMessage } from '@judge-data-layer/process/judging-pipe'
import { beforeEach, describe, expect, it } from 'vitest'
import type { QueuedMessage } from '../../src/queue/broker.ts'
import type { LocalBroker } from '../../src/queue/local-broker.ts'
import { servePipedWorker } from '../../src/queue/piped-worker.ts'
import { openLocalBroker } from './harness.ts'

const body = { type: 'submission', id: 'a' } as const
const message: QueuedMessage = {
  ...{ outboxId: '1', body, judging: 1, claims: 1, enqueuedAt: '2026-04-01T18:00:00Z' },
}

let broker: LocalBroker
let sent: PipeMessage[]
/** Messages that arrive from the parent in one read. */
let receive: (...messages: PipeMessage[]) => void

beforeEach(() => {
  broker = openLocalBroker({ closeTimeoutMs: 20 })
  sent = []
  const pipe: Pipe = {
    send: async (one) => void sent.push(one),
    onMessage: (listener) => {
      receive = (...messages) => messages.forEach(listener)
    },
    onEnd: () => {},
  }
  servePipedWorker(broker, pipe)
})

describe('a worker at the other end of the pipe', () => {
  it('gets as many messages as it has room for, and acknowledges or returns each', async () => {
    receive({ kind: 'ready', concurrency: 2 })
    const done = broker.publish(message)
    const returned = expect(broker.publish(message)).rejects.toThrow('gave the message back: broken')
    expect(sent).toEqual([1, 2].map((delivery) => ({ kind: 'delivery', delivery, body })))
    await expect(broker.publish(message)).rejects.toThrow('no worker is free')
    receive({ kind: 'settled', delivery: 2, failure: 'broken' }, { kind: 'settled', delivery: 1 })
    await Promise.all([done, returned])
    expect(broker.capacity()).toBe(2)
  })

  it('gives its messages back when its process has ended; the next worker gets them', async () => {
    receive({ kind: 'ready', concurrency: 1 })
    const lost = expect(broker.publish(message)).rejects.toThrow('the worker has ended')
    receive({ kind: 'worker ended', worker: 'judge' }, { kind: 'ready', concurrency: 1 })
    await lost
    await expect.poll(() => broker.capacity()).toBe(1)
    const published = broker.publish(message)
    receive({ kind: 'settled', delivery: 2 })
    await published
  })

  it('that starts and ends within one read gets no message', async () => {
    receive(
      { kind: 'ready', concurrency: 1 },
      { kind: 'stopping' },
      { kind: 'worker ended', worker: 'judge' },
    )
    await expect.poll(() => broker.capacity()).toBe(0)
    await expect(broker.publish(message)).rejects.toThrow('no worker is free')
  })
})
