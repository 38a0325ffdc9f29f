import type { Pipe, WorkerMessage } from '@judge-data-layer/process/judging-pipe'
import type { GradingMessage } from './broker.ts'
import type { InProcessBroker } from './in-process.ts'

interface Delivery {
  resolve(): void
  reject(reason: Error): void
}

/**
 * Lets the workers at the other end of the pipe consume the queue, one after another: a new one
 * follows one whose process has ended. Messages that an ended worker held go back to the queue.
 */
export function servePipedWorker(queue: InProcessBroker, pipe: Pipe): void {
  const deliveries = new Map<number, Delivery>()
  let lastDelivery = 0
  let subscription: { stop(): Promise<void> } | undefined
  const deliver = (body: GradingMessage) => {
    lastDelivery += 1
    const delivery = lastDelivery
    return new Promise<void>((resolve, reject) => {
      deliveries.set(delivery, { resolve, reject })
      void pipe.send({ kind: 'delivery', delivery, body })
    })
  }
  const stop = () => {
    void subscription?.stop()
    subscription = undefined
  }
  const settle = ({ delivery, failure }: Extract<WorkerMessage, { kind: 'settled' }>) => {
    const waiting = deliveries.get(delivery)
    deliveries.delete(delivery)
    if (failure === undefined) waiting?.resolve()
    else waiting?.reject(new Error(`the worker gave the message back: ${failure}`))
  }
  pipe.onMessage(async (message) => {
    if (message.kind === 'ready') subscription = await queue.consume(message.concurrency, deliver)
    else if (message.kind === 'settled') settle(message)
    else if (message.kind === 'stopping') stop()
    else if (message.kind === 'worker ended') {
      stop()
      for (const waiting of deliveries.values()) waiting.reject(new Error('the worker has ended'))
      deliveries.clear()
    }
  })
}
