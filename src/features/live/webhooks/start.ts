import { setTimeout as wait } from 'node:timers/promises'
import { type Logger, OutageLog } from '../../../background/outage-log.ts'
import { backOffMs, settlesWithin } from '../../../background/waiting.ts'
import type { ChangeBatch, Following } from '../../../changes/change.ts'
import type { Config } from '../../../config/config.ts'
import type { Database } from '../../../db/database.ts'
import { newIds } from '../../../db/ids.ts'
import { type Delivery, type DeliverySources, deliverChanges, LeaseEnded } from './deliver.ts'
import { claimWebhooks, listStartedAndEnded, renewWebhooks } from './delivery-sql.ts'
import { Changed, HeldWebhook, type Rest } from './held-webhook.ts'
import { createLookups, createTargetRules, type Resolve, resolveByMachine } from './target.ts'

/** The times of deliveries. */
const TIMES = {
  /** How often the loop looks whether something is due. */
  tickMs: 250,
  /** How often it looks for webhooks that no instance holds. */
  claimMs: 5000,
  /** The lease of a killed instance ends by itself. It is longer than one request. */
  leaseMs: 25_000,
  /** How often leases are renewed, and starts and ends of contests are looked for. */
  renewMs: 8000,
  /** Least time between the deliveries of a webhook: changes that are close are sent together. */
  roundMs: 500,
  /** How long one webhook delivers before the others' turn; a request is not broken off. */
  turnMs: 30_000,
  connectMs: 5000,
  requestMs: 15_000,
  deactivateMs: 3_600_000,
  /** How long stopping waits for requests, and then for the database. */
  drainMs: 2500,
  releaseMs: 1500,
}

export interface WebhooksOptions extends DeliverySources {
  readonly database: Database
  readonly config: Pick<Config, 'webhookNetworks'>
  readonly logger: Logger
  /** Default: by the machine. */
  readonly resolve?: Resolve
  /** Default: the authorities of Node. */
  readonly ca?: string | undefined
  /** Default: as in production. */
  readonly times?: Partial<typeof TIMES>
  /** Default: from a second to five minutes. */
  readonly pauseMs?: (failures: number) => number
}

/** Half of a pause is random. */
const RETRY = { baseMs: 1500, maxMs: 300_000 }
const DATABASE_RETRY_MS = 1000

const MOST_RUNNING = 16
/** One owner's slow receivers do not delay the receivers of others. */
const MOST_RUNNING_OF_OWNER = 2
const CLAIM_BATCH = 50
const MOST_KEPT_BYTES = 16 * 1024 * 1024

/**
 * Delivers the notifications of webhooks until stopped. An instance holds a webhook for as long as
 * it lives; then another instance goes on at the stored position. Outages never throw.
 */
export class Webhooks {
  readonly #options: WebhooksOptions
  readonly #times: typeof TIMES
  readonly #delivery: Delivery
  readonly #outage: OutageLog
  readonly #held = new Map<string, HeldWebhook>()
  readonly #rounds = new Map<HeldWebhook, Promise<void>>()
  readonly #ending = new AbortController()
  readonly #loop: Promise<void>
  #following: Following | undefined
  #instantsSince: string | undefined
  #claimAtMs = 0
  #renewAtMs = 0
  #pause = new AbortController()
  #isStopping = false

  constructor(options: WebhooksOptions) {
    const { resolve = resolveByMachine, config, database, changes, ca, pauseMs } = options
    this.#options = options
    this.#times = { ...TIMES, ...options.times }
    this.#outage = new OutageLog(options.logger, 'warn', 'Webhooks are delivered again.')
    this.#delivery = {
      ...{ database, changes, ca },
      readNotifications: options.readNotifications,
      findAddresses: createLookups(resolve, createTargetRules(config.webhookNetworks)),
      pauseMs: pauseMs ?? ((failures) => backOffMs(failures, RETRY)),
      mayKeep: (rest, webhook) => this.#keptBytes(webhook) + bytesOf(rest) <= MOST_KEPT_BYTES,
      signal: this.#ending.signal,
      isStopping: () => this.#isStopping,
      ...this.#times,
    }
    this.#loop = this.#run()
  }

  /** Call after a commit that registered or activated a webhook. */
  wake(): void {
    this.#claimAtMs = 0
    this.#pause.abort()
  }

  /** Ends within 5 seconds. Requests that had no response until then are sent again. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#pause.abort()
    const { drainMs, releaseMs } = this.#times
    await settlesWithin(Promise.allSettled([this.#loop, ...this.#rounds.values()]), drainMs)
    this.#ending.abort()
    this.#following?.stop()
    // The other instances go on at once.
    await settlesWithin(this.#renew(0), releaseMs)
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      this.#pause = new AbortController()
      try {
        await this.#work()
        this.#outage.works()
      } catch (err) {
        if (!this.#isStopping) this.#outage.failed({ err }, 'Webhooks are not delivered for now.')
        await wait(DATABASE_RETRY_MS, undefined, { signal: this.#pause.signal }).catch(() => {})
      }
      await wait(this.#times.tickMs, undefined, { signal: this.#pause.signal }).catch(() => {})
    }
  }

  async #work(): Promise<void> {
    const nowMs = performance.now()
    const { claimMs, renewMs, leaseMs } = this.#times
    if (nowMs >= this.#claimAtMs) {
      this.#claimAtMs = nowMs + claimMs
      await this.#claim()
    }
    // Before the webhooks read the log from their positions on.
    await this.#follow()
    if (nowMs >= this.#renewAtMs) {
      this.#renewAtMs = nowMs + renewMs
      await this.#renew(leaseMs)
    }
    for (const webhook of [...this.#held.values()]) this.#startRound(webhook)
  }

  async #claim(): Promise<void> {
    const [lease = ''] = newIds(1)
    const values = { lease, lease_ms: this.#times.leaseMs, batch: CLAIM_BATCH }
    const claimed = await this.#options.database.query(claimWebhooks, values)
    if (claimed.length === CLAIM_BATCH) this.#claimAtMs = 0
    for (const row of claimed) {
      this.#drop(row.id)
      this.#held.set(row.id, new HeldWebhook(row, lease, this.#options.logger))
    }
  }

  /** Follows the log while there are webhooks. */
  async #follow(): Promise<void> {
    if (this.#held.size === 0) {
      this.#following?.stop()
      this.#following = undefined
      this.#instantsSince = undefined
    } else {
      this.#following ??= await this.#options.changes.follow((batch) => this.#note(batch))
    }
  }

  #note({ changes }: ChangeBatch): void {
    for (const webhook of this.#held.values()) {
      for (const change of changes) webhook.changed.note(change)
      if (!webhook.changed.isLarge()) continue
      webhook.changed = new Changed()
      webhook.isBehind = true
    }
  }

  /** Starts and ends of contests are no changes of the log. */
  async #noteInstants(): Promise<void> {
    const since = this.#instantsSince
    const [found] = await this.#options.database.query(listStartedAndEnded, { since, margin_seconds: 0 })
    this.#instantsSince = found?.now
    for (const webhook of this.#held.values()) {
      for (const eventId of found?.event_ids ?? []) webhook.changed.eventIds.add(eventId)
    }
  }

  /** Extends the leases, or with 0 ends them, and stores the position of those without changes. */
  async #renew(leaseMs: number): Promise<void> {
    if (this.#held.size === 0 || this.#following === undefined) return
    const position = this.#following.reached()
    // After the position was taken: otherwise it could be later than an instant that is not noted.
    await this.#noteInstants()
    const held = [...this.#held.values()]
    const renewed = await this.#options.database.query(renewWebhooks, {
      ids: held.map(({ id }) => id),
      leases: [...new Set(held.map(({ lease }) => lease))],
      current: held.filter((webhook) => webhook.isCurrent()).map(({ id }) => id),
      position,
      lease_ms: leaseMs,
    })
    const rows = new Map(renewed.map((row) => [row.id, row]))
    for (const webhook of held) {
      const row = rows.get(webhook.id)
      if (row === undefined) this.#drop(webhook.id, webhook)
      else Object.assign(webhook, { position: row.position, positionAt: row.position_at })
    }
  }

  #startRound(webhook: HeldWebhook): void {
    const running = [...this.#rounds.keys()]
    const isFull =
      running.length >= MOST_RUNNING ||
      running.filter(({ userId }) => userId === webhook.userId).length >= MOST_RUNNING_OF_OWNER
    if (isFull || this.#isStopping || !webhook.isDue()) return
    webhook.isRunning = true
    webhook.dueAtMs = performance.now() + this.#times.roundMs
    webhook.turnEndsAtMs = performance.now() + this.#times.turnMs
    // The others go first next time.
    this.#held.delete(webhook.id)
    this.#held.set(webhook.id, webhook)
    const round = this.#runRound(webhook).finally(() => {
      webhook.isRunning = false
      this.#rounds.delete(webhook)
    })
    this.#rounds.set(webhook, round)
  }

  async #runRound(webhook: HeldWebhook): Promise<void> {
    try {
      await deliverChanges(webhook, this.#delivery)
      webhook.noteWorks()
    } catch (err) {
      if (err instanceof LeaseEnded) this.#drop(webhook.id, webhook)
      else if (!this.#isStopping) webhook.noteError(err)
    }
  }

  /** A webhook that was claimed again counts as a new webhook. */
  #drop(id: string, webhook = this.#held.get(id)): void {
    if (webhook === undefined) return
    webhook.isLost = true
    if (this.#held.get(id) === webhook) this.#held.delete(id)
  }

  /** The memory for the rests of the other webhooks. */
  #keptBytes(besides: HeldWebhook): number {
    const others = [...this.#held.values()].filter((webhook) => webhook !== besides)
    return others.reduce((sum, { rest }) => sum + (rest ? bytesOf(rest) : 0), 0)
  }
}

const bytesOf = ({ requests }: Rest) =>
  requests.flat().reduce((sum, notification) => sum + notification.length, 0)
