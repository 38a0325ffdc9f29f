import type { Queryable } from '../db/database.ts'
import { row, statement } from '../db/statement.ts'
import type { MessageKind, QueuedMessage } from './broker.ts'

/** A claim on an outbox row; `claims` tells it from later claims on the same row. */
export interface Claim {
  readonly outboxId: string
  readonly claims: number
}

/**
 * Part of a statement: queues a message for each row of the CTE `subjects`, which has `id` and
 * `attempt`, the number of the judging: `with created as (…), queued as (${queuedFrom(…)})`.
 */
export function queuedFrom(subjects: string, kind: MessageKind): string {
  return `insert into outbox (kind, subject_id, attempt) select '${kind}', ${subjects}.id, ${subjects}.attempt from ${subjects}`
}

/**
 * Asynchronous commit, for this transaction only. A crash of the server may undo a claim or a
 * deletion, never half of it: the message is then published once more.
 */
const UNFLUSHED = `(select set_config('synchronous_commit', 'off', true)) as unflushed`

const IS_DUE = '(due.claimed_until is null or due.claimed_until <= now())'

/**
 * Claims submissions first, then runs as long as fewer than `queued_runs_max` are published and
 * unfinished. A run that is published already, such as one that the queue refused, needs no place.
 * Ids as an array: the planner expects a join to match a tenth of the rows (100,000: 15 ms).
 */
export const claimRows = statement({
  name: 'claim_outbox_rows',
  params: { limit: 'integer', lease_ms: 'integer', queued_runs_max: 'integer' },
  row: row<{
    outbox_id: string
    kind: MessageKind
    subject_id: string
    judging: number
    claims: number
    enqueued_at: string
  }>(),
  sql: `with submissions as (
          select due.id
          from outbox as due
          where due.kind = 'submission' and ${IS_DUE}
          order by due.id
          limit :limit
          for update skip locked
        ), room as materialized (
          select rest.messages,
                 case when rest.messages > 0 and (
                   select true from outbox as due where due.kind = 'input' and ${IS_DUE} order by due.id limit 1)
                 then lock_published_runs() end as published
          from (select :limit - (select count(*) from submissions) as messages) as rest
        ), published_runs as (
          select due.id
          from outbox as due
          where due.kind = 'input' and due.subject_id = any((select room.published from room)::uuid[]) and ${IS_DUE}
          order by due.id
          limit (select room.messages from room)
          for update skip locked
        ), waiting_runs as (
          select due.id, due.subject_id
          from outbox as due
          where due.kind = 'input' and due.subject_id <> all((select room.published from room)::uuid[]) and ${IS_DUE}
          order by due.id
          limit (
            select greatest(0, least(
                     room.messages - (select count(*) from published_runs),
                     :queued_runs_max - cardinality(room.published)))
            from room)
          for update skip locked
        ), published as (
          update runs
          set published = true
          where runs.id = any(array(select waiting_runs.subject_id from waiting_runs))
        ), claimed as (
          update outbox
          set claimed_until = now() + :lease_ms * interval '1 millisecond',
              claims        = outbox.claims + 1
          where outbox.id = any(array(
            select submissions.id from submissions
            union all select published_runs.id from published_runs
            union all select waiting_runs.id from waiting_runs))
          returning outbox.id, outbox.kind, outbox.subject_id, outbox.attempt, outbox.claims, outbox.enqueued_at
        )
        select claimed.id::text         as outbox_id,
               claimed.kind             as kind,
               claimed.subject_id::text as subject_id,
               claimed.attempt          as judging,
               claimed.claims           as claims,
               utc(claimed.enqueued_at) as enqueued_at
        from claimed
        cross join ${UNFLUSHED}
        order by claimed.kind desc, claimed.id`,
})

/** `RUNS_QUEUED_MAX`, unless configured. */
export const QUEUED_RUNS_MAX = 20

/**
 * Claims at most `limit` unclaimed rows for `leaseMs` milliseconds: submissions, then runs, the
 * oldest first. At most `queuedRunsMax` runs are published and unfinished, over all instances.
 */
export async function claimMessages(
  db: Queryable,
  limit: number,
  leaseMs: number,
  queuedRunsMax = QUEUED_RUNS_MAX,
): Promise<QueuedMessage[]> {
  const values = { limit, lease_ms: leaseMs, queued_runs_max: queuedRunsMax }
  const rows = await db.query(claimRows, values)
  return rows.map(({ outbox_id, kind, subject_id, judging, claims, enqueued_at }) => ({
    outboxId: outbox_id,
    body: { type: kind, id: subject_id },
    judging,
    claims,
    enqueuedAt: enqueued_at,
  }))
}

export const deleteRows = statement({
  name: 'delete_outbox_rows',
  params: { ids: 'bigint[]' },
  sql: `delete from outbox using ${UNFLUSHED} where outbox.id = any(:ids)`,
})

/** Deletes the rows of messages that the broker has confirmed, even if they are claimed again. */
export async function deleteMessages(db: Queryable, claims: readonly Claim[]): Promise<void> {
  await db.query(deleteRows, { ids: claims.map((claim) => claim.outboxId) })
}

export const setLeases = statement({
  name: 'set_outbox_leases',
  params: { ids: 'bigint[]', claims: 'integer[]', durations_ms: 'integer[]' },
  sql: `update outbox
        set claimed_until = now() + lease.duration_ms * interval '1 millisecond'
        from unnest(:ids, :claims, :durations_ms) as lease (id, claims, duration_ms)
        where outbox.id = lease.id
          and outbox.claims = lease.claims`,
})

/**
 * Ends claims `afterMs(claim)` milliseconds from now, which extends or releases them. A later claim
 * on the same row is left alone.
 */
export async function endClaims(
  db: Queryable,
  claims: readonly Claim[],
  afterMs: (claim: Claim) => number,
): Promise<void> {
  await db.query(setLeases, {
    ids: claims.map((claim) => claim.outboxId),
    claims: claims.map((claim) => claim.claims),
    durations_ms: claims.map((claim) => Math.round(afterMs(claim))),
  })
}
