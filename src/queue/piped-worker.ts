import type { Pipe, PipeMessage } from '@judge-data-layer/runtime/judging-pipe'
import type { GradingMessage } from './broker.ts'
import type { LocalBroker } from './local-broker.ts'

interface Delivery {
  resolve(): void
  reject(reason: Error): void
}

/**
 * Lets the workers at the other end of the pipe consume the queue, one after another: a new one
 * follows one whose process has ended. Messages that an ended worker held go back to the queue.
 */
export function servePipedWorker(queue: LocalBroker, pipe: Pipe): void {
  const deliveries = new Map<number, Delivery>()
  let lastDelivery = 0
  let subscription: ReturnType<LocalBroker['consume']> | undefined
  const deliver = (body: GradingMessage) => {
    lastDelivery += 1
    const delivery = lastDelivery
    return new Promise<void>((resolve, reject) => {
      deliveries.set(delivery, { resolve, reject })
      void pipe.send({ kind: 'delivery', delivery, body })
    })
  }
  const stop = () => {
    void subscription?.then((current) => current.stop())
    subscription = undefined
  }
  const settle = ({ delivery, failure }: Extract<PipeMessage, { kind: 'settled' }>) => {
    const waiting = deliveries.get(delivery)
    deliveries.delete(delivery)
    if (failure === undefined) waiting?.resolve()
    else waiting?.reject(new Error(`the worker gave the message back: ${failure}`))
  }
  pipe.onMessage((message) => {
    if (message.kind === 'ready') {
      stop()
      // Kept at once: the next message may already end this worker.
      subscription = queue.consume(message.concurrency, deliver)
    } else if (message.kind === 'settled') settle(message)
    else if (message.kind === 'stopping') stop()
    else if (message.kind === 'worker ended') {
      stop()
      for (const waiting of deliveries.values()) waiting.reject(new Error('the worker has ended'))
      deliveries.clear()
    }
  })
}
