import { setTimeout } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import type { Broker, QueuedMessage } from './broker.ts'
import { type Logger, OutageLog } from './outage-log.ts'
import { type Claim, claimMessages, deleteMessages, extendLeases, releaseMessages } from './outbox.ts'
import { Bell, backOffMs, settlesWithin } from './waiting.ts'

export interface RelayOptions {
  readonly database: Database
  readonly broker: Broker
  readonly logger: Logger
  /** Hears of each failure, those included that the log has told of already. */
  readonly onFailure?: ((of: 'database' | 'queue') => void) | undefined
  /** How long a claim holds unless extended: what the rows of a killed process wait. Default 20,000. */
  readonly leaseMs?: number
  /** How often the outbox is looked through unasked, for the rows of others. Default 1000. */
  readonly pollMs?: number
  /** The most rows that one claim takes. Default 100. */
  readonly batchSize?: number
  /** How long stopping waits for the broker's answers. Default 4000. */
  readonly drainMs?: number
}

export interface Relay {
  /** Says that a transaction with outbox rows has committed. */
  wake(): void
  /** Claims no more, waits at most `drainMs` for the broker's answers, and gives back the rows still without one. */
  stop(): Promise<void>
}

/**
 * Carries outbox rows to the broker until stopped: claims as many as it has room for, hands them over without waiting
 * for the answers, deletes what it has answered for and gives back what it refused. An outage never throws.
 */
export function startRelay(options: RelayOptions): Relay {
  return new OutboxRelay(options)
}

/** A row claimed here that is neither deleted nor given back yet. */
interface HeldRow extends Claim {
  claims: number
  state: 'in flight' | 'taken' | 'refused'
  extendAtMs: number
}

const DATABASE_RETRY_MS = { base: 100, max: 5000 }
const MESSAGE_RETRY_MS = { base: 250, max: 30_000 }
const GIVE_BACK_MS = 1000
/**
 * The least time from round to round, so that messages which follow each other closely are claimed, sent and deleted together; the first goes at
 * once, and a backlog without a pause.
 */
const ROUND_MS = 25

class OutboxRelay implements Relay {
  readonly #database: Database
  readonly #broker: Broker
  readonly #leaseMs: number
  readonly #pollMs: number
  readonly #batchSize: number
  readonly #drainMs: number
  readonly #databaseLog: OutageLog
  readonly #deliveryLog: OutageLog
  readonly #onFailure: (of: 'database' | 'queue') => void
  readonly #bell = new Bell()
  readonly #held = new Map<string, HeldRow>()
  readonly #taken: HeldRow[] = []
  readonly #refused: HeldRow[] = []
  readonly #loop: Promise<void>
  #claimIsDue = true
  /** The last claim found as many rows as it could take. */
  #isBehind = false
  #failures = 0
  #stopping: Promise<void> | undefined
  #isAbandoned = false

  constructor(options: RelayOptions) {
    this.#database = options.database
    this.#broker = options.broker
    this.#leaseMs = options.leaseMs ?? 20_000
    this.#pollMs = options.pollMs ?? 1000
    this.#batchSize = options.batchSize ?? 100
    this.#drainMs = options.drainMs ?? 4000
    this.#databaseLog = new OutageLog(options.logger, 'error', 'The outbox can be read and written again.')
    this.#deliveryLog = new OutageLog(options.logger, 'warn', 'The queue takes messages again.')
    this.#onFailure = options.onFailure ?? (() => {})
    this.#broker.onReady(() => this.wake())
    this.#loop = this.#run()
  }

  wake(): void {
    this.#claimIsDue = true
    this.#bell.ring()
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#drain()
    return this.#stopping
  }

  async #run(): Promise<void> {
    let startedMs = Number.NEGATIVE_INFINITY
    while (!this.#isDone()) {
      const earlyMs = startedMs + ROUND_MS - performance.now()
      if (earlyMs > 0 && !this.#isBehind) await setTimeout(earlyMs)
      startedMs = performance.now()
      // Cleared before the claim takes its snapshot: a wake for a row that the snapshot misses makes another round.
      this.#bell.clear()
      this.#note(
        await Promise.allSettled([
          this.#claim(),
          this.#deleteTaken(),
          this.#releaseRefused(),
          this.#extend(),
        ]),
      )
      if (this.#isDone()) return
      if (!(await this.#bell.wait(this.#pauseMs()))) this.#claimIsDue = true
    }
  }

  #isDone(): boolean {
    return this.#stopping !== undefined && (this.#isAbandoned || this.#held.size === 0)
  }

  #pauseMs(): number {
    if (this.#failures > 0) return backOffMs(this.#failures, DATABASE_RETRY_MS.base, DATABASE_RETRY_MS.max)
    return Math.min(this.#pollMs, this.#leaseMs / 3)
  }

  /** Each step says whether it asked the database: a round without a question says nothing about an outage. */
  #note(steps: PromiseSettledResult<boolean>[]): void {
    const failure = steps.find((step) => step.status === 'rejected')
    if (failure !== undefined) {
      this.#failures += 1
      this.#onFailure('database')
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
    this.#isBehind = false
    const limit = Math.min(this.#batchSize, this.#broker.capacity())
    if (!this.#claimIsDue || this.#stopping !== undefined || limit <= 0) return false
    this.#claimIsDue = false
    try {
      const messages = await claimMessages(this.#database, limit, this.#leaseMs)
      this.#isBehind = messages.length === limit
      if (this.#isBehind) this.wake()
      for (const message of messages) this.#hold(message)
    } catch (err) {
      this.#claimIsDue = true
      throw err
    }
    return true
  }

  #hold(message: QueuedMessage): void {
    const { outboxId, claims } = message
    const extendAtMs = performance.now() + this.#leaseMs / 3
    const held = this.#held.get(outboxId)
    if (held !== undefined && held.state !== 'refused') {
      // Its lease ran out here while the database was away. The broker has it already.
      held.claims = claims
      held.extendAtMs = extendAtMs
      return
    }
    const row: HeldRow = { outboxId, claims, extendAtMs, state: 'in flight' }
    this.#held.set(outboxId, row)
    void this.#handOver(row, message)
  }

  /** Never rejects: the row goes to the taken or to the refused ones. */
  async #handOver(row: HeldRow, message: QueuedMessage): Promise<void> {
    try {
      if (this.#stopping !== undefined) throw new Error('the relay is stopping')
      await this.#broker.publish(message)
      row.state = 'taken'
      this.#taken.push(row)
      this.#deliveryLog.works()
    } catch (err) {
      row.state = 'refused'
      this.#refused.push(row)
      if (this.#stopping === undefined) {
        this.#onFailure('queue')
        this.#deliveryLog.failed(
          { err, message: message.body, judging: message.judging },
          'The queue did not take a message; it stays in the outbox and is tried again.',
        )
      }
    }
    this.#bell.ring()
  }

  #deleteTaken(): Promise<boolean> {
    return this.#write(this.#taken, (rows) =>
      deleteMessages(
        this.#database,
        rows.map((row) => row.outboxId),
      ),
    )
  }

  #releaseRefused(): Promise<boolean> {
    return this.#write(this.#refused, (rows) =>
      releaseMessages(this.#database, rows, (row) => this.#retryDelayMs(row)),
    )
  }

  #retryDelayMs(row: Claim): number {
    if (this.#stopping !== undefined) return 0
    return backOffMs(row.claims, MESSAGE_RETRY_MS.base, MESSAGE_RETRY_MS.max)
  }

  /** Writes the outcome of `rows` and lets go of them; those that fail to be written stay for the next round. */
  async #write(rows: HeldRow[], write: (rows: readonly HeldRow[]) => Promise<void>): Promise<boolean> {
    const settled = rows.slice()
    if (settled.length === 0) return false
    await write(settled)
    rows.splice(0, settled.length)
    for (const row of settled) {
      // A row given back may have been claimed again before the database's answer arrived.
      if (this.#held.get(row.outboxId) === row) this.#held.delete(row.outboxId)
    }
    return true
  }

  async #extend(): Promise<boolean> {
    const nowMs = performance.now()
    const due = [...this.#held.values()].filter((row) => row.state === 'in flight' && row.extendAtMs <= nowMs)
    if (due.length === 0) return false
    await extendLeases(this.#database, due, this.#leaseMs)
    for (const row of due) row.extendAtMs = nowMs + this.#leaseMs / 3
    return true
  }

  async #drain(): Promise<void> {
    this.#bell.ring()
    if (await settlesWithin(this.#loop, this.#drainMs)) return
    this.#isAbandoned = true
    this.#bell.ring()
    await settlesWithin(this.#giveBack(), GIVE_BACK_MS)
  }

  async #giveBack(): Promise<void> {
    const unanswered = [...this.#held.values()].filter((row) => row.state === 'in flight')
    await Promise.allSettled([
      this.#deleteTaken(),
      this.#releaseRefused(),
      releaseMessages(this.#database, unanswered, () => 0),
    ])
  }
}
