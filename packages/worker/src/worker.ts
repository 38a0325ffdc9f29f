import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '@judge-data-layer/languages'
import { createRerunBudget } from './judging/rerun-budget.ts'
import { createMessageHandler } from './messages/handle-message.ts'
import { createJudgeApi, type JudgeApi } from './messages/judge-api.ts'
import type { Message, MessageHandler, MessageSource, Subscription } from './messages/message-source.ts'
import { createWorkerMetrics } from './operators/metrics.ts'
import { type OperatorsAddress, serveOperators } from './operators/serve-operators.ts'
import { findMissingCommand } from './programs/program.ts'
import { openSandbox, type SandboxMode } from './sandbox/open-sandbox.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { openWorkspace } from './sandbox/workspace.ts'
import { logInFirst } from './service/first-login.ts'
import { createHttpSession, type HttpSession } from './service/http-session.ts'
import { type Registration, startRegistration } from './service/registration.ts'
import { type Logger, silentLogger } from './shared/logger.ts'
import { DEFAULT_SETTINGS, MIB, type WorkerSettings } from './shared/worker-settings.ts'
import { TestCache } from './tests/test-cache.ts'
import { ValidatorStore } from './validation/validator-store.ts'

export type { Message, MessageHandler, MessageSource, Subscription } from './messages/message-source.ts'
export type { SandboxMode } from './sandbox/open-sandbox.ts'
export type { Logger } from './shared/logger.ts'
export type { CompileSettings, WorkerSettings } from './shared/worker-settings.ts'

export interface WorkerOptions extends Partial<WorkerSettings> {
  /** The service's address, without `/v1`. */
  readonly apiUrl: string
  readonly judgePassword: string
  readonly source: MessageSource
  readonly languages: readonly Language[]
  /** How many programs are judged at once. */
  readonly concurrency: number
  readonly sandbox: SandboxMode
  /** More paths that sandboxed programs may read, such as compilers outside /usr. */
  readonly sandboxPaths?: readonly string[]
  readonly logger?: Logger
  /** Where `/metrics` and `/health` listen, without authentication; undefined: nowhere. */
  readonly metricsAddress?: OperatorsAddress | undefined
  /** How long the first login waits for a service that is starting; default: 10 minutes. */
  readonly serviceWaitMs?: number
  /** How long `stop` waits for running programs; default: 5 seconds. */
  readonly stopGraceMs?: number
}

export interface Worker {
  readonly isolation: string
  /** The languages whose compilers and runtimes are installed. */
  readonly installedLanguages: readonly Language[]
  /** The address of `/metrics` and `/health`; undefined without a port. */
  readonly operatorsUrl: string | undefined
  /** Takes no new message and waits for running programs. Messages of slow programs go back. */
  stop(): Promise<void>
}

const STOP_GRACE_MS = 5000
const RERUN_SECONDS = 30
const RERUN_PERIOD_MS = 10 * 60_000
const SERVICE_WAIT_MS = 10 * 60_000
// Judged programs must not reach the tests, validators and outputs.
const PRIVATE = 0o700

/**
 * Logs in, opens the sandbox and judges the messages of the source. Throws `StartError` if the
 * login fails, `SandboxFailure` if the sandbox cannot be opened, and the errors of the source.
 */
export async function startWorker(given: WorkerOptions): Promise<Worker> {
  const options = { ...DEFAULT_SETTINGS, ...given }
  const { source, concurrency, languages, compile, verdicts, logger = silentLogger } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const api = createJudgeApi(await openSession(options, signal), options.workerName)
  const resources = await openResources(options, api, logger, signal)
  const metrics = createWorkerMetrics()
  const { tests, tools } = resources
  const sandbox = metrics.watchSandbox(resources.sandbox)
  const reruns = createRerunBudget(RERUN_SECONDS, RERUN_PERIOD_MS)
  const onJudged = metrics.countJudged
  const judge = { api, tests, tools, sandbox, languages, compile, verdicts, reruns, logger, signal, onJudged }
  const work = trackWork(metrics.watchHandler(createMessageHandler(judge)))
  const missing = findMissing(languages, sandbox)
  const installed = languages.filter((language) => !missing.has(language))
  let findFaults = (): readonly string[] => ['the worker is starting']
  const version = readVersion()
  metrics.describeWorker({
    ...{ version, concurrency, languages: installed },
    countWork: () => work.list().length,
    isHealthy: () => findFaults().length === 0,
  })
  const closing = [resources.close]
  const closeAfter = async (err: unknown) => {
    for (const close of closing) await close()
    throw err
  }
  // Before the first message: a worker whose port is taken must not take any.
  const server = await serveOperators(options.metricsAddress, metrics, () => findFaults()).catch(closeAfter)
  if (server !== undefined) closing.unshift(server.close)
  const subscription = await source.consume(concurrency, work.handler).catch(closeAfter)
  const named = installed.map(({ name, version, aliases }) => ({ name, version, aliases: [...aliases] }))
  const registration = startRegistration({
    send: (body) => api.register(options.workerName, body),
    describe: () => ({ languages: named, concurrency, version, judging: work.list() }),
    logger,
  })
  findFaults = () => [subscription.fault?.(), registration.fault()].filter((fault) => fault !== undefined)
  logLanguages(installed, missing, logger)
  const isolation = sandbox.description
  logger.info({ isolation, concurrency, metricsUrl: server?.url }, 'the judge worker has started')
  const stop = createStop({ ...options, logger, stopping, subscription, registration, work, closing })
  return { isolation, installedLanguages: installed, operatorsUrl: server?.url, stop }
}

interface Started {
  readonly logger: Logger
  readonly stopGraceMs?: number
  readonly stopping: AbortController
  readonly subscription: Subscription
  readonly registration: Registration
  readonly work: ReturnType<typeof trackWork>
  readonly closing: readonly (() => Promise<void>)[]
}

/** Makes `stop` of a worker; further calls wait for the first. */
function createStop(started: Started): Worker['stop'] {
  const { logger, stopGraceMs = STOP_GRACE_MS, stopping, subscription, registration } = started
  const stop = async () => {
    const giveBack = () => stopping.abort(new Error('the worker is stopping'))
    const timer = setTimeout(giveBack, stopGraceMs)
    // At once: it must come before the end of requests in progress.
    const unregistered = registration.stop()
    await subscription.stop().catch((err: unknown) => logger.warn({ err }, 'the source failed to stop'))
    await started.work.settled()
    clearTimeout(timer)
    await unregistered
    for (const close of started.closing) await close()
    logger.info({}, 'the judge worker has stopped')
  }
  let stopped: Promise<void> | undefined
  return () => {
    stopped ??= stop()
    return stopped
  }
}

/** Wraps the handler of messages, and lists those that it works on. */
function trackWork(handle: MessageHandler) {
  const begun = new Map<Promise<void>, { id: string; startedAt: number }>()
  return {
    handler(message: Message) {
      const call = handle(message).finally(() => begun.delete(call))
      begun.set(call, { id: message.id, startedAt: performance.now() })
      return call
    },
    settled: () => Promise.allSettled(begun.keys()),
    /** The ids of messages that are judged, each with its seconds so far. */
    list: () =>
      [...begun.values()].map(({ id, startedAt }) => ({
        id,
        seconds: (performance.now() - startedAt) / 1000,
      })),
  }
}

/** The version in the worker's package.json, found from src and from dist. */
function readVersion(): string {
  const file = new URL('../package.json', import.meta.url)
  const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'))
  return version
}

/** Opens the sandbox and what is kept on disk; `close` deletes the folders. */
async function openResources(
  options: WorkerOptions & WorkerSettings,
  api: JudgeApi,
  logger: Logger,
  signal: AbortSignal,
) {
  const { sandbox: mode, sandboxPaths: paths = [], firstUserId, allowWeakIsolation } = options
  const { languages, compile, testCacheBytes: maxBytes } = options
  const folderLimits = { bytes: compile.folderMib * MIB, files: compile.folderFiles }
  const workspace = await openWorkspace(logger)
  try {
    const folder = await workspace.makeFolder('tests', PRIVATE)
    const sandbox = await openSandbox({ mode, paths, firstUserId, allowWeakIsolation, folderLimits, logger })
    const validators = await workspace.makeFolder('validators', PRIVATE)
    const outputs = await workspace.makeFolder('outputs', PRIVATE)
    return {
      sandbox,
      tests: new TestCache({ api, folder, maxBytes, logger }),
      tools: {
        validators: new ValidatorStore({ folder: validators, sandbox, languages, compile, signal, logger }),
        makeOutputPath: () => join(outputs, randomUUID()),
      },
      async close() {
        await sandbox.close()
        await workspace.close()
      },
    }
  } catch (err) {
    await workspace.close()
    throw err
  }
}

async function openSession(options: WorkerOptions, signal: AbortSignal): Promise<HttpSession> {
  const { apiUrl, judgePassword, serviceWaitMs: waitMs = SERVICE_WAIT_MS, logger = silentLogger } = options
  const session = createHttpSession({ apiUrl: apiUrl.replace(/\/+$/, ''), judgePassword, signal })
  await logInFirst(session, { apiUrl, waitMs, logger })
  return session
}

function findMissing(languages: readonly Language[], sandbox: Sandbox): ReadonlyMap<Language, string> {
  const commands = languages.map((language) => [language, findMissingCommand(language, sandbox)] as const)
  return new Map(commands.flatMap(([language, command]) => (command ? [[language, command]] : [])))
}

function logLanguages(
  installed: readonly Language[],
  missing: ReadonlyMap<Language, string>,
  logger: Logger,
): void {
  logger.info({ languages: installed.map(({ name }) => name) }, 'installed languages')
  const described = [...missing].map(([{ name, version }, command]) => `${name} ${version}: ${command}`)
  if (missing.size > 0)
    logger.info({ missing: described }, 'languages that are not installed: their programs get INTERNAL_ERROR')
}
