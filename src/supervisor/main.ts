import { DEFAULT_LOG_LEVEL, LOG_LEVELS, openLog } from '@judge-data-layer/runtime/log'
import { readSecretFiles } from '@judge-data-layer/runtime/secret-files'
import { onStopSignal } from '@judge-data-layer/runtime/stop-signals'
import type { Logger } from '../background/outage-log.ts'
import { secretNames } from '../config/secret-names.ts'
import { findServiceUser, isRoot } from '../config/service-user.ts'
import { ConfigError, StartError } from '../config/start-error.ts'
import type { ChildOptions } from './child.ts'
import { FirstStartError } from './restarts.ts'
import { superviseService } from './supervise.ts'
import { findWorker } from './worker-process.ts'

/**
 * `npm start -- --judge`: runs the service and a worker on this machine until SIGTERM or SIGINT.
 * Returns the exit code. A second signal ends this process; its children then end by themselves.
 * Throws `ConfigError` and `StartError`.
 */
export async function runWithWorker(
  variables: NodeJS.ProcessEnv,
  workerFlags: readonly string[],
): Promise<number> {
  // The service reports a wrong level.
  const logger = openLog(LOG_LEVELS.find((level) => level === variables.LOG_LEVEL) ?? DEFAULT_LOG_LEVEL)
  const filled = fillSecrets(variables)
  if (filled.AMQP_URL?.trim())
    throw new StartError('AMQP_URL', 'must be unset with --judge: the queue is in the database')
  const service = await describeService(filled, logger)
  const worker = await findWorker(filled, workerFlags)
  // Before the first child: the children then start in the right group. If this fails, the worker
  // says why and what to do.
  await worker.leaveProgramsGroup().catch(() => undefined)
  try {
    await superviseService({ service, worker, logger, signal: abortOnSignal(logger) })
    return 0
  } catch (err) {
    if (!(err instanceof FirstStartError)) throw err
    logger.error({}, err.message)
    return err.exitCode
  }
}

/** Reads the files of the secrets here: `SERVICE_USER` may not be able to. Throws `ConfigError`. */
function fillSecrets(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { variables, problems } = readSecretFiles(given, secretNames)
  if (problems.length > 0) throw new ConfigError(problems.map(({ message }) => message))
  return variables
}

function abortOnSignal(logger: Logger): AbortSignal {
  const stopping = new AbortController()
  onStopSignal((signal) => {
    logger.info({ signal }, 'stopping the worker, then the service')
    stopping.abort()
  })
  return stopping.signal
}

/** The service as a child: this script without `--judge`, as `SERVICE_USER` for root. */
async function describeService(variables: NodeJS.ProcessEnv, logger: Logger): Promise<ChildOptions> {
  const user = await findServiceUser(variables)
  if (user !== undefined && !isRoot())
    throw new StartError('SERVICE_USER', 'only root can start a process as another user')
  if (user === undefined && isRoot()) logger.warn({}, 'SERVICE_USER is not set: the service runs as root')
  return {
    script: process.argv[1] ?? '',
    args: ['--supervised'],
    environment: variables,
    user,
  }
}
