import { type Pipe, pipeToParent } from '@judge-data-layer/runtime/judging-pipe'
import { openLog } from '@judge-data-layer/runtime/log'
import type { FastifyBaseLogger } from 'fastify'
import { configWarnings, loadConfig } from './config/config.ts'
import { isRoot } from './config/service-user.ts'
import { StartError } from './config/start-error.ts'
import { servePipedWorker } from './queue/piped-worker.ts'
import { type Service, startService } from './service.ts'

const SHUTDOWN_TIMEOUT_MS = 10_000

/**
 * Runs the service until SIGTERM or SIGINT, and then ends the process. A supervised service lets
 * the worker of its parent judge, and also stops when the parent has gone. Throws `ConfigError` and
 * `StartError`.
 */
export async function runService({ supervised }: { readonly supervised: boolean }): Promise<void> {
  const parent = supervised ? openParent() : undefined
  const config = loadConfig(process.env)
  const logger = openLog(config.logLevel)
  for (const warning of configWarnings(config, process.env)) logger.warn(warning)
  if (!supervised && isRoot() && process.env.SERVICE_USER?.trim())
    logger.warn('SERVICE_USER has no effect without --judge: the service runs as root')
  // Unhandled rejections too. The state is unknown: exit, and let a supervisor start a new process.
  process.on('uncaughtException', (err, origin) => {
    logger.fatal({ err, origin }, 'unhandled failure: the process exits')
    process.exit(1)
  })
  const service = await startService(config, logger).catch((err: unknown) => {
    if (err instanceof StartError) throw err
    logger.fatal({ err }, 'did not start')
    process.exit(1)
  })
  logger.info({ url: service.url }, 'listening')
  if (parent !== undefined) await connectToParent(service, parent)
  else if (config.queue.url === undefined)
    logger.info('no worker will judge until AMQP_URL is set: messages wait in the database')
  stopOnSignal(service, parent, logger)
}

function openParent(): Pipe {
  if (process.send === undefined) throw new StartError('--supervised', 'is only for the child of --judge')
  return pipeToParent()
}

async function connectToParent(service: Service, parent: Pipe): Promise<void> {
  const { url, localQueue, reportFailedJudge } = service
  if (localQueue !== undefined) servePipedWorker(localQueue, parent)
  parent.onMessage((message) => {
    if (message.kind === 'worker ended' && message.failure !== undefined)
      void reportFailedJudge(message.worker, message.failure)
  })
  await parent.send({ kind: 'listening', url })
}

function stopOnSignal(service: Service, parent: Pipe | undefined, logger: FastifyBaseLogger): void {
  let isStopping = false
  const stop = (signal: string) => {
    if (isStopping) return
    isStopping = true
    logger.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref()
    service.stop().then(
      () => process.exit(0),
      (err) => {
        logger.error({ err }, 'the shutdown failed')
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
  parent?.onEnd(() => stop('the parent has gone'))
}
