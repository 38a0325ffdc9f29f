import { found, messageBody, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { MessageResponse } from '../../../http/routing/schema.ts'
import { defineListRoute } from '../../../lists/list-route.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'

/** The specification's Notifications table (D37). */
export function notificationRoutes() {
  return [
    defineRoute('countUnreadNotifications', 'GET /v1/user/notifications/count', {
      policy: 'user',
      responses: { 200: schemas.UnreadCountResponse },
      handler: async ({ db }) => ok(found(await db.query(sql.countUnread), 'count').body),
    }),
    defineListRoute('listNotifications', '/v1/user/notifications', {
      policy: 'user',
      list: sql.listNotifications,
      item: schemas.NotificationResponse,
    }),
    defineRoute('markNotificationsRead', 'PUT /v1/user/notifications/mark-read', {
      policy: 'user',
      responses: { 200: MessageResponse },
      handler: async ({ db }) => {
        await db.query(sql.markRead)
        return ok(messageBody('Notifications are marked as read'))
      },
    }),
  ]
}
