import { setTimeout } from 'node:timers/promises'
import { type Logger, OutageLog } from '../background/outage-log.ts'
import { backOffMs, settlesWithin } from '../background/waiting.ts'
import type { Database } from '../db/database.ts'
import { type Broker, type QueuedMessage, ReturnedError } from './broker.ts'
import {
  type Claim,
  claimMessages,
  claimShadowMessages,
  deleteMessages,
  endClaims,
  QUEUED_RUNS_MAX,
} from './outbox.ts'

export interface RelayOptions {
  readonly database: Database
  readonly broker: Broker
  readonly logger: Logger
  /** Called at each failure; the log has one line for each outage. */
  readonly onFailure?: ((of: 'database' | 'queue') => void) | undefined
  /** How long a claim lasts unless extended: the rows of a killed process wait for it. */
  readonly leaseMs?: number
  /** How often the relay looks for rows without being woken, such as rows of other processes. */
  readonly pollMs?: number
  /** Most rows of one claim. */
  readonly batchSize?: number
  /** Most runs that are published and unfinished, over all instances. */
  readonly queuedRunsMax?: number
  /** How long stopping waits for confirms. */
  readonly drainMs?: number
}

const DEFAULTS = {
  ...{ leaseMs: 20_000, pollMs: 1000, batchSize: 100, drainMs: 4000 },
  queuedRunsMax: QUEUED_RUNS_MAX,
}
const DATABASE_RETRY = { baseMs: 100, maxMs: 5000 }
const MESSAGE_RETRY = { baseMs: 250, maxMs: 30_000 }
const RELEASE_TIMEOUT_MS = 1000
/** Least time between rounds, so that close messages share statements; a backlog does not wait. */
const ROUND_MS = 25

/** A row that this relay has claimed and neither deleted nor released yet. */
interface HeldRow extends Claim {
  claims: number
  state: 'in flight' | 'confirmed' | 'refused'
  extendAtMs: number
}

/**
 * Publishes outbox rows until stopped: claims as many as the broker has room for, publishes them
 * without waiting for confirms, deletes confirmed rows and releases refused ones. Outages never
 * throw.
 */
export class Relay {
  readonly #options: RelayOptions & typeof DEFAULTS
  readonly #databaseLog: OutageLog
  readonly #queueLog: OutageLog
  readonly #held = new Map<string, HeldRow>()
  readonly #loop: Promise<void>
  /** Aborted when the next round is due at once. */
  #pause = new AbortController()
  #claimIsDue = true
  /** The last claim found as many rows as it could take. */
  #isBehind = false
  #failures = 0
  #stopping: Promise<void> | undefined
  #isAbandoned = false

  constructor(options: RelayOptions) {
    this.#options = { ...DEFAULTS, ...options }
    const { logger, broker } = options
    this.#databaseLog = new OutageLog(logger, 'error', 'The outbox can be read and written again.')
    this.#queueLog = new OutageLog(logger, 'warn', 'The queue accepts messages again.')
    broker.onReady(() => this.wake())
    this.#loop = this.#run()
  }

  /** Call after a commit that wrote outbox rows, or finished a run or a shadow judging. */
  wake(): void {
    this.#claimIsDue = true
    this.#pause.abort()
  }

  /** Claims no more, waits at most `drainMs` for confirms, and releases the remaining rows. */
  stop(): Promise<void> {
    this.#stopping ??= this.#drain()
    return this.#stopping
  }

  async #run(): Promise<void> {
    let startedMs = Number.NEGATIVE_INFINITY
    while (!this.#isDone()) {
      if (!this.#isBehind) await waitUntil(startedMs + ROUND_MS)
      startedMs = performance.now()
      // Before the claim's snapshot: a wake for a row that it misses then makes another round.
      this.#pause = new AbortController()
      const claim = this.#claim()
      this.#note(
        await Promise.allSettled([
          claim,
          this.#finish('confirmed', async (rows) => {
            await this.#delete(rows)
            // It may have claimed such a row before the deletion: held, the row is not sent again.
            await Promise.allSettled([claim])
          }),
          this.#finish('refused', (rows) => this.#release(rows)),
          this.#extend(),
        ]),
      )
      if (this.#isDone()) return
      const { signal } = this.#pause
      const isPollDue = await setTimeout(this.#pauseMs(), true, { signal }).catch(() => false)
      if (isPollDue) this.#claimIsDue = true
    }
  }

  #isDone(): boolean {
    return this.#stopping !== undefined && (this.#isAbandoned || this.#held.size === 0)
  }

  #pauseMs(): number {
    if (this.#failures > 0) return backOffMs(this.#failures, DATABASE_RETRY)
    return Math.min(this.#options.pollMs, this.#options.leaseMs / 3)
  }

  /** Each step returns whether it queried the database: only then is an outage known to be over. */
  #note(steps: PromiseSettledResult<boolean>[]): void {
    const failure = steps.find((step) => step.status === 'rejected')
    if (failure !== undefined) {
      this.#failures += 1
      this.#options.onFailure?.('database')
      this.#databaseLog.failed(
        { err: failure.reason },
        'The outbox cannot be read or written; messages wait in it.',
      )
    } else if (steps.some((step) => step.status === 'fulfilled' && step.value)) {
      this.#failures = 0
      this.#databaseLog.works()
    }
  }

  async #claim(): Promise<boolean> {
    const { database, broker, batchSize, leaseMs, queuedRunsMax } = this.#options
    this.#isBehind = false
    const limit = Math.min(batchSize, broker.capacity())
    if (!this.#claimIsDue || this.#stopping !== undefined || limit <= 0) return false
    this.#claimIsDue = false
    try {
      const messages = await claimMessages(database, limit, leaseMs, queuedRunsMax)
      this.#isBehind = messages.length === limit
      if (this.#isBehind) this.wake()
      for (const message of messages) this.#hold(message)
      const rest = limit - messages.length
      const shadows = rest === 0 ? [] : await claimShadowMessages(database, rest, leaseMs)
      for (const message of shadows) this.#hold(message)
    } catch (err) {
      this.#claimIsDue = true
      throw err
    }
    return true
  }

  #hold(message: QueuedMessage): void {
    const { outboxId, claims } = message
    const extendAtMs = performance.now() + this.#options.leaseMs / 3
    const held = this.#held.get(outboxId)
    if (held !== undefined && held.state !== 'refused') {
      // Its lease ended during a database outage, but the broker already has the message.
      held.claims = claims
      held.extendAtMs = extendAtMs
      return
    }
    const row: HeldRow = { outboxId, claims, extendAtMs, state: 'in flight' }
    this.#held.set(outboxId, row)
    void this.#publish(row, message)
  }

  /** Never rejects: the row becomes confirmed or refused. */
  async #publish(row: HeldRow, message: QueuedMessage): Promise<void> {
    try {
      if (this.#stopping !== undefined) throw new Error('the relay is stopping')
      await this.#options.broker.publish(message)
      row.state = 'confirmed'
      this.#queueLog.works()
    } catch (err) {
      row.state = 'refused'
      if (this.#stopping === undefined) this.#logRefusal(err, message)
    }
    this.#pause.abort()
  }

  #logRefusal(err: unknown, { body, judging }: QueuedMessage): void {
    const details = { err, message: body, judging }
    if (err instanceof ReturnedError) {
      this.#options.logger.warn(details, 'The worker gave a message back; it is sent again.')
      return
    }
    this.#options.onFailure?.('queue')
    this.#queueLog.failed(
      details,
      'The queue did not accept a message; it stays in the outbox and is sent again.',
    )
  }

  /** Writes the outcome of the rows in `state` and drops them; after a failure they stay. */
  async #finish(
    state: HeldRow['state'],
    write: (rows: readonly HeldRow[]) => Promise<void>,
  ): Promise<boolean> {
    const rows = [...this.#held.values()].filter((row) => row.state === state)
    if (rows.length === 0) return false
    await write(rows)
    for (const row of rows) {
      // A released row may have been claimed again before the result of the release arrived.
      if (this.#held.get(row.outboxId) === row) this.#held.delete(row.outboxId)
    }
    return true
  }

  #delete(rows: readonly HeldRow[]): Promise<void> {
    return deleteMessages(this.#options.database, rows)
  }

  #release(rows: readonly HeldRow[]): Promise<void> {
    const isStopping = this.#stopping !== undefined
    return endClaims(this.#options.database, rows, ({ claims }) =>
      isStopping ? 0 : backOffMs(claims, MESSAGE_RETRY),
    )
  }

  async #extend(): Promise<boolean> {
    const { database, leaseMs } = this.#options
    const nowMs = performance.now()
    const due = [...this.#held.values()].filter((row) => row.state === 'in flight' && row.extendAtMs <= nowMs)
    if (due.length === 0) return false
    await endClaims(database, due, () => leaseMs)
    for (const row of due) row.extendAtMs = nowMs + leaseMs / 3
    return true
  }

  async #drain(): Promise<void> {
    this.#pause.abort()
    if (await settlesWithin(this.#loop, this.#options.drainMs)) return
    this.#isAbandoned = true
    this.#pause.abort()
    const writes = [
      this.#finish('confirmed', (rows) => this.#delete(rows)),
      this.#finish('refused', (rows) => this.#release(rows)),
      this.#finish('in flight', (rows) => this.#release(rows)),
    ]
    await settlesWithin(Promise.allSettled(writes), RELEASE_TIMEOUT_MS)
  }
}

/** On a busy machine a timer may end some milliseconds early. */
async function waitUntil(timeMs: number): Promise<void> {
  for (let leftMs = timeMs - performance.now(); leftMs > 0; leftMs = timeMs - performance.now()) {
    await setTimeout(leftMs)
  }
}
