import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import pLimit from 'p-limit'
import { settlesWithin } from '../../../background/waiting.ts'
import type { Program } from '../../../config/program.ts'

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
  const { running, waiting, ...times } = { ...BOUNDS, ...bounds }
  const limit = pLimit(running)
  const deliveries = new Set<Promise<void>>()
  const stopping = new AbortController()
  const killing = new AbortController()
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
      if (deliveries.size >= running + waiting || stopping.signal.aborted) {
        logger.warn(
          'a reset token was not delivered: too many wait for the program of PASSWORD_RESET_COMMAND',
        )
        return
      }
      const delivery = limit(deliverOne, reset).finally(() => deliveries.delete(delivery))
      deliveries.add(delivery)
    },
    async stop() {
      stopping.abort()
      const finished = Promise.all(deliveries)
      await settlesWithin(finished, times.stopMs)
      const count = deliveries.size
      if (count > 0) logger.warn({ count }, 'the service stopped before reset tokens were delivered')
      killing.abort()
      await finished
    },
  }
}

/** Resolves when the program has ended; returns why it failed, and nothing that it printed. */
async function runProgram({ path, args }: Program, reset: Reset, timeoutMs: number, killing: AbortSignal) {
  // A process group of its own, so that its children can be killed too.
  const child = spawn(path, args, {
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  const late = AbortSignal.timeout(timeoutMs)
  const kill = () => killGroup(child)
  for (const signal of [late, killing]) signal.addEventListener('abort', kill)
  // A program need not read its input.
  child.stdin.on('error', () => {}).end(`${JSON.stringify(reset)}\n`)
  try {
    await once(child, 'exit')
    const { exitCode, signalCode: signal } = child
    if (late.aborted) return { reason: `it was killed after ${timeoutMs} ms` }
    return exitCode === 0 ? undefined : { reason: 'it did not exit with 0', exitCode, signal }
  } finally {
    for (const signal of [late, killing]) signal.removeEventListener('abort', kill)
    kill()
  }
}

/** The message of an error would name the program's arguments. */
const nameFailure = (err: unknown) => ({ reason: `it could not be started (${Object(err).code})` })

/** Ends the program with all children that did not leave its group. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All have ended.
  }
}
