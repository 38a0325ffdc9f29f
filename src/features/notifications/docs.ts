import type { RouteDocs } from '../../http/route-docs.ts'

/** Words and examples for the OpenAPI document. */
export const notificationDocs = {
  countUnreadNotifications: { description: '', example: {} },
  listNotifications: { description: '', example: {} },
  markNotificationsRead: { description: '', example: {} },
} satisfies Record<string, RouteDocs>
