import { setTimeout as sleep } from 'node:timers/promises'
import { startDeadline } from '@judge-data-layer/client/deadline'
import { JudgeApiError, NoResponseError } from '@judge-data-layer/client/errors'
import { InvalidArgumentError, Option } from 'commander'
import { CliError, EXIT } from './errors.ts'
import type { Io, Progress } from './io.ts'

const MOST_SECONDS = 1_000_000
const READS_AT_MOST = 5

/** The options of commands that can wait. */
export interface WaitOptions {
  readonly wait?: true
  /** In seconds. */
  readonly timeout: number
}

/** The option `--timeout`, in seconds. `waiting` names the option that makes the command wait. */
export function timeoutOption(waiting?: '--wait' | '--verify'): Option {
  const limit = 'stop waiting after this time'
  const description = waiting === undefined ? limit : `with ${waiting}: ${limit}`
  return new Option('--timeout <seconds>', description).default(3600, '3600').argParser(readSeconds)
}

/** Runs a wait that the time limit or Ctrl-C ends, with an error that ends with `advice`. */
export function waitAtMost<Result>(
  io: Io,
  timeoutSeconds: number,
  advice: string,
  wait: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return waitUntilStopped(io, advice, async (interrupted) => {
    const deadline = startDeadline(timeoutSeconds * 1000, interrupted)
    try {
      return await wait(deadline.signal)
    } catch (err) {
      if (!deadline.isOver || err !== deadline.signal.reason) throw err
      throw stopError(`There is no result after ${timeoutSeconds} s.`, advice, EXIT.rejected, 'TIMEOUT')
    } finally {
      deadline.close()
    }
  })
}

/** Runs work that Ctrl-C ends, with an error that ends with `advice`. */
export async function waitUntilStopped<Result>(
  { interrupts }: Io,
  advice: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const interrupted = new AbortController()
  const interrupt = () => interrupted.abort(stopError('Stopped.', advice, EXIT.interrupted, 'INTERRUPTED'))
  // A second Ctrl-C ends the process.
  interrupts.once('SIGINT', interrupt)
  try {
    return await work(interrupted.signal)
  } finally {
    interrupts.off('SIGINT', interrupt)
  }
}

/** Waits. Rejects with the reason of the signal. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, signal && { signal }).catch(() => {})
  signal?.throwIfAborted()
}

/**
 * Reads again while something is pending, with pauses that grow up to `longestPauseMs`. The
 * progress is the number of parts that are done.
 */
export async function readWhilePending<State>(
  first: State,
  isPending: (state: State) => boolean,
  countDone: (state: State) => number,
  readNext: (before: State) => Promise<State>,
  { progress, longestPauseMs, signal }: { progress: Progress; longestPauseMs: number; signal: AbortSignal },
): Promise<State> {
  let current = first
  progress.advance(countDone(first))
  for (let pauseMs = 200; isPending(current); pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    await pause(pauseMs, signal)
    const next = await readNext(current)
    progress.advance(countDone(next) - countDone(current))
    current = next
  }
  return current
}

/** Reads again after failures that may pass, such as a restart of the service or 429. */
export async function readPatiently<Result>(
  read: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read()
    } catch (err) {
      const isTemporary =
        err instanceof NoResponseError || (err instanceof JudgeApiError && [429, 503].includes(err.status))
      if (!isTemporary || attempt === READS_AT_MOST) throw err
      await pause((err.retryAfterSeconds ?? 1) * 1000, signal)
    }
  }
}

const stopError = (message: string, advice: string, exitCode: 1 | 130, code: string) =>
  new CliError(`${message}\n${advice}`, exitCode, code)

function readSeconds(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) <= MOST_SECONDS) return Number(text)
  throw new InvalidArgumentError(`It must be a number of seconds up to ${MOST_SECONDS}.`)
}
