import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { fieldsOf } from '../../../db/json.ts'
import { defineList } from '../../../lists/definition.ts'
import { newestFirst } from '../../../lists/order.ts'
import { isOpenTo, managesEvent, wasRemoved } from '../../shared/access/events.ts'
import {
  questionBytes,
  questionIsShown,
  questionJson,
  questionRelations,
} from '../../shared/records/questions.ts'

/** The actor may see the notifications of an event (P21). */
const eventIsShown = `${isOpenTo('events')}
        and (not ${wasRemoved('events.id', ':actor')} or ${managesEvent('events')})`

/** The actor may see the question of a notification (P20, P21). */
const isShown = `${questionIsShown} and ${eventIsShown}`

/** How many of the actor's unread notifications the list does not show. */
const hiddenCount = `
      select coalesce(sum(case
               when not (${eventIsShown}) then unread.count
               when events.clarifications = 'staff' then (
                 select count(*)
                 from unnest(unread.question_ids) as named (id)
                 join questions on questions.id = named.id
                 where not ${questionIsShown})
               else 0 end), 0)
      from (
        select notifications.event_id, count(*) as count, array_agg(notifications.question_id) as question_ids
        from notifications
        where notifications.user_id = :actor and notifications.read_at is null
        group by notifications.event_id) as unread
      join events on events.id = unread.event_id`

/**
 * Counts by an index-only scan. Only if a contest may hide some, it looks at each contest of a
 * notification, and at the questions of those with clarifications by staff (P20, P21).
 */
export const countUnread = actorStatement({
  name: 'count_unread',
  coalesced: 'reads',
  columns: { body: 'text' },
  select: `
      select json_build_object('count', count(*) - case
               when exists (
                 select from events
                 where events.clarifications = 'staff' or events.admission = 'invited' or events.has_unlisted)
                 then (${hiddenCount})
               else 0 end)::text as body
      from notifications
      where notifications.user_id = :actor and notifications.read_at is null`,
})

/**
 * The unread notifications and those read within a day (specification, Notifications; D37), of
 * contests that are open to the actor (P21).
 */
export const listNotifications = defineList({
  name: 'list_notifications',
  item: `json_build_object(
      ${fieldsOf('notifications', 'id', 'user_id', 'event_id', 'question_id', 'notification_type')},
      'is_read', notifications.read_at is not null,
      'created_at', utc(notifications.created_at),
      'updated_at', utc(coalesce(notifications.read_at, notifications.created_at)),
      'question', ${questionJson})`,
  bytes: questionBytes,
  from: `notifications
      join questions on questions.id = notifications.question_id ${questionRelations}`,
  where: `notifications.user_id = :actor
        and (notifications.read_at is null or notifications.read_at > now() - interval '24 hours')
        and ${isShown}`,
  order: newestFirst('notifications.created_at', 'notifications.id', 'uuid'),
})

export const markRead = actorStatement({
  name: 'mark_read',
  with: `marked as (
      update notifications
      set read_at = now()
      where notifications.user_id = :actor and notifications.read_at is null and ${ACTOR_EXISTS}
    )`,
  select: 'select',
})
