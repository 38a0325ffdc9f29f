import { found, ok } from '../../http/routing/responses.ts'
import { defineRoute } from '../../http/routing/route.ts'
import { MessageResponse } from '../../http/routing/schema.ts'
import { defineListRoute } from '../../lists/list-route.ts'
import { NotificationResponse, UnreadCountResponse } from './schemas.ts'
import { countUnread, listNotifications, markRead } from './sql.ts'

/** The specification's Notifications table (D37). */
export function notificationRoutes() {
  return [
    defineRoute({
      method: 'GET',
      url: '/v1/user/notifications/count',
      name: 'countUnreadNotifications',
      policy: 'user',
      responses: { 200: UnreadCountResponse },
      handler: async ({ db }) => ok(found(await db.query(countUnread), 'count').body),
    }),
    defineListRoute({
      url: '/v1/user/notifications',
      name: 'listNotifications',
      policy: 'user',
      list: listNotifications,
      item: NotificationResponse,
    }),
    defineRoute({
      method: 'PUT',
      url: '/v1/user/notifications/mark-read',
      name: 'markNotificationsRead',
      policy: 'user',
      responses: { 200: MessageResponse },
      handler: async ({ db, actor }) => {
        await db.query(markRead, { user_id: actor.id })
        return ok(JSON.stringify({ message: 'Notifications are marked as read' }))
      },
    }),
  ]
}
