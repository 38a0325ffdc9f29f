import type { notificationRoutes } from '../../features/notifications/routes.ts'
import { notifications } from '../examples/example-world-contest.ts'
import type { Operations } from '../operation-docs.ts'

export const notificationOperations: Operations<ReturnType<typeof notificationRoutes>[number]> = {
  countUnreadNotifications: {
    summary: 'Count the caller’s unread notifications',
    description:
      "How many of the caller's notifications are unread, for a badge; cheap to poll, however many there are.",
    example: { response: { count: notifications.length } },
  },
  listNotifications: {
    summary: 'List the caller’s notifications: unread, or read within a day',
    description: `The caller's own, the newest first: all that are unread, and what was read within the last 24 hours. \`question\` is the question as it is now, in the
form of \`GET /v1/events/{event_id}/questions\`. Reading the list marks nothing as read.`,
    example: { response: notifications },
  },
  markNotificationsRead: {
    summary: 'Mark the caller’s notifications as read',
    description:
      'Marks all that are unread, and takes no body. They stay listed for another 24 hours, with `is_read` true.',
    example: { response: { message: 'Notifications are marked as read' } },
  },
}
