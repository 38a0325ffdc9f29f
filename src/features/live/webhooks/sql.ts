import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { bodyIf } from '../../../db/statement.ts'
import { managesEvent } from '../../shared/access/events.ts'
import { timeOf } from '../contest-api/times.ts'

/** A user has at most so many webhooks. */
export const MOST_WEBHOOKS = 20

/** A webhook without its token. */
const webhookJson = (webhook: string) => `json_strip_nulls(json_build_object(
               'id', ${webhook}.id,
               'url', ${webhook}.url,
               'endpoints', ${webhook}.endpoints,
               'contest_ids', ${webhook}.contest_ids::text[],
               'active', ${webhook}.active,
               'last_success', ${timeOf(`${webhook}.last_success_at`)},
               'last_error', ${webhook}.last_error,
               'last_error_time', ${timeOf(`${webhook}.last_error_at`)},
               'failing_since', ${timeOf(`${webhook}.failing_since`)}))`

/** The actor's own webhooks, oldest first. */
export const listWebhooks = actorStatement({
  name: 'list_webhooks',
  columns: { body: 'text' },
  select: `
      select coalesce(json_agg(${webhookJson('webhooks')} order by webhooks.id), '[]')::text as body
      from webhooks
      where webhooks.user_id = :actor`,
})

/** No row: the actor has no such webhook. */
export const readWebhook = actorStatement({
  name: 'read_webhook',
  params: { webhook_id: 'uuid' },
  columns: { body: 'text' },
  select: `
      select ${webhookJson('webhooks')}::text as body
      from webhooks
      where webhooks.id = :webhook_id and webhooks.user_id = :actor`,
})

/**
 * The row of the actor's account, locked: a concurrent new password deactivates the webhooks either
 * after this statement or before it, and then the row is not found.
 */
const LOCKED_ACCOUNT = `locked_account as materialized (
      select users.id, users.is_admin
      from users
      where users.id = :actor and users.deleted_at is null
        and (:actor_session is null or users.session_version = :actor_session)
      for share
    )`

/**
 * Registers a webhook. `not_staff`: the actor manages no contest. `not_managed`: one of the
 * contests is none that the actor manages. `taken`: a concurrent request took the slot; try again.
 */
export const createWebhook = actorStatement({
  name: 'create_webhook',
  params: {
    id: 'uuid',
    url: 'text',
    token: 'text',
    endpoints: 'text[]',
    contest_ids: 'integer[]',
    position: 'text',
    most: 'integer',
  },
  columns: bodyIf('created', 'not_staff', 'not_managed', 'full', 'taken'),
  with: `${LOCKED_ACCOUNT}, own as materialized (
      select events.id from events where events.user_id = :actor and events.deleted_at is null
      union all
      select events.id from events where events.staff @> array[:actor] and events.deleted_at is null
    ), account as (
      select locked_account.id
      from locked_account
      where locked_account.is_admin or exists (select from own)
    ), managed as (
      select events.id
      from events
      where events.id = any (:contest_ids) and events.deleted_at is null and ${managesEvent('events')}
    ), is_managed as (
      select (select count(*) from managed) = (select count(distinct id) from unnest(:contest_ids) as id) as holds
    ), free as materialized (
      select place.slot
      from generate_series(1, :most) as place (slot)
      where not exists (
        select from webhooks where webhooks.user_id = :actor and webhooks.slot = place.slot)
      order by random()
      limit 1
    ), created as (
      insert into webhooks (id, user_id, slot, url, token, endpoints, contest_ids, position)
      select :id, account.id, free.slot, :url, :token, :endpoints, :contest_ids, :position
      from account, free, is_managed
      where is_managed.holds and ${ACTOR_EXISTS}
      on conflict do nothing
      returning webhooks.*
    )`,
  select: `
      select case
               when exists (select from created) then 'created'
               when not exists (select from account) then 'not_staff'
               when not (select is_managed.holds from is_managed) then 'not_managed'
               when exists (select from free) then 'taken'
               else 'full'
             end as outcome,
             (select ${webhookJson('created')}::text from created) as body`,
})

/**
 * Activates or deactivates a webhook. An active one goes on where it stopped, once the lease of an
 * earlier delivery has ended: a request may still be in progress. No row: the actor has no such
 * webhook.
 */
export const changeWebhook = actorStatement({
  name: 'change_webhook',
  params: { webhook_id: 'uuid', active: 'boolean' },
  columns: { body: 'text' },
  with: `${LOCKED_ACCOUNT}, changed as (
      update webhooks
      set active = :active, failures = 0, failing_since = null, due_at = now(),
          lease = case when webhooks.active = :active then webhooks.lease end
      from locked_account
      where webhooks.id = :webhook_id and webhooks.user_id = locked_account.id and ${ACTOR_EXISTS}
      returning webhooks.*
    )`,
  select: `select ${webhookJson('changed')}::text as body from changed`,
})

/** No row: the actor has no such webhook. */
export const deleteWebhook = actorStatement({
  name: 'delete_webhook',
  params: { webhook_id: 'uuid' },
  with: `deleted as (
      delete from webhooks
      where webhooks.id = :webhook_id and webhooks.user_id = :actor and ${ACTOR_EXISTS}
      returning webhooks.id
    )`,
  select: 'select deleted.id from deleted',
})
