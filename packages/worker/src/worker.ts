import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Language } from '@judge-data-layer/languages'
import { createMessageHandler } from './handle-message.ts'
import { createHttpSession, type HttpSession } from './http-session.ts'
import { createJudgeApi } from './judge-api.ts'
import { type Logger, silentLogger } from './logger.ts'
import type { MessageHandler, MessageSource } from './message-source.ts'
import { findMissingCommand } from './program.ts'
import { openSandbox, type SandboxMode } from './sandbox/open-sandbox.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { openWorkspace } from './sandbox/workspace.ts'
import { describeFailedLogin } from './start-error.ts'
import { TestCache } from './test-cache.ts'
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
const FIRST_LOGIN_TIMEOUT_MS = 7000
// Judged programs must not reach the kept tests.
const TESTS_MODE = 0o700

/**
 * Logs in, opens the sandbox and judges the messages of the source. Throws `StartError` if the
 * login fails, `SandboxFailure` if the sandbox cannot be opened, and the errors of the source.
 */
export async function startWorker(given: WorkerOptions): Promise<Worker> {
  const options = { ...DEFAULT_SETTINGS, ...given }
  const { source, concurrency, languages, logger = silentLogger } = options
  const stopping = new AbortController()
  const session = await openSession(options, stopping.signal)
  const sandbox = await openSandbox({ mode: options.sandbox, paths: options.sandboxPaths ?? [], logger })
  const workspace = await openWorkspace()
  const close = async () => {
    await sandbox.close()
    await workspace.close()
  }
  const api = createJudgeApi(session)
  const folder = join(await workspace.createFolder(), 'tests')
  await mkdir(folder, { mode: TESTS_MODE })
  const tests = new TestCache({ api, folder, maxBytes: options.testCacheBytes, logger })
  const { handler, settled } = trackRunning(
    createMessageHandler({
      ...{ api, tests, sandbox, languages, logger },
      signal: stopping.signal,
    }),
  )
  const subscription = await source.consume(concurrency, handler).catch(async (err: unknown) => {
    await close()
    throw err
  })
  const missing = findMissingCommands(languages, sandbox)
  const installedLanguages = languages.filter((language) => !missing.has(language))
  const isolation = sandbox.description
  logger.info(
    { isolation, concurrency, languages: installedLanguages.map((language) => language.name) },
    'the judge worker has started',
  )
  logMissing(missing, logger)
  const stop = async () => {
    const giveBack = () => stopping.abort(new Error('the worker is stopping'))
    const timer = setTimeout(giveBack, options.stopGraceMs ?? STOP_GRACE_MS)
    await subscription
      .stop()
      .catch((err: unknown) => logger.warn({ err }, 'the source did not stop in good order'))
    await settled()
    clearTimeout(timer)
    await close()
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

async function openSession(options: WorkerOptions, signal: AbortSignal): Promise<HttpSession> {
  const { apiUrl, judgePassword } = options
  const session = createHttpSession({ apiUrl: apiUrl.replace(/\/+$/, ''), judgePassword, signal })
  await session.logIn(FIRST_LOGIN_TIMEOUT_MS).catch((err: unknown) => {
    throw describeFailedLogin(apiUrl, err)
  })
  return session
}

/** The languages that cannot be judged here, each with the command that is not installed. */
function findMissingCommands(languages: readonly Language[], sandbox: Sandbox): Map<Language, string> {
  const missing = new Map<Language, string>()
  for (const language of languages) {
    const command = findMissingCommand(language, sandbox)
    if (command !== undefined) missing.set(language, command)
  }
  return missing
}

function logMissing(commands: ReadonlyMap<Language, string>, logger: Logger): void {
  const missing = [...commands].map(([{ name, version }, command]) => `${name} ${version}: ${command}`)
  if (missing.length > 0)
    logger.warn({ missing }, 'languages are not installed: their programs get INTERNAL_ERROR')
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
