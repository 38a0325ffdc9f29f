import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { type RowOf, statement } from '../../../db/statement.ts'
import { lastEnd } from '../../shared/access/contest-times.ts'
import { managesEvent } from '../../shared/access/events.ts'

const claimedColumns = {
  ...({ id: 'uuid', user_id: 'uuid', position: 'text', position_at: 'text' } as const),
  ...({ failures: 'integer', wait_ms: 'float8' } as const),
}

export type ClaimedWebhook = RowOf<typeof claimedColumns>

/** Claims active webhooks that nobody delivers, for `lease_ms`. `lease` names this claim. */
export const claimWebhooks = statement({
  name: 'claim_webhooks',
  params: { lease: 'uuid', lease_ms: 'integer', batch: 'integer' },
  columns: claimedColumns,
  sql: `with free as (
          select webhooks.id
          from webhooks
          where webhooks.active and (webhooks.leased_until is null or webhooks.leased_until <= now())
          order by webhooks.id
          limit :batch
          for update skip locked
        )
        update webhooks
        set lease = :lease, leased_until = now() + :lease_ms * interval '1 millisecond'
        from free
        where webhooks.id = free.id
        returning webhooks.id, webhooks.user_id, webhooks.position, webhooks.position_at::text as position_at,
                  webhooks.failures,
                  greatest(0, extract(epoch from webhooks.due_at - now()) * 1000)::float8 as wait_ms`,
})

/** Renews leases; `current` ones have delivered all before `position`. Returns those still held. */
export const renewWebhooks = statement({
  name: 'renew_webhooks',
  params: { ids: 'uuid[]', leases: 'uuid[]', current: 'uuid[]', position: 'text', lease_ms: 'integer' },
  columns: { id: 'uuid', position: 'text', position_at: 'text' },
  sql: `with renewed as (
          update webhooks
          set leased_until = now() + :lease_ms * interval '1 millisecond',
              position = case when webhooks.id = any (:current) then :position else webhooks.position end,
              position_at = case when webhooks.id = any (:current) then now() else webhooks.position_at end
          where webhooks.id = any (:ids) and webhooks.lease = any (:leases) and webhooks.active
          returning webhooks.id, webhooks.position, webhooks.position_at
        ), forgotten as (
          delete from webhook_positions
          using renewed
          where webhook_positions.webhook_id = renewed.id and renewed.id = any (:current)
            and webhook_positions.read_at < now() - interval '2 hours'
        )
        select renewed.id, renewed.position, renewed.position_at::text as position_at from renewed`,
})

/**
 * Contests with an instant after `since`, at which their state changes by itself, and the present
 * time, the `since` of the next call. Null: a minute ago.
 */
export const listStartedAndEnded = statement({
  name: 'list_started_and_ended',
  params: { since: 'timestamptz | null', margin_seconds: 'integer' },
  columns: { now: 'text', event_ids: 'integer[]' },
  sql: `with since as (
          select coalesce(:since, now() - interval '1 minute') - :margin_seconds * interval '1 second' as instant
        ), found as (
          select events.id
          from events
          where events.start_time > (select since.instant from since) and events.start_time <= now()
            and events.deleted_at is null
          union
          select events.id
          from events
          where events.freeze_time > (select since.instant from since) and events.freeze_time <= now()
            and events.deleted_at is null
          union
          select events.id
          from events
          where events.end_time > (select since.instant from since) - interval '8 days' and events.end_time <= now()
            and events.deleted_at is null
            and (events.end_time > (select since.instant from since)
                 or ${lastEnd('events')} between (select since.instant from since) and now())
        )
        select now()::text as now, array(select found.id from found) as event_ids`,
})

/**
 * The owner of a webhook. No row: it was deleted, or its lease has ended. Deletes the webhook of a
 * deleted user.
 */
export const readWebhookOwner = statement({
  name: 'read_webhook_owner',
  params: { id: 'uuid', lease: 'uuid' },
  columns: { user_id: 'uuid', is_admin: 'boolean' },
  sql: `with owner as (
          select webhooks.user_id, users.is_admin, users.deleted_at is not null as is_deleted
          from webhooks
          join users on users.id = webhooks.user_id
          where webhooks.id = :id and webhooks.lease = :lease and webhooks.active
        ), orphan as (
          delete from webhooks
          using owner
          where webhooks.id = :id and owner.is_deleted
        )
        select owner.user_id, owner.is_admin from owner where not owner.is_deleted`,
})

/** For a webhook of an admin without `contest_ids`, after a change that concerns all contests. */
const MOST_CONTESTS = 5000

/**
 * The changed contests of a webhook that its owner manages. `everywhere`: all of them; for admins
 * their own, those that the webhook names, and those that ended less than a day ago. `offset 0`
 * makes PostgreSQL use the indexes.
 */
export const listChangedContests = actorStatement({
  name: 'list_changed_contests',
  params: { webhook_id: 'uuid', event_ids: 'integer[]', user_ids: 'uuid[]', everywhere: 'boolean' },
  columns: { event_id: 'integer' },
  with: `webhook as (
      select webhooks.contest_ids
      from webhooks
      where webhooks.id = :webhook_id and webhooks.user_id = :actor
    ), people as (
      select unnest(:user_ids) as id
      union
      select :actor where :everywhere
    ), changed as (
      select unnest(:event_ids) as event_id
      union
      select event_participants.event_id from event_participants where event_participants.user_id = any (:user_ids)
      union
      select owned.id
      from people
      cross join lateral (select events.id from events where events.user_id = people.id offset 0) as owned
      union
      select staffed.id
      from people
      cross join lateral (select events.id from events where events.staff @> array[people.id] offset 0) as staffed
      union
      select unnest(webhook.contest_ids) from webhook where :everywhere
      union (
        select events.id
        from events
        where :everywhere and :actor_role = 2 and events.end_time > now() - interval '1 day'
        order by events.end_time
        limit ${MOST_CONTESTS}
      )
    )`,
  select: `
      select managed.id as event_id
      from webhook
      cross join changed
      cross join lateral (
        select events.id
        from events
        where events.id = changed.event_id and events.deleted_at is null and ${managesEvent('events')}
        limit 1
      ) as managed
      where webhook.contest_ids = '{}' or managed.id = any (webhook.contest_ids)
      order by managed.id`,
})

const confirmedColumns = {
  ...({ url: 'text', token: 'text', endpoints: 'text[]' } as const),
  ...({ position: 'text', is_managed: 'boolean' } as const),
}

export type ConfirmedDelivery = RowOf<typeof confirmedColumns>

/**
 * Confirms right before a delivery that the owner manages the contest, and renews the lease. The
 * place of the contest counts unless the webhook's own is much later. No row: the webhook is gone,
 * or its lease has ended.
 */
export const confirmDelivery = actorStatement({
  name: 'confirm_webhook_delivery',
  params: { webhook_id: 'uuid', lease: 'uuid', event_id: 'integer', lease_ms: 'integer' },
  columns: confirmedColumns,
  with: `kept as (
      update webhooks
      set leased_until = now() + :lease_ms * interval '1 millisecond'
      where webhooks.id = :webhook_id and webhooks.lease = :lease and webhooks.active and webhooks.user_id = :actor
        and ${ACTOR_EXISTS}
      returning webhooks.*
    )`,
  select: `
      select kept.url, kept.token, kept.endpoints,
             case when delivered.read_at > kept.position_at - interval '1 hour'
                  then delivered.position else kept.position end as position,
             (kept.contest_ids = '{}' or :event_id = any (kept.contest_ids)) and exists (
               select from events
               where events.id = :event_id and events.deleted_at is null and ${managesEvent('events')}) as is_managed
      from kept
      left join webhook_positions as delivered
        on delivered.webhook_id = kept.id and delivered.event_id = :event_id`,
})

/** Notes how far a contest was delivered; `is_sent`: a request has succeeded. */
export const storeDelivery = statement({
  name: 'store_webhook_delivery',
  params: { id: 'uuid', lease: 'uuid', event_id: 'integer', position: 'text', is_sent: 'boolean' },
  sql: `with webhook as (
          update webhooks
          set last_success_at = case when :is_sent then now() else webhooks.last_success_at end,
              failing_since = case when :is_sent then null else webhooks.failing_since end,
              failures = case when :is_sent then 0 else webhooks.failures end
          where webhooks.id = :id and webhooks.lease = :lease
          returning webhooks.id
        )
        insert into webhook_positions (webhook_id, event_id, position, read_at)
        select webhook.id, :event_id, :position, now()
        from webhook
        on conflict (webhook_id, event_id) do update
        set position = excluded.position, read_at = excluded.read_at`,
})

const MAY_GO_ON = "(coalesce(webhooks.failing_since, now()) > now() - :most_ms * interval '1 millisecond')"

/**
 * Notes a failed delivery, and deactivates the webhook if all have failed for `most_ms`. No row:
 * its lease has ended.
 */
export const storeFailure = statement({
  name: 'store_webhook_failure',
  params: { id: 'uuid', lease: 'uuid', error: 'text', pause_ms: 'integer', most_ms: 'integer' },
  columns: { active: 'boolean', failures: 'integer' },
  sql: `update webhooks
        set last_error = :error,
            last_error_at = now(),
            failing_since = coalesce(webhooks.failing_since, now()),
            failures = webhooks.failures + 1,
            due_at = now() + :pause_ms * interval '1 millisecond',
            active = ${MAY_GO_ON},
            leased_until = case when ${MAY_GO_ON} then webhooks.leased_until end
        where webhooks.id = :id and webhooks.lease = :lease and webhooks.active
        returning webhooks.active, webhooks.failures`,
})
