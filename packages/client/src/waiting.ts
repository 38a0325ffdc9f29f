import type { JudgeClient, Schemas } from './client.ts'
import { startDeadline } from './deadline.ts'
import { JudgeApiError, NoResponseError, orThrow } from './errors.ts'
import { pause, withJitter } from './pause.ts'

export interface WaitOptions {
  readonly signal?: AbortSignal
  /** Time limit for the whole wait; default: 5 minutes. */
  readonly timeoutMs?: number
  /** Time limit for one request; default: 30 seconds. */
  readonly requestTimeoutMs?: number
  /** The pause after the first poll; default: 250 ms. Each later pause is 1.5 times as long. */
  readonly firstDelayMs?: number
  /** The longest pause, unless the service asks for more; default: 5 seconds. */
  readonly maxDelayMs?: number
  /** Called with the status and number of each successful poll; failed polls count too. */
  readonly onProgress?: (status: string, pollNumber: number) => void
}

/** The routes that show a custom-input run. */
export type RunRoute =
  | '/v1/input_submissions/{id}'
  | '/v1/public/input_submissions/{id}'
  | '/v1/bench/input_submissions/{id}'

/** There was no verdict in time. `cause` is the last poll's error, if it failed. */
export class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError'
}

/**
 * Polls until a submission has its verdict and returns the submission. Retries after network
 * failures, 429 and 503, and respects `Retry-After`. Throws `JudgeApiError`, `NoResponseError`,
 * `WaitTimeoutError` or the reason of an aborted signal.
 */
export function waitForVerdict(
  client: JudgeClient,
  submissionId: string,
  options: WaitOptions = {},
): Promise<Schemas['Submission']> {
  const params = { path: { submission_id: submissionId } }
  return waitFor(options, async (signal) => {
    const call = client.GET('/v1/submissions/{submission_id}/status', { params, signal })
    const { status } = await orThrow(call)
    if (status === 'PENDING') return { status }
    const found = await orThrow(client.GET('/v1/submissions/{submission_id}', { params, signal }))
    return { status, found }
  })
}

/** Polls until a custom-input run has finished and returns it. Throws like `waitForVerdict`. */
export function waitForRun(
  client: JudgeClient,
  runId: string,
  options: WaitOptions & { readonly route?: RunRoute } = {},
): Promise<Schemas['Run']> {
  const { route = '/v1/input_submissions/{id}' } = options
  return waitFor(options, async (signal) => {
    const run = await orThrow(client.GET(route, { params: { path: { id: runId } }, signal }))
    return run.finished ? { status: run.status, found: run } : { status: run.status }
  })
}

interface Polled<Found> {
  readonly status: string
  /** The record, once it has a verdict. */
  readonly found?: Found
}

type Poll<Found> = (signal: AbortSignal) => Promise<Polled<Found>>

interface Failure {
  readonly err: unknown
  /** The minimum pause that the service asks for. */
  readonly minDelayMs: number
}

const DELAY_GROWTH = 1.5

async function waitFor<Found>(options: WaitOptions, poll: Poll<Found>): Promise<Found> {
  const { signal, timeoutMs = 300_000, requestTimeoutMs = 30_000, maxDelayMs = 5000 } = options
  const deadline = startDeadline(timeoutMs, signal)
  let delayMs = options.firstDelayMs ?? 250
  let cause: unknown
  try {
    for (let number = 1; ; number += 1) {
      const polled = await tryPoll(poll, deadline.signal, requestTimeoutMs)
      const isFailure = 'err' in polled
      cause = isFailure ? polled.err : undefined
      if (!isFailure) options.onProgress?.(polled.status, number)
      if (!isFailure && polled.found !== undefined) return polled.found
      await pause(Math.max(isFailure ? polled.minDelayMs : 0, withJitter(delayMs)), deadline.signal)
      delayMs = Math.min(delayMs * DELAY_GROWTH, maxDelayMs)
    }
  } catch (err) {
    if (err !== deadline.signal.reason || !deadline.isOver) throw err
    throw new WaitTimeoutError(`there was no verdict within ${timeoutMs} ms`, { cause })
  } finally {
    deadline.close()
  }
}

/** Returns failures that a retry may solve and throws the others. */
async function tryPoll<Found>(
  poll: Poll<Found>,
  ended: AbortSignal,
  timeoutMs: number,
): Promise<Polled<Found> | Failure> {
  const patience = startDeadline(timeoutMs, ended)
  try {
    return await poll(patience.signal)
  } catch (err) {
    if (patience.isOver) return { err, minDelayMs: 0 }
    if (!(err instanceof NoResponseError || err instanceof JudgeApiError) || !isTemporary(err)) throw err
    return { err, minDelayMs: (err.retryAfterSeconds ?? 0) * 1000 }
  } finally {
    patience.close()
  }
}

function isTemporary(err: NoResponseError | JudgeApiError): boolean {
  if (err.status === undefined || err.status === 429 || err.status === 503) return true
  // Proxies send 5xx while the service restarts. The service's own 500 is permanent.
  return err instanceof NoResponseError && err.status >= 500
}
