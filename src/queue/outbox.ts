import type { Queryable } from '../db/database.ts'
import { oneOf, type RowOf, statement } from '../db/statement.ts'
import type { MessageKind, QueuedMessage } from './broker.ts'

/** The kind of a row: a shadow judging has a message of the kind `submission`. */
export type OutboxKind = MessageKind | 'shadow'

/** A claim on an outbox row; `claims` tells it from later claims on the same row. */
export interface Claim {
  readonly outboxId: string
  readonly claims: number
}

/**
 * Part of a statement: queues a message for each row of the CTE `subjects`, which has `id` and
 * `attempt`, the number of the judging: `with created as (…), queued as (${queuedFrom(…)})`.
 */
export function queuedFrom(subjects: string, kind: OutboxKind): string {
  return `insert into outbox (kind, subject_id, attempt) select '${kind}', ${subjects}.id, ${subjects}.attempt from ${subjects}`
}

/**
 * Asynchronous commit, for this transaction only. A crash of the server may undo a claim or a
 * deletion, never half of it: the message is then published once more.
 */
const UNFLUSHED = `(select set_config('synchronous_commit', 'off', true)) as unflushed`

const IS_DUE = '(due.claimed_until is null or due.claimed_until <= now())'

/** SQL that is true if a message of this kind is due. */
const isAnyDue = (kind: OutboxKind) => `(
            select true from outbox as due where due.kind = '${kind}' and ${IS_DUE} order by due.id limit 1)`

/** Work of which at most `most` messages are published and unfinished, over all instances. */
interface FewAtOnce {
  readonly table: 'runs' | 'shadow_judgings'
  readonly kind: OutboxKind
  readonly most: string
}

/**
 * CTEs that claim messages of a kind, the oldest first, as many as the CTE `rest` has `messages`.
 * Messages that are published already, such as one that the queue refused, need no place. Ids as an
 * array: the planner expects a join to match a tenth of the rows (100,000: 15 ms).
 */
const claimFew = ({ table, kind, most }: FewAtOnce) => `room as materialized (
          select rest.messages,
                 case when rest.messages > 0 and ${isAnyDue(kind)} then lock_published_${table}() end as published
          from rest
        ), published_before as (
          select due.id
          from outbox as due
          where due.kind = '${kind}' and due.subject_id = any((select room.published from room)::uuid[]) and ${IS_DUE}
          order by due.id
          limit (select room.messages from room)
          for update skip locked
        ), waiting as (
          select due.id, due.subject_id
          from outbox as due
          where due.kind = '${kind}' and due.subject_id <> all((select room.published from room)::uuid[]) and ${IS_DUE}
          order by due.id
          limit (
            select greatest(0, least(
                     room.messages - (select count(*) from published_before),
                     ${most} - cardinality(room.published)))
            from room)
          for update skip locked
        ), published as (
          update ${table}
          set published = true
          where ${table}.id = any(array(select waiting.subject_id from waiting))
        )`

/** The CTE `claimed`, which claims the rows of `chosen`, and the query of the claimed messages. */
const claimedRows = (chosen: string) => `claimed as (
          update outbox
          set claimed_until = now() + :lease_ms * interval '1 millisecond',
              claims        = outbox.claims + 1
          where outbox.id = any(array(${chosen}))
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
        order by claimed.kind desc, claimed.id`

const FEW_CHOSEN = `
            select published_before.id from published_before
            union all select waiting.id from waiting`

const claimedColumns = {
  outbox_id: 'text',
  kind: oneOf('submission', 'input', 'shadow'),
  subject_id: 'text',
  judging: 'integer',
  claims: 'integer',
  enqueued_at: 'text',
} as const

type ClaimedRow = RowOf<typeof claimedColumns>

/**
 * Claims submissions first, then runs as long as fewer than `queued_runs_max` are published and
 * unfinished.
 */
export const claimRows = statement({
  name: 'claim_outbox_rows',
  params: { limit: 'integer', lease_ms: 'integer', queued_runs_max: 'integer' },
  columns: claimedColumns,
  sql: `with submissions as (
          select due.id
          from outbox as due
          where due.kind = 'submission' and ${IS_DUE}
          order by due.id
          limit :limit
          for update skip locked
        ), rest as materialized (
          select :limit - (select count(*) from submissions) as messages
        ), ${claimFew({ table: 'runs', kind: 'input', most: ':queued_runs_max' })}, ${claimedRows(`
            select submissions.id from submissions
            union all${FEW_CHOSEN}`)}`,
})

/**
 * Claims shadow judgings while no submission and no run is due, as long as fewer than
 * `queued_shadows_max` are published and unfinished. A statement of its own: as a part of
 * `claimRows` it made each claim 0.4 ms longer, also during a backlog of submissions.
 */
export const claimShadows = statement({
  name: 'claim_shadow_rows',
  params: { limit: 'integer', lease_ms: 'integer', queued_shadows_max: 'integer' },
  columns: claimedColumns,
  sql: `with rest as materialized (
          select case when ${isAnyDue('submission')} or ${isAnyDue('input')} then 0 else :limit end as messages
        ), ${claimFew({ table: 'shadow_judgings', kind: 'shadow', most: ':queued_shadows_max' })}, ${claimedRows(FEW_CHOSEN)}`,
})

/** `RUNS_QUEUED_MAX`, unless configured. */
export const QUEUED_RUNS_MAX = 20

const QUEUED_SHADOWS_MAX = 20

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
  return (await db.query(claimRows, values)).map(describeMessage)
}

/**
 * Claims shadow judgings in the same way, while nothing else is due. At most 20 are published and
 * unfinished, over all instances.
 */
export async function claimShadowMessages(
  db: Queryable,
  limit: number,
  leaseMs: number,
): Promise<QueuedMessage[]> {
  const values = { limit, lease_ms: leaseMs, queued_shadows_max: QUEUED_SHADOWS_MAX }
  return (await db.query(claimShadows, values)).map(describeMessage)
}

/** Workers judge a shadow judging like a submission. */
const describeMessage = (claimed: ClaimedRow): QueuedMessage => ({
  outboxId: claimed.outbox_id,
  body: { type: claimed.kind === 'shadow' ? 'submission' : claimed.kind, id: claimed.subject_id },
  judging: claimed.judging,
  claims: claimed.claims,
  enqueuedAt: claimed.enqueued_at,
})

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
