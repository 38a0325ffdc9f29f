import type { Logger } from '../queue/outage-log.ts'
import type { Child, ChildOptions } from './child.ts'
import { createRestarts } from './restarts.ts'
import type { DescribeWorker } from './worker-process.ts'

export interface SupervisorOptions {
  readonly service: ChildOptions
  readonly worker: DescribeWorker
  readonly logger: Logger
  /** Aborted to stop both processes in order. */
  readonly signal: AbortSignal
}

/**
 * Runs the service and a worker that judges its messages, until `signal` is aborted: then the
 * worker ends its work first, and after it the service. Either is started again when it ends by
 * itself; the worker also after the service. Throws `FirstStartError` if one never started.
 */
export function superviseService({ service, worker, logger, signal }: SupervisorOptions): Promise<void> {
  let url = ''
  let serviceChild: Child | undefined
  let workerChild: Child | undefined
  const keepWorker = createRestarts(
    {
      name: 'the worker',
      describe: () => worker(url),
      whenReady(child) {
        workerChild = child
        return connectWorker(child, serviceChild)
      },
    },
    logger,
  )
  const keepService = createRestarts(
    {
      name: 'the service',
      describe: () => service,
      whenReady: (child) =>
        new Promise((resolve) => {
          child.pipe.onMessage((message) => {
            if (message.kind === 'delivery') void workerChild?.pipe.send(message)
            else if (message.kind === 'listening') {
              url = message.url
              resolve()
            }
          })
        }),
      whileReady(child, whileServing) {
        serviceChild = child
        return keepWorker(whileServing)
      },
    },
    logger,
  )
  return keepService(signal)
}

/** Passes the messages of a worker on to its service. Resolves once the worker is ready. */
function connectWorker(worker: Child, service: Child | undefined): Promise<void> {
  void worker.ended.then(() => service?.pipe.send({ kind: 'worker ended' }))
  return new Promise((resolve) => {
    worker.pipe.onMessage((message) => {
      if (message.kind === 'alive') return
      void service?.pipe.send(message)
      if (message.kind === 'ready') resolve()
    })
  })
}
