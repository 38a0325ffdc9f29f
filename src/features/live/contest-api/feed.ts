import { createHash } from 'node:crypto'
import type { ChangeBatch, Following } from '../../../changes/change.ts'
import type { ChangeLog } from '../../../changes/change-log.ts'
import { DatabaseUnavailable } from '../../../db/database.ts'
import type { ActorDatabase, RunInTurn } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import type { LiveTimes } from '../../../http/server/live-connections.ts'
import { type ContestTimes, readTimes, touchPassed } from './boundaries.ts'
import type { ObjectType } from './collection.ts'
import type { FirstState, FirstStates } from './first-states.ts'
import { emptied, type Notification, type Reader, readAwardsLine, readTouched } from './notifications.ts'
import {
  everythingTouched,
  isUntouched,
  merge,
  nothingTouched,
  onlyAddsForAll,
  type Touched,
  touch,
} from './touched.ts'

/** When the database is out of reach or overloaded, a round is repeated after this time. */
const RETRY_MS = 1000

/** Lines are written together: each write is a chunk of the response. */
const WRITE_CHARACTERS = 16 * 1024

export interface FeedOptions {
  readonly changes: ChangeLog
  /** Reads of the log wait for the same turn as the statements of the reader. */
  readonly inTurn: RunInTurn
  readonly reader: Reader
  /** Anonymous readers share the first state, which has turns of its own. */
  readonly shared?: { readonly states: FirstStates; readonly db: ActorDatabase } | undefined
  /** An empty line shows a sign of life after `pingMs` without a line. */
  readonly times: Pick<LiveTimes, 'pingMs' | 'roundMs' | 'awardsMs'>
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal
}

/**
 * Opens an event feed: the lines of everything that the reader sees, or of all changes since a
 * token, and then of changes until `signal` ends it. Throws NOT_FOUND, and VALIDATION for a token
 * that is foreign, too old or of a reader with other rights.
 */
export async function openFeed(options: FeedOptions, sinceToken?: string): Promise<AsyncGenerator<string>> {
  const feed = new EventFeed(options)
  await feed.start(sinceToken)
  return feed.lines()
}

class EventFeed {
  readonly #options: FeedOptions
  /** The hash of the last line of each type. */
  readonly #sent = new Map<ObjectType, string>()
  #following: Following | undefined
  #touched: Touched = nothingTouched()
  /** The client has everything up to here, if it knows the token. */
  #position: string | undefined
  /** The objects in `#touched` lead to this position. */
  #reached = ''
  /** The database's time of the last look at the contest's times. */
  #lookedAt = 0
  readonly #openedMs = performance.now()
  /** When awards that were touched are read. */
  #awardsDueMs = 0
  /** When the next sign of life is due. */
  #aliveUntilMs: number
  #wake = () => {}

  constructor(options: FeedOptions) {
    this.#options = options
    this.#aliveUntilMs = performance.now() + options.times.pingMs
    options.signal.addEventListener('abort', () => this.#stop(), { once: true })
  }

  async start(sinceToken: string | undefined): Promise<void> {
    const { changes, inTurn, reader, signal } = this.#options
    const { now } = await readTimes(reader)
    this.#lookedAt = now
    this.#following = await changes.follow((batch) => this.#note(batch))
    if (signal.aborted) this.#stop()
    this.#reached = this.#following.position
    if (sinceToken === undefined) return
    const [position = '', scope] = sinceToken.split('.')
    const batch = await inTurn(async () => {
      if (signal.aborted) throw new AppError('UNAVAILABLE', 'The client has gone')
      return scope === reader.scope ? changes.since(position, reader.eventId) : undefined
    })
    if (batch === undefined) {
      this.#stop()
      throw new AppError(
        'VALIDATION',
        'since_token is unknown, too old or from before your access changed; read the feed without it',
      )
    }
    this.#position = position
    this.#lookedAt = batch.sinceSeconds
    this.#note(batch)
    this.#awardsDueMs = 0
    for (const type of ['contest', 'state', 'awards'] as const) this.#touched.types.add(type)
  }

  /** Lines, joined to longer texts. A failure of the first state ends the feed. */
  async *lines(): AsyncGenerator<string> {
    const { reader, signal } = this.#options
    try {
      if (this.#position === undefined) {
        for (const { type, text } of emptied(reader)) this.#isRepeated(type, text)
        const [state, position] = await this.#firstState()
        yield* this.#write(state, position)
      }
      while (!signal.aborted) {
        const roundMs = performance.now()
        const [touched, reached] = this.#take()
        let times: ContestTimes | undefined
        try {
          // After the position was read: what time has changed by then is sent before its token.
          times = await readTimes(reader)
          touchPassed(touched, times, this.#lookedAt)
          if (!isUntouched(touched)) yield* this.#write(readTouched(reader, touched), reached)
          this.#lookedAt = times.now
          this.#position = reached
        } catch (err) {
          if (!(err instanceof DatabaseUnavailable)) throw err
          this.#touched = merge(this.#touched, touched)
          // Lines that were noted may not have been written.
          this.#sent.clear()
        }
        if (performance.now() >= this.#aliveUntilMs) yield this.#say('\n')
        if (times === undefined || this.#position !== reached) await this.#wait(roundMs + RETRY_MS, false)
        else await this.#untilDue(roundMs, times)
      }
    } finally {
      this.#stop()
    }
  }

  /** The first state, and the position to which it leads. */
  async #firstState(): Promise<[AsyncIterable<Notification>, string]> {
    const { changes, reader, shared } = this.#options
    if (shared === undefined) return [readTouched(reader, everythingTouched()), this.#reached]
    const { notifications, position, lookedAt } = await shared.states.read(
      reader.eventId,
      (kept) => this.#bringUpToDate(kept),
      () => this.#buildShared({ ...reader, db: shared.db }),
    )
    this.#lookedAt = Math.min(this.#lookedAt, lookedAt)
    return [joined(notifications, readAwardsLine(reader)), changes.renew(position)]
  }

  /** All but the awards, which change most often and are kept elsewhere. */
  async #buildShared(reader: Reader): Promise<FirstState> {
    const { changes, inTurn } = this.#options
    const lookedAt = this.#lookedAt
    const position = await inTurn(() => changes.readPresent())
    return { position, lookedAt, notifications: await readWithoutAwards(reader, everythingTouched()) }
  }

  /**
   * A kept state with what was added since. Undefined if a change may have hidden or replaced
   * something: the kept state may have what a request would not show any more.
   */
  async #bringUpToDate(kept: FirstState): Promise<FirstState | undefined> {
    const { changes, inTurn, reader } = this.#options
    const batch = await inTurn(() => changes.since(kept.position, reader.eventId))
    if (batch === undefined) return undefined
    const touched = nothingTouched()
    touch(touched, batch.changes, reader)
    const times = await readTimes(reader)
    touchPassed(touched, times, kept.lookedAt)
    if (!onlyAddsForAll(touched)) return undefined
    const added = await readWithoutAwards(reader, touched)
    const notifications = added.length === 0 ? kept.notifications : [...kept.notifications, ...added]
    return { position: batch.position, lookedAt: times.now, notifications }
  }

  /** A resumed feed may repeat lines: only the last one of a round carries the new token. */
  async *#write(notifications: AsyncIterable<Notification>, reached: string): AsyncGenerator<string> {
    let [lines, held] = ['', '']
    for await (const { type, text } of notifications) {
      if (this.#options.signal.aborted) return
      if (this.#isRepeated(type, text)) continue
      if (held !== '') lines += this.#withToken(held, this.#position)
      held = text
      if (lines.length < WRITE_CHARACTERS) continue
      yield this.#say(lines)
      lines = ''
    }
    if (held !== '') yield this.#say(lines + this.#withToken(held, reached))
  }

  /**
   * The client has everything up to its token, in the scope that the token names. A reader of
   * another scope has missed objects, or keeps some that are no longer shown.
   */
  #withToken(text: string, position: string | undefined): string {
    if (position === undefined) return `${text}\n`
    return `${text.slice(0, -1)},"token":"${position}.${this.#options.reader.scope}"}\n`
  }

  /** Only lines count: a round that sends none must not be seen (P23). */
  #say(lines: string): string {
    this.#aliveUntilMs = performance.now() + this.#options.times.pingMs
    return lines
  }

  /** A line that equals the last one of its type tells nothing new. */
  #isRepeated(type: ObjectType, text: string): boolean {
    const hash = createHash('sha256').update(text).digest('base64')
    if (this.#sent.get(type) === hash) return true
    this.#sent.set(type, hash)
    return false
  }

  #note({ changes, position }: ChangeBatch): void {
    const hadAwards = this.#touched.types.has('awards')
    touch(this.#touched, changes, this.#options.reader)
    if (!hadAwards && this.#touched.types.has('awards'))
      this.#awardsDueMs = this.#nextMs(this.#options.times.awardsMs)
    this.#reached = position
    if (!isUntouched(this.#touched)) this.#wake()
  }

  /**
   * Reads have fixed times, the multiples of an interval since the feed was opened: one that finds
   * nothing to send, as after a hidden verdict, must not delay the next one (P25).
   */
  #nextMs(intervalMs: number): number {
    const intervals = Math.floor((performance.now() - this.#openedMs) / intervalMs) + 1
    return this.#openedMs + intervals * intervalMs
  }

  /** What to read now, and the position to which it leads; awards wait for their time. */
  #take(): readonly [Touched, string] {
    const touched = this.#touched
    this.#touched = nothingTouched()
    if (touched.types.has('awards') && this.#awardsDueMs > performance.now()) {
      touched.types.delete('awards')
      this.#touched.types.add('awards')
    }
    return [touched, this.#reached]
  }

  /**
   * Waits for changes, for the time of waiting awards, for the contest's next boundary, or for the
   * next sign of life; and then for the next round.
   */
  async #untilDue(roundMs: number, { now, boundaries }: ContestTimes): Promise<void> {
    const untilBoundaryMs = boundaries.filter((moment) => moment > now).map((moment) => (moment - now) * 1000)
    const dueMs = Math.min(this.#aliveUntilMs, ...untilBoundaryMs.map((waitMs) => roundMs + waitMs)) + 1
    if (this.#hasOnlyAwards()) await this.#wait(Math.min(dueMs, this.#awardsDueMs), true)
    else if (isUntouched(this.#touched)) await this.#wait(dueMs, true)
    await this.#wait(this.#nextMs(this.#options.times.roundMs), false)
  }

  #hasOnlyAwards(): boolean {
    const { types, ...others } = this.#touched
    return types.size === 1 && types.has('awards') && isUntouched({ ...others, types: new Set() })
  }

  /** Waits until a time, the end of the connection or, if `forChanges`, a change of the contest. */
  async #wait(untilMs: number, forChanges: boolean): Promise<void> {
    const { signal } = this.#options
    const waitMs = untilMs - performance.now()
    if (waitMs <= 0 || signal.aborted) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs)
      this.#wake = () => {
        if (!forChanges && !signal.aborted) return
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = () => {}
  }

  #stop(): void {
    this.#following?.stop()
    this.#wake()
  }
}

async function readWithoutAwards(reader: Reader, touched: Touched): Promise<Notification[]> {
  const notifications: Notification[] = []
  for await (const notification of readTouched({ ...reader, seesAwards: false }, touched))
    notifications.push(notification)
  return notifications
}

async function* joined<T>(first: Iterable<T>, then: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first
  yield* then
}
