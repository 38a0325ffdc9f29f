import { type Logger, OutageLog } from '../../../background/outage-log.ts'
import { backOffMs } from '../../../background/waiting.ts'
import type { Change } from '../../../changes/change.ts'
import type { ClaimedWebhook } from './delivery-sql.ts'

/** The part of a delivery that is left: the requests before it have succeeded. */
export interface Rest {
  readonly eventId: number
  /** Stored after the last request. */
  readonly position: string
  /** The notifications of each request. */
  readonly requests: readonly (readonly string[])[]
}

/** More changes than these: the log is read again instead. */
const MOST_CHANGES = 10_000

const ERROR_RETRY = { baseMs: 1000, maxMs: 60_000 }

/** What has changed since a webhook's last delivery. */
export class Changed {
  readonly eventIds = new Set<number>()
  readonly userIds = new Set<string>()
  everywhere = false

  isEmpty(): boolean {
    return this.eventIds.size + this.userIds.size === 0 && !this.everywhere
  }

  isLarge(): boolean {
    return this.eventIds.size + this.userIds.size > MOST_CHANGES
  }

  /** Notes a change. Those outside of contests and notifications of users concern no webhook. */
  note({ kind, eventId, objectId, isReset }: Change): void {
    if (kind === 'notification') return
    if (eventId !== null) this.eventIds.add(eventId)
    else if (kind === 'user' && objectId !== null) this.userIds.add(objectId)
    else if (kind === 'language' || isReset) this.everywhere = true
  }

  merge(other: Changed): void {
    for (const id of other.eventIds) this.eventIds.add(id)
    for (const id of other.userIds) this.userIds.add(id)
    this.everywhere ||= other.everywhere
  }
}

/** A webhook that this instance delivers. */
export class HeldWebhook {
  readonly id: string
  readonly userId: string
  readonly lease: string
  /** The stored position, and its time. */
  position: string
  positionAt: string
  failures: number
  changed = new Changed()
  /** The log has to be read from `position` on: changes before the claim are not noted. */
  isBehind = true
  rest: Rest | undefined
  isRunning = false
  isLost = false
  /** By `performance.now()`: not before. */
  dueAtMs: number
  /** By `performance.now()`: then the others have their turn. */
  turnEndsAtMs = 0
  readonly #outage: OutageLog
  #errors = 0

  constructor(claimed: ClaimedWebhook, lease: string, logger: Logger) {
    const { id, user_id, position, position_at, failures, wait_ms } = claimed
    this.#outage = new OutageLog(logger, 'warn', 'The webhook is delivered again.')
    this.id = id
    this.userId = user_id
    this.lease = lease
    this.position = position
    this.positionAt = position_at
    this.failures = failures
    this.dueAtMs = performance.now() + wait_ms
  }

  /** Nothing is left to deliver of what was noted. */
  isCurrent(): boolean {
    return !this.isRunning && !this.isBehind && this.rest === undefined && this.changed.isEmpty()
  }

  isDue(): boolean {
    const isNeeded = this.isBehind || this.rest !== undefined || !this.changed.isEmpty()
    return isNeeded && !this.isRunning && !this.isLost && performance.now() >= this.dueAtMs
  }

  isTurnOver(): boolean {
    return performance.now() >= this.turnEndsAtMs
  }

  /** Notes an error of this instance or of the database; the next try follows after a pause. */
  noteError(err: unknown): void {
    this.#errors += 1
    this.dueAtMs = performance.now() + backOffMs(this.#errors, ERROR_RETRY)
    this.#outage.failed({ err, webhook: this.id }, 'A webhook cannot be delivered for now.')
  }

  noteWorks(): void {
    this.#errors = 0
    this.#outage.works()
  }
}
