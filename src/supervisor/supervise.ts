import type { Logger } from '../background/outage-log.ts'
import type { Child, ChildEnd, ChildOptions } from './child.ts'
import { createRestarts } from './restarts.ts'
import type { SupervisedWorker } from './worker-process.ts'

export interface SupervisorOptions {
  readonly service: ChildOptions
  readonly worker: SupervisedWorker
  readonly logger: Logger
  /** Aborted to stop both processes in order. */
  readonly signal: AbortSignal
}

/**
 * Runs the service and a worker that judges its messages, until `signal` is aborted: then the
 * worker ends its work first, and after it the service. Either is started again when it ends by
 * itself; the worker also after the service. Throws `FirstStartError` if the service never started.
 * Without a worker the service serves, and knows why nobody judges.
 */
export function superviseService({ service, worker, logger, signal }: SupervisorOptions): Promise<void> {
  let url = ''
  let serviceChild: Child | undefined
  let workerChild: Child | undefined
  const keepWorker = createRestarts(
    {
      name: 'the worker',
      isVital: false,
      describe: () => worker.describe(url),
      whenReady(child) {
        workerChild = child
        return connectWorker(child, serviceChild, worker.name)
      },
    },
    logger,
  )
  const keepService = createRestarts(
    {
      name: 'the service',
      isVital: true,
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
function connectWorker(child: Child, service: Child | undefined, worker: string): Promise<void> {
  void child.ended.then((end) => service?.pipe.send({ kind: 'worker ended', worker, ...findFailure(end) }))
  return new Promise((resolve) => {
    child.pipe.onMessage((message) => {
      if (message.kind === 'alive' || message.kind === 'failed') return
      void service?.pipe.send(message)
      if (message.kind === 'ready') resolve()
    })
  })
}

/** Empty for a process that has ended in order, or that this one has stopped. */
function findFailure({ code, signal, isStopped, failure }: ChildEnd): { failure?: string } {
  if (code === 0 || isStopped) return {}
  return { failure: failure ?? `The worker ended with ${signal ?? `exit code ${code}`}.` }
}
