import { guarded } from '../../db/actor-statement.ts'
import { statement } from '../../db/database.ts'
import { defineList } from '../../lists/definition.ts'
import { questionJson, questionRelations } from '../clarifications/sql.ts'

/** The caller's unread notifications, counted from their index alone. */
export const countUnread = guarded<{ body: string }>('count_unread', {
  select: `select json_build_object('count', count(*))::text as body
           from notifications
           where notifications.user_id = $1::uuid and notifications.read_at is null`,
})

/** The caller's notifications, the newest first: the unread ones and what was read within a day (specification, Notifications; D37). */
export const listNotifications = defineList('list_notifications', {
  item: `json_build_object(
      'id', notifications.id,
      'user_id', notifications.user_id,
      'event_id', notifications.event_id,
      'question_id', notifications.question_id,
      'notification_type', notifications.notification_type,
      'is_read', notifications.read_at is not null,
      'created_at', utc(notifications.created_at),
      'updated_at', utc(coalesce(notifications.read_at, notifications.created_at)),
      'question', ${questionJson})`,
  from: `notifications
         join questions on questions.id = notifications.question_id
         ${questionRelations}
         where notifications.user_id = $1::uuid
           and (notifications.read_at is null or notifications.read_at > now() - interval '24 hours')`,
  values: 0,
  key: [
    { column: 'notifications.created_at', type: 'instant' },
    { column: 'notifications.id', type: 'uuid' },
  ],
  direction: 'desc',
})

/** $1 user. */
export const markRead = statement<{ id: string }>(
  'mark_read',
  `update notifications
   set read_at = now()
   where notifications.user_id = $1::uuid and notifications.read_at is null`,
)
