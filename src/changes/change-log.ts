import { setTimeout as wait } from 'node:timers/promises'
import { type Logger, OutageLog } from '../background/outage-log.ts'
import { backOffMs } from '../background/waiting.ts'
import type { Config } from '../config/config.ts'
import type { Queryable } from '../db/database.ts'
import { AppError } from '../http/routing/errors.ts'
import type { Change, ChangeBatch, ChangesSince, Following } from './change.ts'
import { createPositionTokens, type Position, type PositionTokens } from './position.ts'
import { type ReadSnapshot, readChanges, readDatabaseIdentity, readSnapshot } from './sql.ts'

/** How often an instance looks for changes of others while somebody follows. */
const READ_INTERVAL_MS = 200

/** Between two reads after changes of this instance: they are read together. */
const WAKE_INTERVAL_MS = 25

/** A reader that missed more changes than these reads everything again. */
const MOST_MISSED = 20_000

/** More than any burst of writes; beyond that, every reader reads everything again. */
const MOST_IN_BATCH = 200_000

const RETRY = { baseMs: 100, maxMs: 5000 }

interface ChangeLogOptions {
  readonly database: Queryable
  readonly logger: Logger
  /** Positions are valid for the retention, on all instances with the same signing secret. */
  readonly config: Pick<Config, 'changeRetentionHours' | 'secrets'>
}

type Listener = (batch: ChangeBatch) => void

/**
 * Reads the changes of the database once for all readers of this instance (P25). One loop reads
 * while somebody follows.
 */
export class ChangeLog {
  readonly #options: ChangeLogOptions
  readonly #outage: OutageLog
  readonly #tokens: PositionTokens
  readonly #listeners = new Set<Listener>()
  readonly #failed = new WeakSet<Listener>()
  #identity: string | undefined
  #starting: Promise<Position> | undefined
  /** All listeners have got the changes up to here; set while the loop runs. */
  #position: Position | undefined
  #loop: Promise<void> | undefined
  #isStopped = false
  /** Aborted when the next read is due at once. */
  #pause = new AbortController()

  constructor(options: ChangeLogOptions) {
    this.#options = options
    this.#tokens = createPositionTokens(options.config.secrets.jwtSigning)
    this.#outage = new OutageLog(options.logger, 'warn', 'Changes can be read again.')
  }

  /** Calls the listener with every batch after `position`; none is left out. */
  async follow(listener: Listener): Promise<Following> {
    if (this.#position === undefined) {
      this.#starting ??= this.#present().finally(() => {
        this.#starting = undefined
      })
      const present = await this.#starting
      this.#position ??= present
    }
    if (this.#isStopped) throw new AppError('UNAVAILABLE', 'The service is stopping')
    // From here on the loop sees the listener: a read in progress delivers to it too.
    this.#listeners.add(listener)
    this.#loop ??= this.#run()
    const position = this.#position
    return {
      position: this.#tokens.write(position),
      reached: () => this.#tokens.write(this.#position ?? position),
      stop: () => void this.#listeners.delete(listener),
    }
  }

  /**
   * The changes after a position, of one contest and of none if `eventId` is given; a single reset
   * of everything if there are too many. Undefined if the position is foreign or older than the
   * retention.
   */
  async since(token: string, eventId?: number): Promise<ChangesSince | undefined> {
    const position = this.#tokens.read(token)
    if (position === undefined) return undefined
    const present = await this.#present()
    const isKnown =
      isSameHistory(position, present) &&
      position.atSeconds > present.atSeconds - this.#options.config.changeRetentionHours * 3600 &&
      position.atSeconds <= present.atSeconds
    if (!isKnown) return undefined
    const { changes = [EVERYTHING], reached } = await this.#read(position, MOST_MISSED, eventId)
    return { changes, position: this.#tokens.write(reached), sinceSeconds: position.atSeconds }
  }

  /** The position of now. */
  async readPresent(): Promise<string> {
    return this.#tokens.write(await this.#present())
  }

  /** Another token of the same position: a reader cannot tell whether anything has changed. */
  renew(token: string): string {
    const position = this.#tokens.read(token)
    if (position === undefined) throw new Error('the position is not from this log')
    return this.#tokens.write(position)
  }

  /** Reads soon: this instance has committed a change. */
  wake(): void {
    this.#pause.abort()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#listeners.clear()
    this.wake()
    await this.#loop
  }

  async #run(): Promise<void> {
    let failures = 0
    while (this.#listeners.size > 0 && this.#position !== undefined) {
      await wait(WAKE_INTERVAL_MS)
      const intervalMs = READ_INTERVAL_MS - WAKE_INTERVAL_MS + (failures && backOffMs(failures, RETRY))
      await wait(intervalMs, undefined, { signal: this.#pause.signal }).catch(() => {})
      // Before the read's snapshot: a wake for a change that it misses makes another read.
      this.#pause = new AbortController()
      try {
        await this.#deliver(this.#position)
        failures = 0
        this.#outage.works()
      } catch (err) {
        failures += 1
        this.#outage.failed({ err }, 'Changes cannot be read.')
      }
    }
    this.#position = undefined
    this.#loop = undefined
  }

  async #deliver(from: Position): Promise<void> {
    const { changes = [EVERYTHING], reached } = await this.#read(from, MOST_IN_BATCH)
    const isOtherHistory = !isSameHistory(from, reached)
    this.#position = reached
    if (changes.length === 0 && !isOtherHistory) return
    const position = this.#tokens.write(reached)
    const batch = { position, changes: isOtherHistory ? [EVERYTHING] : changes }
    for (const listener of this.#listeners) this.#tell(listener, batch)
  }

  /** A listener that fails does not keep others from the batch, and gets everything next time. */
  #tell(listener: Listener, batch: ChangeBatch): void {
    try {
      listener(this.#failed.has(listener) ? { ...batch, changes: [EVERYTHING] } : batch)
      this.#failed.delete(listener)
    } catch (err) {
      this.#failed.add(listener)
      this.#options.logger.error({ err }, 'A reader of changes failed.')
    }
  }

  /** The changes after a position, undefined if there are more than `most`; and the present one. */
  async #read(from: Position, most: number, event_id?: number) {
    const values = { snapshot: from.snapshot, most, event_id: event_id ?? null }
    const [row] = await this.#options.database.query(readChanges, values)
    if (row === undefined) throw new Error('there was no row')
    return { changes: row.changes ?? undefined, reached: await this.#positionOf(row) }
  }

  async #present(): Promise<Position> {
    const [row] = await this.#options.database.query(readSnapshot)
    if (row === undefined) throw new Error('there was no row')
    return this.#positionOf(row)
  }

  async #positionOf({ snapshot, at_seconds, started }: ReadSnapshot): Promise<Position> {
    if (this.#identity === undefined) {
      const [row] = await this.#options.database.query(readDatabaseIdentity)
      this.#identity = row?.identity
    }
    return { database: `${this.#identity}${started}`, atSeconds: at_seconds, snapshot }
  }
}

/** The number that the next transaction would have got. */
const nextTransaction = ({ snapshot }: Position) => BigInt(snapshot.split(':')[1] ?? 0)

/**
 * Whether the later position continues the earlier one. A server that was killed, or a new server
 * after a failover, may have lost transactions, and uses their numbers again.
 */
const isSameHistory = (earlier: Position, later: Position) =>
  earlier.database === later.database && nextTransaction(earlier) <= nextTransaction(later)

/** Changes are missing: every reader reads everything again. */
const EVERYTHING: Change = {
  kind: 'contest',
  eventId: null,
  objectId: null,
  userIds: null,
  isReset: true,
  isForJury: false,
  status: null,
}
