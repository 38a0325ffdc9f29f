#!/usr/bin/env node
import { pipeToParent } from '@judge-data-layer/runtime/judging-pipe'
import { onStopSignal } from '@judge-data-layer/runtime/stop-signals'
import { readConfiguration } from './configuration.ts'
import { createParentSource } from './messages/parent-source.ts'
import { createRabbitmqSource } from './messages/rabbitmq-source.ts'
import { describeError, openWorkerLog } from './shared/logger.ts'
import { startWorker } from './worker.ts'

async function main(): Promise<void> {
  const configuration = await readConfiguration(process.env, process.argv.slice(2))
  const { amqpUrl: url, queue, queueType, logLevel, unsandboxed } = configuration
  const logger = openWorkerLog(logLevel)
  // During the start nothing has to be given back.
  let stop = (): void => process.exit(0)
  // The parent has gone, if a parent started it.
  process.once('disconnect', () => stop())
  // A process that is ended by a second signal gets its messages delivered again.
  onStopSignal(() => stop())
  const worker = await startWorker({
    ...configuration,
    source:
      url === undefined
        ? createParentSource(pipeToParent(), logger)
        : createRabbitmqSource({ url, queue, queueType, logger }),
    sandbox: unsandboxed ? 'unsandboxed' : 'bubblewrap',
    logger,
  })
  stop = () => void worker.stop().then(() => process.exit(0))
}

main().catch((err: unknown) => {
  const reason = describeError(err)
  process.stderr.write(`${reason}\n`)
  const end = () => process.exit(1)
  if (process.send) void pipeToParent().send({ kind: 'failed', reason }).then(end)
  else end()
})
