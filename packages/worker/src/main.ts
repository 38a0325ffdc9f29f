#!/usr/bin/env node
import { readConfiguration } from './configuration.ts'
import { openWorkerLog } from './logger.ts'
import { createRabbitmqSource } from './rabbitmq-source.ts'
import { startWorker } from './worker.ts'

async function main(): Promise<void> {
  const configuration = await readConfiguration(process.env, process.argv.slice(2))
  const { amqpUrl: url, queue, queueType, unsandboxed, logLevel, ...rest } = configuration
  const logger = openWorkerLog(logLevel)
  const source = createRabbitmqSource({ url, queue, queueType, logger })
  const worker = await startWorker({
    ...rest,
    source,
    sandbox: unsandboxed ? 'unsandboxed' : 'bubblewrap',
    logger,
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // A second signal ends the process immediately. RabbitMQ then delivers its messages again.
    process.once(signal, () => void worker.stop().then(() => process.exit(0)))
  }
}

main().catch((err: unknown) => {
  process.stderr.write(`${err instanceof Error ? err.message : String(err)}\n`)
  process.exit(1)
})
