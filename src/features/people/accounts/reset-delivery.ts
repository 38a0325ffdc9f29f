import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Program } from '../../../config/program.ts'

/** A reset token, and the address of the account. */
interface Reset {
  readonly email: string
  readonly token: string
}

/** Gives reset tokens to the operator's program. */
export interface ResetDelivery {
  /** Returns at once. Too many waiting tokens: the token is dropped, which is logged. */
  deliver(reset: Reset): void
  /** Delivers what waits, for a few seconds at most; then ends all programs. */
  stop(): Promise<void>
}

interface DeliveryBounds {
  readonly running: number
  readonly waiting: number
  readonly timeoutMs: number
  readonly stopMs: number
  /** The longest time before a program starts. */
  readonly delayMs: number
}

/** So many programs run at the same time. */
const BOUNDS: DeliveryBounds = { running: 4, waiting: 100, timeoutMs: 30_000, stopMs: 2000, delayMs: 1000 }

interface DeliveryOptions {
  readonly program: Program
  readonly logger: Pick<FastifyBaseLogger, 'warn'>
  /** Default: as in production. */
  readonly bounds?: Partial<DeliveryBounds>
}

/**
 * Starts the program once for each token. It gets one JSON line on its standard input, no variables
 * but `PATH`, and a process group that is killed after the time limit. Neither address nor token
 * are logged, nor what the program prints.
 */
export function createResetDelivery({ program, logger, bounds }: DeliveryOptions): ResetDelivery {
  const { running: mostRunning, waiting: mostWaiting, ...times } = { ...BOUNDS, ...bounds }
  const waiting: Reset[] = []
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  const killing = new AbortController()
  const next = () => {
    if (running.size >= mostRunning) return
    const reset = waiting.shift()
    if (reset === undefined) return
    const run = deliverOne(reset).finally(() => {
      running.delete(run)
      next()
    })
    running.add(run)
  }
  const deliverOne = async (reset: Reset) => {
    // Starting a process occupies the event loop for some milliseconds. At a random time later, no
    // response of the same client is slower because the account exists (D13).
    await wait(Math.random() * times.delayMs, undefined, { signal: stopping.signal }).catch(() => {})
    if (killing.signal.aborted) return
    const failure = await runProgram(program, reset, times.timeoutMs, killing.signal).catch(nameFailure)
    if (failure !== undefined) logger.warn(failure, 'the program of PASSWORD_RESET_COMMAND failed')
  }
  return {
    deliver(reset) {
      if (waiting.length >= mostWaiting || stopping.signal.aborted) {
        logger.warn(
          'a reset token was not delivered: too many wait for the program of PASSWORD_RESET_COMMAND',
        )
        return
      }
      waiting.push(reset)
      next()
    },
    async stop() {
      stopping.abort()
      const ended = new AbortController()
      const finish = async () => {
        while (running.size > 0) await Promise.all(running)
        ended.abort()
      }
      const patience = wait(times.stopMs, undefined, { signal: ended.signal }).catch(() => {})
      const finished = finish()
      await patience
      const count = waiting.splice(0).length + running.size
      if (count > 0) logger.warn({ count }, 'the service stopped before reset tokens were delivered')
      killing.abort()
      await finished
    },
  }
}

/** Why a program failed; nothing that it printed. */
interface Failure {
  readonly reason: string
  readonly exitCode?: number | null
  readonly signal?: NodeJS.Signals | null
}

/** Resolves when the program has ended; returns why it failed. */
async function runProgram(
  { path, args }: Program,
  reset: Reset,
  timeoutMs: number,
  killing: AbortSignal,
): Promise<Failure | undefined> {
  // A process group of its own, so that its children can be killed too.
  const child = spawn(path, args, {
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  let isLate = false
  const kill = () => killGroup(child)
  const timer = setTimeout(() => {
    isLate = true
    kill()
  }, timeoutMs)
  killing.addEventListener('abort', kill)
  // A program need not read its input.
  child.stdin.on('error', () => {}).end(`${JSON.stringify(reset)}\n`)
  try {
    await once(child, 'exit')
    const { exitCode, signalCode: signal } = child
    if (isLate) return { reason: `it was killed after ${timeoutMs} ms` }
    return exitCode === 0 ? undefined : { reason: 'it did not exit with 0', exitCode, signal }
  } catch (err) {
    return nameFailure(err)
  } finally {
    clearTimeout(timer)
    killing.removeEventListener('abort', kill)
    kill()
  }
}

/** The message of an error would name the program's arguments. */
const nameFailure = (err: unknown): Failure => ({ reason: `it could not be started (${Object(err).code})` })

/** Ends the program with all children that did not leave its group. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All have ended.
  }
}
