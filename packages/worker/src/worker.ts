import type { Language } from '@judge-data-layer/languages'
import { createMessageHandler } from './handle-message.ts'
import { createHttpSession } from './http-session.ts'
import { createJudgeApi } from './judge-api.ts'
import { type Logger, silentLogger } from './logger.ts'
import type { MessageHandler, MessageSource } from './message-source.ts'
import { findMissingCommand } from './program.ts'
import { openSandbox, type SandboxMode } from './sandbox/open-sandbox.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { DEFAULT_SETTINGS, type WorkerSettings } from './worker-settings.ts'

export type { Logger } from './logger.ts'
export type { Message, MessageHandler, MessageSource, Subscription } from './message-source.ts'
export type { SandboxMode } from './sandbox/open-sandbox.ts'
export type { CompileSettings, WorkerSettings } from './worker-settings.ts'

export interface WorkerOptions extends Partial<WorkerSettings> {
  /** Where the service listens, without `/v1`. */
  readonly apiUrl: string
  readonly judgePassword: string
  readonly source: MessageSource
  readonly languages: readonly Language[]
  /** How many programs are judged at once. */
  readonly concurrency: number
  readonly sandbox: SandboxMode
  /** More of the machine that sandboxed programs may read, such as compilers outside /usr. */
  readonly sandboxPaths?: readonly string[]
  readonly logger?: Logger
  /** How long `stop` lets what runs go on; 5 seconds unless given. */
  readonly stopGraceMs?: number
}

export interface Worker {
  /** How programs are isolated, in words. */
  readonly isolation: string
  /** The languages whose compilers and runtimes are there. */
  readonly installedLanguages: readonly Language[]
  /** Takes no new message and finishes what runs, or gives its messages back when that takes too long. */
  stop(): Promise<void>
}

const STOP_GRACE_MS = 5000

/** Starts judging what the source delivers. Throws `SandboxFailure` where the sandbox cannot be had. */
export async function startWorker(given: WorkerOptions): Promise<Worker> {
  const options = { ...DEFAULT_SETTINGS, ...given }
  const { source, concurrency, languages, logger = silentLogger } = options
  const sandbox = await openSandbox({ mode: options.sandbox, paths: options.sandboxPaths ?? [], logger })
  const stopping = new AbortController()
  const { handler, settled } = trackRunning(createHandler(options, sandbox, logger, stopping.signal))
  const subscription = await source.consume(concurrency, handler).catch(async (err: unknown) => {
    await sandbox.close()
    throw err
  })
  const installedLanguages = languages.filter(
    (language) => findMissingCommand(language, sandbox) === undefined,
  )
  const isolation = sandbox.description
  logger.info(
    { isolation, concurrency, languages: installedLanguages.map((language) => language.name) },
    'the judge worker has started',
  )
  const stop = async () => {
    const giveBack = () => stopping.abort(new Error('the worker is stopping'))
    const timer = setTimeout(giveBack, options.stopGraceMs ?? STOP_GRACE_MS)
    await subscription
      .stop()
      .catch((err: unknown) => logger.warn({ err }, 'the source did not stop in good order'))
    await settled()
    clearTimeout(timer)
    await sandbox.close()
    logger.info({}, 'the judge worker has stopped')
  }
  let stopped: Promise<void> | undefined
  return {
    isolation,
    installedLanguages,
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}

function createHandler(
  options: WorkerOptions,
  sandbox: Sandbox,
  logger: Logger,
  signal: AbortSignal,
): MessageHandler {
  const { judgePassword, languages } = options
  const session = createHttpSession({ apiUrl: options.apiUrl.replace(/\/+$/, ''), judgePassword, signal })
  return createMessageHandler({ api: createJudgeApi(session), sandbox, languages, logger, signal })
}

/** Wraps a handler so that its calls under way can be waited for. */
function trackRunning(handle: MessageHandler) {
  const running = new Set<Promise<void>>()
  const handler: MessageHandler = (message) => {
    const call = handle(message)
    running.add(call)
    return call.finally(() => running.delete(call))
  }
  return { handler, settled: () => Promise.allSettled([...running]) }
}
