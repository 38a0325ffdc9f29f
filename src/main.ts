import { openLog } from '@judge-data-layer/process/log'
import { type Config, ConfigError, configWarnings, loadConfig } from './config/config.ts'
import { StartError } from './config/start-error.ts'
import { startService } from './service.ts'

const SHUTDOWN_TIMEOUT_MS = 10_000

const config = readConfig()
const logger = openLog(config.logLevel)
for (const warning of configWarnings(config, process.env)) logger.warn(warning)
// Unhandled rejections too. The state is unknown: exit, and let a supervisor start a new process.
process.on('uncaughtException', (err, origin) => {
  logger.fatal({ err, origin }, 'unhandled failure: the process exits')
  process.exit(1)
})

try {
  const service = await startService(config, logger)
  logger.info({ url: service.url }, 'listening')
  if (config.queue.url === undefined) {
    logger.info('no worker will judge until AMQP_URL is set: messages wait in the database')
  }
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
} catch (err) {
  if (err instanceof StartError) console.error(`The service cannot start. ${err.message}`)
  else logger.fatal({ err }, 'did not start')
  process.exit(1)
}

function readConfig(): Config {
  try {
    return loadConfig(process.env)
  } catch (err) {
    if (!(err instanceof ConfigError)) throw err
    console.error(err.message)
    process.exit(1)
  }
}
