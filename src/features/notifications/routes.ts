import Type from 'typebox'
import { answerList, found, ok } from '../../http/routing/responses.ts'
import { defineRoute, type Route } from '../../http/routing/route.ts'
import { NoFields, PageQuery } from '../../http/routing/schema.ts'
import { notificationDocs } from '../../openapi/operations/notifications.ts'
import { MessageResponse } from '../events/schemas.ts'
import { NotificationAnswer, UnreadCountResponse } from './schemas.ts'
import { countUnread, listNotifications, markRead } from './sql.ts'

/** The specification's Notifications table (D37). */
export function notificationRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      url: '/v1/user/notifications/count',
      name: 'countUnreadNotifications',
      summary: 'Count the caller’s unread notifications',
      docs: notificationDocs.countUnreadNotifications,
      policy: 'user',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: NoFields,
        query: NoFields,
        body: undefined,
        answers: { 200: UnreadCountResponse },
        refusals: [],
      },
      handler: async ({ db }) => ok(found(await db.ask(countUnread), 'count').body),
    }),
    defineRoute({
      method: 'GET',
      url: '/v1/user/notifications',
      name: 'listNotifications',
      summary: 'List the caller’s notifications: unread, or read within a day',
      docs: notificationDocs.listNotifications,
      policy: 'user',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: NoFields,
        query: PageQuery,
        body: undefined,
        answers: { 200: Type.Array(NotificationAnswer) },
        refusals: [],
      },
      handler: (ctx) => answerList(ctx, listNotifications, [], 'list'),
    }),
    defineRoute({
      method: 'PUT',
      url: '/v1/user/notifications/mark-read',
      name: 'markNotificationsRead',
      summary: 'Mark the caller’s notifications as read',
      docs: notificationDocs.markNotificationsRead,
      policy: 'user',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: NoFields,
        query: NoFields,
        body: undefined,
        answers: { 200: MessageResponse },
        refusals: [],
      },
      handler: async ({ db, actor }) => {
        await db.query(markRead, [actor.id])
        return ok(JSON.stringify({ message: 'Notifications are marked as read' }))
      },
    }),
  ]
}
