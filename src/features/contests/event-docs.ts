import type { RouteDocs } from '../../http/route-docs.ts'

/** Words and examples for the OpenAPI document. */
export const eventDocs = {
  listPublicEvents: { description: '', example: {} },
  listEvents: { description: '', example: {} },
  readPublicEvent: { description: '', example: {} },
  readEvent: { description: '', example: {} },
  readEventByTitle: { description: '', example: {} },
  createEvent: { description: '', example: {} },
  updateEvent: { description: '', example: {} },
  deleteEvent: { description: '', example: {} },
  endEvent: { description: '', example: {} },
} satisfies Record<string, RouteDocs>
