import { type Queryable, statement } from '../db/database.ts'
import type { MessageKind, QueuedMessage } from './broker.ts'

/** A claim on one outbox row; `claims`, their number so far, tells it from later ones on the same row. */
export interface Claim {
  readonly outboxId: string
  readonly claims: number
}

/**
 * SQL that queues one message for each row of the CTE `subjects` (its `id` and `attempt`), for the statement that makes them so:
 * `with created as (insert … returning …), queued as (${queuedFrom('created', 'submission')}) select …`.
 */
export function queuedFrom(subjects: string, kind: MessageKind): string {
  return `insert into outbox (kind, subject_id, attempt) select '${kind}', ${subjects}.id, ${subjects}.attempt from ${subjects}`
}

type ClaimedRow = {
  outbox_id: string
  kind: MessageKind
  subject_id: string
  attempt: number
  claims: number
  enqueued_at: string
}

/**
 * Commits the transaction of a statement that reads it without waiting for the disk, and no other. A crash of the server may undo a claim or
 * a deletion then, never half of one: the message is handed over once more.
 */
const UNFLUSHED = `(select set_config('synchronous_commit', 'off', true)) as unflushed`

// The ids go through an array because a
// join with them is planned for a tenth of the table, whatever the limit: on 100,000 rows a sequential scan of 15 ms.
const claimRows = statement<ClaimedRow>(
  'claim_outbox_rows',
  `
  with claimed as (
    update outbox
    set claimed_until = now() + $2::integer * interval '1 millisecond',
        claims        = outbox.claims + 1
    where outbox.id = any(array(
      select due.id
      from outbox as due
      where due.claimed_until is null or due.claimed_until <= now()
      order by due.id
      limit $1::integer
      for update skip locked
    ))
    returning outbox.id, outbox.kind, outbox.subject_id, outbox.attempt, outbox.claims, outbox.enqueued_at
  )
  select claimed.id::text         as outbox_id,
         claimed.kind             as kind,
         claimed.subject_id::text as subject_id,
         claimed.attempt          as attempt,
         claimed.claims           as claims,
         utc(claimed.enqueued_at) as enqueued_at
  from claimed
  cross join ${UNFLUSHED}
  order by claimed.id`,
)

/** Claims at most `limit` rows that nobody holds, oldest first, for `leaseMs` milliseconds. */
export async function claimMessages(db: Queryable, limit: number, leaseMs: number): Promise<QueuedMessage[]> {
  const rows = await db.query(claimRows, [limit, leaseMs])
  return rows.map((row) => ({
    outboxId: row.outbox_id,
    body: { type: row.kind, id: row.subject_id },
    attempt: row.attempt,
    claims: row.claims,
    enqueuedAt: row.enqueued_at,
  }))
}

const deleteRows = statement(
  'delete_outbox_rows',
  `delete from outbox using ${UNFLUSHED} where outbox.id = any($1::bigint[])`,
)

/** Deletes the rows whose messages the broker has answered for, whoever claims them now. */
export async function deleteMessages(db: Queryable, outboxIds: readonly string[]): Promise<void> {
  await db.query(deleteRows, [outboxIds])
}

const setLeases = statement(
  'set_outbox_leases',
  `
  update outbox
  set claimed_until = now() + lease.duration_ms * interval '1 millisecond'
  from unnest($1::bigint[], $2::integer[], $3::integer[]) as lease (id, claims, duration_ms)
  where outbox.id = lease.id
    and outbox.claims = lease.claims`,
)

/** Holds claimed rows for `leaseMs` milliseconds from now; rows that another relay has claimed since are left alone. */
export async function extendLeases(db: Queryable, claims: readonly Claim[], leaseMs: number): Promise<void> {
  await holdFor(db, claims, () => leaseMs)
}

/** Gives claimed rows back, each to be claimed again once `delayMs(claim)` milliseconds have passed. */
export async function releaseMessages(
  db: Queryable,
  claims: readonly Claim[],
  delayMs: (claim: Claim) => number,
): Promise<void> {
  await holdFor(db, claims, delayMs)
}

async function holdFor(
  db: Queryable,
  claims: readonly Claim[],
  durationMs: (claim: Claim) => number,
): Promise<void> {
  await db.query(setLeases, [
    claims.map((claim) => claim.outboxId),
    claims.map((claim) => claim.claims),
    claims.map((claim) => Math.round(durationMs(claim))),
  ])
}
