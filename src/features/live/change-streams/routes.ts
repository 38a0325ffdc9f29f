import { found } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { FileContent } from '../../../http/routing/schema.ts'
import { readFirstState } from './audiences.ts'
import * as sql from './sql.ts'

const EventStream = FileContent('text/event-stream')

/** Streams that tell clients what to read again (P25). */
export function changeStreamRoutes() {
  return [
    defineRoute('streamEventChanges', 'GET /v1/events/:event_id/changes', {
      policy: 'user, or none if public',
      isEventStream: true,
      responses: { 200: EventStream },
      refusals: ['RATE_LIMIT_EXCEEDED'],
      handler: ({ db, request, params: { event_id } }) =>
        request.server.changeStreams.open(request, event_id, async () => {
          const first = await readFirstState(db, request.caller?.actor?.id ?? null, event_id)
          return { check: sql.checkEventAccess, eventId: event_id, ...first }
        }),
    }),
    defineRoute('streamUserChanges', 'GET /v1/user/changes', {
      policy: 'user',
      isEventStream: true,
      responses: { 200: EventStream },
      refusals: ['RATE_LIMIT_EXCEEDED'],
      handler: ({ db, request }) =>
        request.server.changeStreams.open(request, null, async () => {
          const { access } = found(await db.query(sql.openUserStream), 'user')
          return { check: sql.checkUserAccess, eventId: null, access }
        }),
    }),
  ]
}
