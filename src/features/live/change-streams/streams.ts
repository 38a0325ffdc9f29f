import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import pLimit from 'p-limit'
import { type Logger, OutageLog } from '../../../background/outage-log.ts'
import type { Change, ChangeBatch, Following } from '../../../changes/change.ts'
import type { ChangeLog } from '../../../changes/change-log.ts'
import type { Viewer } from '../../../db/actor-batch.ts'
import type { Queryable } from '../../../db/database.ts'
import { AppError } from '../../../http/routing/errors.ts'
import type { RouteResponse } from '../../../http/routing/responses.ts'
import {
  type LiveAccess,
  type LiveConnection,
  type LivePlace,
  viewerOf,
} from '../../../http/server/live-connections.ts'
import { Audiences, type EventState, STREAMS_PER_TURN } from './audiences.ts'
import { type EventText, eventText, joinEvents, pingText } from './event-text.ts'
import { questionsIn, readQuestionTexts, textsFor } from './viewer-events.ts'

/** A client waits this long before it connects again; spread, because many lose one instance. */
const RETRY_MS = { least: 500, most: 3000 }

/** Many clients of a lost instance come at once: their reads leave connections for others. */
const RESUMED_AT_ONCE = { ofAnonymous: 1, ofAccounts: 2 }

/** What a route reads to open a stream. */
export interface FirstState extends LiveAccess {
  /** Of a stream of an event. */
  readonly state?: EventState
}

/** A stream of an event, or of all that concerns a user. */
export interface Stream {
  readonly viewer: Viewer
  connection: LiveConnection
  /** Batches that came before it was open. */
  missed: ChangeBatch[] | undefined
  /** It gets all batches after this. */
  position: string
  /** Leaves its audience. */
  leave: () => void
}

declare module 'fastify' {
  interface FastifyInstance {
    changeStreams: ChangeStreams
  }
}

interface StreamsOptions {
  readonly changes: ChangeLog
  /** For quick statements. */
  readonly database: Queryable
  readonly logger: Logger
}

const CLOSED: LiveConnection = { write: () => {}, end: () => {} }

/**
 * The event streams of this instance (P25). They follow the change log together, and only while
 * there are any. Everything that is told to many is read once for all.
 */
export class ChangeStreams {
  readonly #options: StreamsOptions
  readonly #audiences: Audiences
  readonly #outage: OutageLog
  readonly #anonymousTurn = pLimit(RESUMED_AT_ONCE.ofAnonymous)
  readonly #accountTurn = pLimit(RESUMED_AT_ONCE.ofAccounts)
  readonly #streams = new Set<Stream>()
  readonly #byUser = new Map<string, Set<Stream>>()
  readonly #byEvent = new Map<number, Set<Stream>>()
  #following: Promise<Following> | undefined
  /** The position of the last batch that has come. */
  #received = ''
  /** All events up to here were sent. */
  #sent = ''
  /** Deliveries that wait for the database, one after another. */
  #queue: Promise<void> = Promise.resolve()
  #queued = 0

  constructor(options: StreamsOptions) {
    this.#options = options
    this.#audiences = new Audiences(options.database, options.logger)
    this.#outage = new OutageLog(options.logger, 'warn', 'Questions for streams can be read again.')
  }

  /** How many streams are open or being opened. */
  get size(): number {
    return this.#streams.size
  }

  /**
   * Opens a stream with the state that `read` reads. Throws what it throws, RATE_LIMIT_EXCEEDED and
   * UNAVAILABLE.
   */
  async open(
    request: FastifyRequest,
    eventId: number | null,
    read: () => Promise<FirstState>,
  ): Promise<RouteResponse> {
    if (request.method === 'HEAD') {
      await read()
      return { status: 200, type: 'text/event-stream', body: Readable.from([]) }
    }
    // No stream may start with a role that only the token names.
    if (request.caller?.actor?.role === 2) await request.caller.db.confirm()
    const place = request.server.liveConnections.reserve(request)
    const viewer = viewerOf(request.caller?.actor, eventId)
    const stream: Stream = { viewer, connection: CLOSED, missed: [], position: '', leave: () => {} }
    await this.#add(stream, request.response)
    const first = await read()
    const { 'last-event-id': lastId } = request.headers
    const resumed =
      lastId === undefined ? undefined : await this.#resume(stream, String(lastId), request.response)
    return {
      status: 200,
      live: (reply) => this.#start(stream, { place, first, resumed, reply }),
    }
  }

  /** From now on the stream gets or keeps all batches. It leaves when its response closes. */
  async #add(stream: Stream, response: ServerResponse): Promise<void> {
    if (response.destroyed) return
    this.#streams.add(stream)
    const { actor, eventId } = stream.viewer
    if (actor !== null) addTo(this.#byUser, actor, stream)
    if (eventId !== null) addTo(this.#byEvent, eventId, stream)
    response.once('close', () => {
      stream.leave()
      this.#streams.delete(stream)
      if (actor !== null) removeFrom(this.#byUser, actor, stream)
      if (eventId !== null) removeFrom(this.#byEvent, eventId, stream)
      this.#stopFollowing()
    })
    this.#following ??= this.#options.changes
      .follow((batch) => this.#receive(batch))
      .catch((err) => {
        this.#following = undefined
        throw err
      })
    const { position } = await this.#following
    this.#received ||= position
    this.#sent ||= position
    stream.position = this.#options.changes.renew(this.#received)
  }

  #stopFollowing(): void {
    if (this.#streams.size > 0 || this.#following === undefined) return
    void this.#following.then(({ stop }) => stop()).catch(() => {})
    this.#following = undefined
    this.#received = ''
    this.#sent = ''
  }

  /** The events since a position: a reset if it is unknown or too old. */
  async #resume({ viewer }: Stream, lastId: string, response: ServerResponse): Promise<readonly EventText[]> {
    const turn = viewer.actor === null ? this.#anonymousTurn : this.#accountTurn
    const batch = await turn(async () => {
      if (response.destroyed) throw new AppError('UNAVAILABLE', 'The client has gone')
      return this.#options.changes.since(lastId)
    })
    if (batch === undefined) return [eventText('reset', '{}')]
    const { changes } = batch
    const shown = await readQuestionTexts(this.#options.database, [viewer], questionsIn(changes))
    return [...new Set([...textsFor(viewer, changes), ...(shown.get(viewer) ?? [])])]
  }

  #start(stream: Stream, { place, first, resumed, reply }: Starting): void {
    if (reply.raw.destroyed) return
    // A draining instance gets no further request on this connection.
    reply.header('connection', 'close')
    reply.sse.keepAlive()
    reply.sse.sendHeaders()
    const missed = stream.missed ?? []
    stream.missed = undefined
    const connection = place.start(first, { ping: () => this.#ping() })
    stream.connection = connection
    const { tags, clock } = first.state ?? {}
    const data = `{${[
      ...(tags === undefined ? [] : [`"tags":${JSON.stringify(tags)}`]),
      ...(clock === undefined ? [] : [`"clock":${clock}`]),
    ].join(',')}}`
    const ready = `${eventText('ready', data)}retry: ${retryMs()}\n`
    connection.write(joinEvents([ready, ...(resumed ?? [])], stream.position))
    const { state } = first
    const { eventId } = stream.viewer
    if (state !== undefined && eventId !== null) {
      const member = { viewer: { ...stream.viewer, eventId }, connection, state }
      this.#audiences.join(member)
      stream.leave = () => this.#audiences.leave(member)
    }
    for (const batch of missed) this.#deliver(batch, [stream])
  }

  /** Each has another token: it does not tell whether anybody has changed something (P25). */
  #ping(): string {
    return pingText(this.#options.changes.renew(this.#sent))
  }

  #receive(batch: ChangeBatch): void {
    this.#received = batch.position
    const events = new Set<number>()
    let isGlobal = false
    for (const { kind, eventId } of batch.changes) {
      if (kind === 'notification' || kind === 'question' || kind === 'language') continue
      // Contests share the versions of their problems, and a name may be in many of them.
      if (kind !== 'submission' && kind !== 'judging' && kind !== 'reveal') isGlobal = true
      else if (eventId !== null) events.add(eventId)
    }
    if (isGlobal) this.#audiences.touch(undefined)
    else for (const eventId of events) this.#audiences.touch(eventId)
    this.#deliver(batch, this.#concerned(batch.changes))
  }

  /** The streams that a batch may have events for. */
  #concerned(changes: readonly Change[]): Iterable<Stream> {
    const concerned = new Set<Stream>()
    const addAll = (streams: Iterable<Stream> = []) => {
      for (const stream of streams) concerned.add(stream)
    }
    for (const { kind, eventId, userIds, isReset } of changes) {
      for (const userId of userIds ?? []) addAll(this.#byUser.get(userId))
      if (kind === 'question' || isReset)
        addAll(eventId === null ? this.#streams : this.#byEvent.get(eventId))
    }
    return concerned
  }

  /** Sends what needs no question to be read at once, and the rest as soon as it is read. */
  #deliver(batch: ChangeBatch, concerned: Iterable<Stream>): void {
    const streams: Stream[] = []
    for (const stream of concerned) {
      if (stream.missed === undefined) streams.push(stream)
      else stream.missed.push(batch)
    }
    const questions = questionsIn(batch.changes)
    const isLast = questions.length === 0 && this.#queued === 0
    for (const stream of streams) {
      this.#send(stream, textsFor(stream.viewer, batch.changes), isLast ? batch.position : undefined)
    }
    if (isLast) this.#sent = this.#received
    else this.#enqueue(batch, questions, streams)
  }

  #enqueue(batch: ChangeBatch, questions: readonly Change[], streams: readonly Stream[]): void {
    this.#queued += 1
    this.#queue = this.#queue.then(async () => {
      const viewers = streams.map(({ viewer }) => viewer)
      try {
        const texts = await readQuestionTexts(this.#options.database, viewers, questions)
        this.#outage.works()
        for (const [index, stream] of streams.entries()) {
          this.#send(stream, texts.get(stream.viewer) ?? [], undefined)
          if (index % STREAMS_PER_TURN === STREAMS_PER_TURN - 1) await nextTurn()
        }
      } catch (err) {
        // The clients connect again, and go on from before this batch.
        this.#outage.failed({ err, position: batch.position }, 'Questions for streams cannot be read.')
        for (const { connection } of streams) connection.end()
      }
      this.#queued -= 1
      if (this.#queued === 0) this.#sent = this.#received
    })
  }

  #send(stream: Stream, events: readonly EventText[], position: string | undefined): void {
    if (events.length === 0) return
    stream.connection.write(joinEvents(events, position))
  }
}

interface Starting {
  readonly place: LivePlace
  readonly first: FirstState
  readonly resumed: readonly EventText[] | undefined
  readonly reply: FastifyReply
}

const retryMs = () => Math.round(RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least))

function addTo<K>(sets: Map<K, Set<Stream>>, key: K, stream: Stream): void {
  const set = sets.get(key)
  if (set === undefined) sets.set(key, new Set([stream]))
  else set.add(stream)
}

function removeFrom<K>(sets: Map<K, Set<Stream>>, key: K, stream: Stream): void {
  const set = sets.get(key)
  set?.delete(stream)
  if (set?.size === 0) sets.delete(key)
}
