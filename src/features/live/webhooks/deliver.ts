import type { ChangeLog } from '../../../changes/change-log.ts'
import type { Database } from '../../../db/database.ts'
import { type Actor, ActorDatabase } from '../../../http/routing/actor.ts'
import {
  type ConfirmedDelivery,
  confirmDelivery,
  listChangedContests,
  listStartedAndEnded,
  readWebhookOwner,
  storeDelivery,
  storeFailure,
} from './delivery-sql.ts'
import { Changed, type HeldWebhook, type Rest } from './held-webhook.ts'
import { sendOnce } from './send.ts'
import type { FindAddresses } from './target.ts'

/** Who reads the notifications of which contest: the owner of the webhook, as staff. */
export interface NotificationReader {
  readonly actor: Actor
  readonly eventId: number
}

/** Notifications of a contest: JSON texts with their types. */
export interface ReadNotifications {
  readonly notifications: readonly { readonly type: string; readonly text: string }[]
  /** Later notifications follow this position. */
  readonly position: string
}

export interface DeliverySources {
  readonly changes: Pick<ChangeLog, 'follow' | 'since'>
  /**
   * The notifications after a position, or every collection as a whole if the position is too old
   * or foreign. Undefined: there is nothing.
   */
  readonly readNotifications: (
    reader: NotificationReader,
    position: string,
  ) => Promise<ReadNotifications | undefined>
}

export interface Delivery extends DeliverySources {
  readonly database: Database
  readonly findAddresses: FindAddresses
  readonly ca: string | undefined
  readonly leaseMs: number
  readonly connectMs: number
  readonly requestMs: number
  /** Failures in a row for so long deactivate a webhook. */
  readonly deactivateMs: number
  /** The pause after so many failures in a row. */
  readonly pauseMs: (failures: number) => number
  /** Whether the rest of a delivery may stay in memory until the next try. */
  readonly mayKeep: (rest: Rest, webhook: HeldWebhook) => boolean
  /** No further contest is begun. */
  readonly isStopping: () => boolean
  /** Aborted when requests have to end. */
  readonly signal: AbortSignal
}

/** The webhook is gone or inactive, or another instance delivers it. */
export class LeaseEnded extends Error {}

/** Instants up to so long before the stored position are looked at again. */
const INSTANT_MARGIN_SECONDS = 60

/** Catching up reads the log until nothing is new, but not for ever. */
const MOST_READS = 100

const MOST_NOTIFICATIONS = 500

/** With the rest of the body less than 1 MiB. */
const MOST_BYTES = 1024 * 1024 - 100

/**
 * Delivers the changed contests one by one. Stops after a failed request or at the end of the turn;
 * the rest stays noted. Throws LeaseEnded and database errors.
 */
export async function deliverChanges(webhook: HeldWebhook, delivery: Delivery): Promise<void> {
  const actor = await readOwner(webhook, delivery)
  await catchUp(webhook, delivery)
  if (webhook.rest !== undefined && !(await sendRest(webhook, webhook.rest, actor, delivery))) return
  for (const [place, eventId] of (await listContests(webhook, actor, delivery)).entries()) {
    if (delivery.isStopping() || (place > 0 && webhook.isTurnOver())) return
    webhook.changed.eventIds.delete(eventId)
    let isDone = false
    try {
      isDone = await deliverContest(webhook, { actor, eventId }, delivery)
    } finally {
      if (!isDone) webhook.changed.eventIds.add(eventId)
    }
    if (!isDone) return
  }
}

async function readOwner({ id, lease }: HeldWebhook, { database }: Delivery): Promise<Actor> {
  const [owner] = await database.query(readWebhookOwner, { id, lease })
  if (owner === undefined) throw new LeaseEnded()
  return { id: owner.user_id, role: owner.is_admin ? 2 : 0, sessionVersion: null }
}

/** Notes what has changed since the stored position, after a claim or too many changes. */
async function catchUp(webhook: HeldWebhook, delivery: Delivery): Promise<void> {
  if (!webhook.isBehind) return
  // At first: the webhook may fall behind again meanwhile.
  webhook.isBehind = false
  try {
    const missed = await readMissed(webhook, delivery)
    webhook.changed.merge(missed)
  } catch (err) {
    webhook.isBehind = true
    throw err
  }
}

async function readMissed(webhook: HeldWebhook, { database, changes }: Delivery): Promise<Changed> {
  const missed = new Changed()
  let position = webhook.position
  for (let reads = 0; reads < MOST_READS && !missed.everywhere; reads += 1) {
    const batch = await changes.since(position)
    if (batch === undefined) missed.everywhere = true
    else for (const change of batch.changes) missed.note(change)
    if (batch === undefined || batch.changes.length === 0) break
    position = batch.position
  }
  const since = { since: webhook.positionAt, margin_seconds: INSTANT_MARGIN_SECONDS }
  const [instants] = await database.query(listStartedAndEnded, since)
  for (const eventId of instants?.event_ids ?? []) missed.eventIds.add(eventId)
  return missed
}

/** The changed contests that the owner manages; they replace what was noted. */
async function listContests(webhook: HeldWebhook, actor: Actor, { database }: Delivery): Promise<number[]> {
  const { changed } = webhook
  if (changed.isEmpty()) return []
  webhook.changed = new Changed()
  try {
    const rows = await new ActorDatabase(database, actor).query(listChangedContests, {
      webhook_id: webhook.id,
      event_ids: [...changed.eventIds],
      user_ids: [...changed.userIds],
      everywhere: changed.everywhere,
    })
    for (const { event_id } of rows) webhook.changed.eventIds.add(event_id)
    return rows.map(({ event_id }) => event_id)
  } catch (err) {
    webhook.changed.merge(changed)
    throw err
  }
}

/** False: a request has failed, or the turn is over. */
async function deliverContest(
  webhook: HeldWebhook,
  reader: NotificationReader,
  delivery: Delivery,
): Promise<boolean> {
  const { is_managed, position, endpoints } = await confirm(webhook, reader, delivery)
  if (!is_managed) return true
  const read = await delivery.readNotifications(reader, position)
  if (read === undefined) return true
  const requests = divide(chooseTypes(read.notifications, endpoints))
  const rest = { eventId: reader.eventId, position: read.position, requests }
  return sendRest(webhook, rest, reader.actor, delivery)
}

/**
 * Sends requests one after another, each after the owner's right was checked, and stores the
 * position. What is left after some of them stays in memory, so that none is sent twice.
 */
async function sendRest(
  webhook: HeldWebhook,
  rest: Rest,
  actor: Actor,
  delivery: Delivery,
): Promise<boolean> {
  const { id, lease } = webhook
  const { eventId, position, requests } = rest
  const is_sent = webhook.rest === rest || requests.length > 0
  for (const [place, notifications] of requests.entries()) {
    const outcome = await sendChecked(webhook, { actor, eventId }, notifications, delivery)
    if (outcome === 'unmanaged') {
      webhook.rest = undefined
      return true
    }
    if (outcome !== 'sent') {
      await noteFailure(webhook, outcome.failure, delivery)
      return false
    }
    const left = { eventId, position, requests: requests.slice(place + 1) }
    webhook.rest = delivery.mayKeep(left, webhook) ? left : undefined
    if (webhook.rest !== undefined && left.requests.length > 0 && webhook.isTurnOver()) return false
  }
  await delivery.database.query(storeDelivery, { id, lease, event_id: eventId, position, is_sent })
  webhook.rest = undefined
  if (is_sent) webhook.failures = 0
  return true
}

type Outcome = 'sent' | 'unmanaged' | { readonly failure: string }

/** The name is resolved before the check, so that the request follows the check at once. */
async function sendChecked(
  webhook: HeldWebhook,
  reader: NotificationReader,
  notifications: readonly string[],
  delivery: Delivery,
): Promise<Outcome> {
  const { findAddresses, signal, ca, connectMs, requestMs } = delivery
  const before = await confirm(webhook, reader, delivery)
  if (!before.is_managed) return 'unmanaged'
  const url = new URL(before.url)
  const addresses = await findAddresses(url)
  const { is_managed, token } = await confirm(webhook, reader, delivery)
  if (!is_managed) return 'unmanaged'
  signal.throwIfAborted()
  const body = bodyOf(reader.eventId, notifications)
  const failure = await sendOnce({ url, addresses, token, body, ca, connectMs, requestMs, signal })
  if (failure === undefined) return 'sent'
  // The delivery was ended by this instance: that is no failure of the receiver.
  signal.throwIfAborted()
  return { failure }
}

async function confirm(
  { id, lease }: HeldWebhook,
  { actor, eventId }: NotificationReader,
  { database, leaseMs }: Delivery,
): Promise<ConfirmedDelivery> {
  const values = { webhook_id: id, lease, event_id: eventId, lease_ms: leaseMs }
  const [confirmed] = await new ActorDatabase(database, actor).query(confirmDelivery, values)
  if (confirmed === undefined) throw new LeaseEnded()
  return confirmed
}

async function noteFailure(webhook: HeldWebhook, error: string, delivery: Delivery): Promise<void> {
  const { id, lease } = webhook
  const pause_ms = Math.round(delivery.pauseMs(webhook.failures + 1))
  const values = { id, lease, error, pause_ms, most_ms: delivery.deactivateMs }
  const [stored] = await delivery.database.query(storeFailure, values)
  if (stored === undefined || !stored.active) throw new LeaseEnded()
  webhook.failures = stored.failures
  webhook.dueAtMs = performance.now() + pause_ms
}

/** The notifications of these types; no types: all. */
function chooseTypes(notifications: ReadNotifications['notifications'], types: readonly string[]): string[] {
  const chosen = notifications.filter(({ type }) => types.length === 0 || types.includes(type))
  return chosen.map(({ text }) => text)
}

/**
 * Divides notifications, in their order, into the requests that send them: at most 500 and 1 MiB
 * each. One that is larger is alone.
 */
function divide(notifications: readonly string[]): string[][] {
  const requests: string[][] = []
  let bytes = 0
  for (const notification of notifications) {
    const added = Buffer.byteLength(notification) + 1
    const last = requests.at(-1)
    if (last === undefined || last.length >= MOST_NOTIFICATIONS || bytes + added > MOST_BYTES) {
      requests.push([notification])
      bytes = added
    } else {
      last.push(notification)
      bytes += added
    }
  }
  return requests
}

/** The body of a request. */
function bodyOf(eventId: number, notifications: readonly string[]): string {
  return `{"contest_id":"${eventId}","notifications":[${notifications.join(',')}]}`
}
