import { startDeadline } from '@judge-data-layer/client/deadline'
import { InvalidArgumentError, Option } from 'commander'
import { CliError, EXIT } from './errors.ts'
import type { Io } from './io.ts'

const MOST_SECONDS = 1_000_000

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

const stopError = (message: string, advice: string, exitCode: 1 | 130, code: string) =>
  new CliError(`${message}\n${advice}`, exitCode, code)

function readSeconds(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) <= MOST_SECONDS) return Number(text)
  throw new InvalidArgumentError(`It must be a number of seconds up to ${MOST_SECONDS}.`)
}
