import type { JudgeClient, Schemas } from './client.ts'
import { startDeadline } from './deadline.ts'
import { JudgeApiError, NoAnswerError, orThrow } from './errors.ts'

export interface WaitOptions {
  readonly signal?: AbortSignal
  /** How long all of it may take; five minutes unless given. */
  readonly timeoutMs?: number
  /** How long one request may take before it counts as unanswered; 30 seconds unless given. */
  readonly requestTimeoutMs?: number
  /** The pause after the first look; 250 ms unless given. Each later one is half as long again. */
  readonly firstDelayMs?: number
  /** The longest pause but for those that the service asks for; 5 seconds unless given. */
  readonly maxDelayMs?: number
  /** Told of each status that was read, with the number of the request, from 1. */
  readonly onProgress?: (status: string, attempt: number) => void
}

/** The routes that show a run: its user's own, and those that take runs without a login. */
export type RunRoute =
  | '/v1/input_submissions/{id}'
  | '/v1/public/input_submissions/{id}'
  | '/v1/bench/input_submissions/{id}'

/** Nothing was decided in time; `cause` is what went wrong at the last look, where something did. */
export class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError'
}

/**
 * Waits until a submission has its verdict and answers it whole. Network failures, 429 and 503 are tried again, as late as
 * `Retry-After` says. Throws `JudgeApiError`, `NoAnswerError`, `WaitTimeoutError` or the reason of an aborted signal.
 */
export function waitForVerdict(
  client: JudgeClient,
  submissionId: string,
  options: WaitOptions = {},
): Promise<Schemas['Submission']> {
  const params = { path: { submission_id: submissionId } }
  return poll(options, async (signal) => {
    const call = client.GET('/v1/submissions/{submission_id}/status', { params, signal })
    const { status } = await orThrow(call)
    if (status === 'PENDING') return { status }
    const found = await orThrow(client.GET('/v1/submissions/{submission_id}', { params, signal }))
    return { status, found }
  })
}

/** Waits until a custom-input run has finished and answers it, in the manner of `waitForVerdict`. */
export function waitForRun(
  client: JudgeClient,
  runId: string,
  options: WaitOptions & { readonly route?: RunRoute } = {},
): Promise<Schemas['Run']> {
  const { route = '/v1/input_submissions/{id}' } = options
  return poll(options, async (signal) => {
    const run = await orThrow(client.GET(route, { params: { path: { id: runId } }, signal }))
    return run.finished ? { status: run.status, found: run } : { status: run.status }
  })
}

interface Sight<Found> {
  readonly status: string
  /** Set once it is decided. */
  readonly found?: Found
}

type Look<Found> = (signal: AbortSignal) => Promise<Sight<Found>>

interface Failure {
  readonly err: unknown
  /** How long to wait at least before the next look. */
  readonly askedMs: number
}

const DELAY_GROWTH = 1.5

async function poll<Found>(options: WaitOptions, look: Look<Found>): Promise<Found> {
  const { signal, timeoutMs = 300_000, requestTimeoutMs = 30_000, maxDelayMs = 5000 } = options
  const deadline = startDeadline(timeoutMs, signal)
  let delayMs = options.firstDelayMs ?? 250
  let cause: unknown
  try {
    for (let attempt = 1; ; attempt += 1) {
      const seen = await tryLook(look, deadline.signal, requestTimeoutMs)
      const isFailure = 'err' in seen
      cause = isFailure ? seen.err : undefined
      if (!isFailure) options.onProgress?.(seen.status, attempt)
      if (!isFailure && seen.found !== undefined) return seen.found
      await pause(Math.max(isFailure ? seen.askedMs : 0, withJitter(delayMs)), deadline.signal)
      delayMs = Math.min(delayMs * DELAY_GROWTH, maxDelayMs)
    }
  } catch (err) {
    if (err !== deadline.signal.reason || !deadline.isOver) throw err
    throw new WaitTimeoutError(`nothing was decided within ${timeoutMs} ms`, { cause })
  } finally {
    deadline.close()
  }
}

/** Answers a failure that passes, and throws one that trying again does not help. */
async function tryLook<Found>(
  look: Look<Found>,
  ended: AbortSignal,
  timeoutMs: number,
): Promise<Sight<Found> | Failure> {
  const patience = startDeadline(timeoutMs, ended)
  try {
    return await look(patience.signal)
  } catch (err) {
    if (patience.isOver) return { err, askedMs: 0 }
    if (!(err instanceof NoAnswerError || err instanceof JudgeApiError) || !isPassing(err)) throw err
    return { err, askedMs: (err.retryAfterSeconds ?? 0) * 1000 }
  } finally {
    patience.close()
  }
}

function isPassing(err: NoAnswerError | JudgeApiError): boolean {
  if (err.status === undefined || err.status === 429 || err.status === 503) return true
  // What a proxy says while the service starts anew passes as well; a fault of the service's own does not.
  return err instanceof NoAnswerError && err.status >= 500
}

/** Spreads clients that began at one moment, as those of a contest do. */
const withJitter = (delayMs: number) => delayMs * (0.75 + Math.random() / 2)

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      if (signal.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
