import { notifications } from '../examples/example-world-contest.ts'
import type { RouteDocs } from '../route-docs.ts'

/** Words and examples for the OpenAPI document. */
export const notificationDocs = {
  countUnreadNotifications: {
    description:
      "How many of the caller's notifications are unread, for a badge; cheap to poll, however many there are.",
    example: { answer: { count: notifications.length } },
  },
  listNotifications: {
    description: `The caller's own, the newest first: all that are unread, and what was read within the last 24 hours. \`question\` is the question as it is now, in the
form of \`GET /v1/events/{event_id}/questions\`. Reading the list marks nothing as read.`,
    example: { answer: notifications },
  },
  markNotificationsRead: {
    description:
      'Marks all that are unread, and takes no body. They stay listed for another 24 hours, with `is_read` true.',
    example: { answer: { message: 'Notifications are marked as read' } },
  },
} satisfies Record<string, RouteDocs>
