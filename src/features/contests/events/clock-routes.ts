import { found, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { ClockResponse } from './clock-schemas.ts'
import { readClock } from './clock-sql.ts'

/** The times of an event by the service's clock (P20). */
export function eventClockRoutes() {
  return [
    defineRoute('readEventClock', 'GET /v1/events/:event_id/clock', {
      policy: 'user, or none if public',
      responses: { 200: ClockResponse },
      handler: async ({ db, params }) => ok(found(await db.query(readClock, params), 'event').body),
    }),
  ]
}
