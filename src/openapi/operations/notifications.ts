import type { notificationRoutes } from '../../features/contests/notifications/routes.ts'
import { notifications } from '../examples/example-questions.ts'
import type { Operations } from '../operation-docs.ts'

export const notificationOperations: Operations<ReturnType<typeof notificationRoutes>[number]> = {
  countUnreadNotifications: {
    summary: 'Count the caller’s unread notifications',
    description: `The number of the caller's unread notifications, for a badge. It is cheap to poll
at any number.`,
    example: { response: { count: notifications.length } },
  },
  listNotifications: {
    summary: 'List the caller’s notifications: unread, or read within a day',
    description: `The caller's own notifications, the newest first: all unread ones, and those read
within the last 24 hours. \`question\` is the present state of the question, in the form of
\`GET /v1/events/{event_id}/questions\`. Reading the list marks nothing as read.`,
    example: { response: notifications },
  },
  markNotificationsRead: {
    summary: 'Mark the caller’s notifications as read',
    description: `Marks all unread notifications; the request has no body. They stay in the list for
another 24 hours, with \`is_read\` true.`,
    example: { response: { message: 'Notifications are marked as read' } },
  },
}
