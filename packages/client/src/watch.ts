import type { JudgeClient, Schemas } from './client.ts'
import { startDeadline } from './deadline.ts'
import { JudgeApiError, NoResponseError, orThrow } from './errors.ts'
import { readEventStream, type ServerSentEvent } from './event-stream.ts'
import { pause, withJitter } from './pause.ts'

/** The polled routes of an event, whose entity tags the service tells. */
export type TaggedRoute = 'standings' | 'standings_by_team' | 'attempts' | 'problems_stats' | 'problems'

/** Entity tags: send one as `If-None-Match`, or compare it with the `ETag` that you have. */
export type EntityTags = { readonly [Route in TaggedRoute]?: string }

interface QuestionNamed {
  readonly event_id: number
  readonly question_id: string
}

/** The data of each event by its type. */
interface WatchData {
  /** The stream is open. In an event: its present tags and clock. */
  readonly ready: { readonly tags?: EntityTags; readonly clock?: Schemas['EventClock'] }
  /** A submission of the caller was stored, or has another status. */
  readonly submission: {
    readonly submission_id: string
    readonly status: string
    readonly event_id?: number
  }
  /** The caller has a notification; without a question: has read them. */
  readonly notification: Partial<QuestionNamed>
  readonly question: QuestionNamed
  readonly announcement: QuestionNamed
  /** The entity tags that have changed. */
  readonly tags: EntityTags
  readonly clock: Schemas['EventClock']
  /** Read everything again. Without a stream it comes with every poll. */
  readonly reset: Readonly<Record<string, never>>
}

/** What has changed, as the service tells it. */
export type WatchEvent = {
  readonly [Type in keyof WatchData]: { readonly type: Type; readonly data: WatchData[Type] }
}[keyof WatchData]

export interface WatchOptions {
  /** The event to watch. Default: all that concerns the user. */
  readonly eventId?: number
  /** Ends the watch, which then throws the signal's reason. */
  readonly signal?: AbortSignal
  /** Goes on from an earlier watch: the last id that `onPosition` got. */
  readonly lastEventId?: string
  /** Gets each id from which another watch can go on. */
  readonly onPosition?: (id: string) => void
  /** Called when the way to learn of changes changes. */
  readonly onMode?: (mode: 'stream' | 'polling') => void
  /** Without the first event in this time, a proxy holds the stream back; default: 10 seconds. */
  readonly readyTimeoutMs?: number
  /** Without a byte in this time the connection is lost; default: 45 seconds. */
  readonly silenceTimeoutMs?: number
  /**
   * Between polls, and before a stream that was refused is tried again; default: 10 seconds, 1
   * minute.
   */
  readonly pollMs?: number
  readonly retryStreamMs?: number
  /** The pause after a first failure; each later one is twice as long; default: 500 ms. */
  readonly firstDelayMs?: number
  /** The longest pause, unless the service asks for more; default: 30 seconds. */
  readonly maxDelayMs?: number
}

/**
 * Tells what to request again, until the loop over it ends. Connects again after failures, and goes
 * on without a gap. While no stream can be had, also for an unknown contest (404), it yields
 * `reset` at every poll. Throws `JudgeApiError` for an error that lasts, such as 401, and the
 * reason of an aborted signal.
 */
export async function* watch(
  client: JudgeClient,
  options: WatchOptions = {},
): AsyncGenerator<WatchEvent, never, undefined> {
  const { pollMs = 10_000, firstDelayMs = FIRST_DELAY_MS } = options
  const { signal = new AbortController().signal, onMode } = options
  const stream: StreamState = { lastId: options.lastEventId, retryMs: firstDelayMs, isReady: false }
  let failures = 0
  let mode: 'stream' | 'polling' | undefined
  const enter = (next: 'stream' | 'polling') => {
    if (mode !== next) onMode?.(next)
    mode = next
  }
  for (;;) {
    const failure = yield* watchStream(client, options, stream, () => enter('stream'))
    failures = stream.isReady ? 0 : failures + 1
    const chosenMs = withJitter(chooseDelay(options, stream, failure, failures))
    const delayMs = Math.max(failure?.minDelayMs ?? 0, chosenMs)
    // The next stream goes on from here: a pause loses nothing.
    if (stream.isReady || delayMs <= pollMs) await pause(delayMs, signal)
    else {
      enter('polling')
      for (let leftMs = delayMs; leftMs > 0; leftMs -= pollMs) {
        yield { type: 'reset', data: {} }
        await pause(Math.min(withJitter(pollMs), leftMs), signal)
      }
    }
  }
}

/** How long to wait for the next stream, in milliseconds, unless the service asks for more. */
function chooseDelay(
  { retryStreamMs = 60_000, firstDelayMs = FIRST_DELAY_MS, maxDelayMs = 30_000 }: WatchOptions,
  stream: StreamState,
  failure: StreamFailure | undefined,
  failures: number,
): number {
  if (stream.isReady) return stream.retryMs
  return failure?.isRefused ? retryStreamMs : Math.min(firstDelayMs * 2 ** (failures - 1), maxDelayMs)
}

const FIRST_DELAY_MS = 500

interface StreamState {
  lastId: string | undefined
  /** The pause that the service asks for. */
  retryMs: number
  /** Whether the last stream has had its first event. */
  isReady: boolean
}

interface StreamFailure {
  /** The service or a proxy does not allow a stream now. */
  readonly isRefused: boolean
  /** The minimum pause that the service asks for. */
  readonly minDelayMs: number
}

/** Yields the events of one connection until it ends. Throws errors that last. */
async function* watchStream(
  client: JudgeClient,
  options: WatchOptions,
  stream: StreamState,
  onReady: () => void,
): AsyncGenerator<WatchEvent, StreamFailure | undefined, undefined> {
  const { signal: outer, readyTimeoutMs = 10_000, silenceTimeoutMs = 45_000 } = options
  outer?.throwIfAborted()
  stream.isReady = false
  const patience = startDeadline(readyTimeoutMs, outer)
  const notes = {
    onRetry: (ms: number) => {
      stream.retryMs = ms
    },
    onBytes: () => {
      if (stream.isReady) patience.renew(silenceTimeoutMs)
    },
  }
  try {
    const body = await openStream(client, options.eventId, stream.lastId, patience.signal)
    for await (const event of readEventStream(body, notes, patience.signal)) {
      if (!stream.isReady) {
        stream.isReady = true
        patience.renew(silenceTimeoutMs)
        onReady()
      }
      const known = readEvent(event)
      if (known !== undefined) yield known
      if (event.id === undefined) continue
      // Only now: the caller has done what the event asks for.
      stream.lastId = event.id
      options.onPosition?.(event.id)
    }
    return undefined
  } catch (err) {
    outer?.throwIfAborted()
    return describeFailure(err, patience.isOver && !stream.isReady)
  } finally {
    patience.close()
  }
}

async function openStream(
  client: JudgeClient,
  eventId: number | undefined,
  lastId: string | undefined,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const header = lastId === undefined ? {} : { 'Last-Event-ID': lastId }
  const init = { signal, parseAs: 'stream' as const, cache: 'no-store' as const }
  const call =
    eventId === undefined
      ? client.GET('/v1/user/changes', { ...init, params: { header } })
      : client.GET('/v1/events/{event_id}/changes', {
          ...init,
          params: { path: { event_id: eventId }, header },
        })
  const body: unknown = await orThrow<unknown>(call)
  if (!(body instanceof ReadableStream)) throw new NoResponseError('the response has no body')
  return body
}

const EVENT_TYPES: Readonly<Record<keyof WatchData, true>> = {
  ...{ ready: true, submission: true, notification: true, question: true },
  ...{ announcement: true, tags: true, clock: true, reset: true },
}

/** Undefined: an event of a newer service. */
function readEvent({ name, data }: ServerSentEvent): WatchEvent | undefined {
  if (data === undefined || !Object.hasOwn(EVENT_TYPES, name)) return undefined
  // The service's tests check the data of every event.
  return { type: name as 'reset', data: JSON.parse(data) }
}

/** Statuses with which the service refuses a stream for now, or does not have it. */
const REFUSALS = [404, 429, 503]

/** Throws errors that a retry does not solve. */
function describeFailure(err: unknown, isHeldBack: boolean): StreamFailure {
  if (isHeldBack) return { isRefused: true, minDelayMs: 0 }
  if (err instanceof JudgeApiError && !REFUSALS.includes(err.status) && err.status < 500) throw err
  if (!(err instanceof JudgeApiError || err instanceof NoResponseError))
    return { isRefused: false, minDelayMs: 0 }
  const isRefused = err.status !== undefined && (REFUSALS.includes(err.status) || err.status < 500)
  return { isRefused, minDelayMs: (err.retryAfterSeconds ?? 0) * 1000 }
}
