import { setTimeout } from 'node:timers/promises'
import type { Logger } from '../background/outage-log.ts'
import { backOffMs } from '../background/waiting.ts'
import { type Child, type ChildEnd, type ChildOptions, startChild } from './child.ts'
import { killWhenSilent } from './silence.ts'

/** A process that is started again when it ends by itself. */
export interface SupervisedProcess {
  /** For the log, such as "the worker". */
  readonly name: string
  /** Whether a failure of the first start ends everything; otherwise it is tried again. */
  readonly isVital: boolean
  describe(): ChildOptions
  /** Called at each start. Resolves once the process is ready. */
  whenReady(child: Child): Promise<void>
  /** Runs what needs this process, until `signal` is aborted. */
  whileReady?(child: Child, signal: AbortSignal): Promise<void>
}

/** The first start of a vital process has failed. */
export class FirstStartError extends Error {
  readonly exitCode: number

  constructor(name: string, { code, failure }: ChildEnd) {
    super(`${name} did not start: ${failure ?? 'its message is above'}`)
    this.name = 'FirstStartError'
    this.exitCode = code || 1
  }
}

const RESTART = { baseMs: 1000, maxMs: 30_000 }
/** Of a process that has never been ready: each try costs a slow machine much CPU time. */
const FIRST_START = { baseMs: 1000, maxMs: 300_000 }
/** A process that ran so long was healthy: its next failure counts as the first. */
const HEALTHY_MS = 60_000
/** Service and worker end by themselves within 10 s. */
const STOP_TIMEOUT_MS = 15_000

/**
 * Returns a function that runs the process until `signal` is aborted, and starts it again with
 * growing pauses when it ends by itself. The function throws `FirstStartError` if a vital process
 * has never been ready and was not killed. After its end it can be called again.
 */
export function createRestarts(supervised: SupervisedProcess, logger: Logger) {
  const { name, isVital } = supervised
  let wasReady = false
  let failures = 0
  /** What needs the process. After a restart the work of the last process may still be ending. */
  let dependents: Promise<void> = Promise.resolve()

  /** Resolves with the end of the process; undefined if it was stopped. */
  const runOnce = async (signal: AbortSignal): Promise<ChildEnd | undefined> => {
    const child = startChild(supervised.describe())
    const ready = supervised.whenReady(child)
    killWhenSilent(child, ready, name, logger)
    const over = AbortSignal.any([signal, child.gone])
    try {
      await Promise.race([ready, abortOf(over)])
      if (!over.aborted) {
        wasReady = true
        dependents = dependents.then(() => supervised.whileReady?.(child, over))
        await Promise.race([dependents, abortOf(over)])
      }
      await abortOf(over)
      if (!signal.aborted) return await child.ended
      await dependents
    } finally {
      if (!child.gone.aborted) {
        const { signal: endSignal } = await child.stop(STOP_TIMEOUT_MS)
        if (endSignal === 'SIGKILL') logger.error({}, `${name} did not stop in time: it was killed`)
      }
    }
    return undefined
  }

  return async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const end = await runOnce(signal)
      if (end === undefined || signal.aborted) break
      if (isVital && !wasReady && end.code !== null) throw new FirstStartError(name, end)
      failures = end.ranMs < HEALTHY_MS ? failures + 1 : 1
      const pauseMs = Math.round(backOffMs(failures, wasReady ? RESTART : FIRST_START))
      const { code, signal: endSignal, failure } = end
      logger[code === 0 ? 'warn' : 'error'](
        { code, signal: endSignal, failure, pauseMs },
        `${name} has ended; it starts again after a pause`,
      )
      await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined)
    }
    await dependents
  }
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
