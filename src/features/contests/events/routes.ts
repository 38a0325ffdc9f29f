import type { Config } from '../../../config/config.ts'
import { AppError } from '../../../http/routing/errors.ts'
import {
  created,
  found,
  noContent,
  notFound,
  ok,
  type RouteResponse,
} from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { defineListRoute } from '../../../lists/list-route.ts'
import { changeEvent } from '../../shared/access/change-event.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import * as changes from './change-sql.ts'
import { ClockResponse } from './clock-schemas.ts'
import { readClock } from './clock-sql.ts'
import { creationValues, endEvent, unknownLanguage, updateEvent, updateValues } from './rules.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'

/** Both families of event routes (specification, Events; D31, D32). */
export function eventRoutes({ config }: Pick<FeatureDependencies, 'config'>) {
  return [...readingRoutes(), ...writingRoutes(config.sizes)]
}

function readingRoutes() {
  return [
    defineListRoute('listPublicEvents', '/v1/public/events', {
      policy: 'user',
      list: sql.listEvents,
      item: schemas.EventResponse,
    }),
    defineRoute('readPublicEvent', 'GET /v1/public/events/:event_id', {
      policy: 'user',
      responses: { 200: schemas.PublicEventResponse },
      handler: async ({ db, params }) => ok(found(await db.query(sql.readPublicEvent, params), 'event').body),
    }),
    defineListRoute('listEvents', '/v1/events', {
      policy: 'admin',
      list: sql.listEvents,
      item: schemas.EventResponse,
    }),
    defineRoute('readEvent', 'GET /v1/events/:event_id', {
      policy: 'admin',
      pool: 'bulk',
      responses: { 200: schemas.FullEventResponse },
      handler: async ({ db, params }) => fullEvent(await db.query(sql.readEvent, params)),
    }),
    defineRoute('readEventByTitle', 'GET /v1/event_details', {
      policy: 'admin',
      pool: 'bulk',
      query: schemas.EventTitleQuery,
      responses: { 200: schemas.FullEventResponse },
      refusals: ['NOT_FOUND'],
      handler: async ({ db, query }) => {
        const named = found(await db.query(sql.findEvent, { title: query.title.trim() }), 'event')
        return fullEvent(await db.query(sql.readEvent, named))
      },
    }),
    defineRoute('readEventClock', 'GET /v1/events/:event_id/clock', {
      policy: 'user, or none if public',
      responses: { 200: ClockResponse },
      handler: async ({ db, params }) => ok(found(await db.query(readClock, params), 'event').body),
    }),
  ]
}

/** Throws NOT_FOUND, and VALIDATION for an event from before the limits of its texts (D8). */
function fullEvent(rows: { body: string | null }[]): RouteResponse {
  const { body } = found(rows, 'event')
  if (body === null) {
    throw new AppError('VALIDATION', 'The event has too long texts: shorten prompts or hide test cases')
  }
  return ok(body)
}

function writingRoutes(sizes: Config['sizes']) {
  return [
    defineRoute('createEvent', 'POST /v1/events', {
      policy: 'admin',
      body: schemas.eventCreation(sizes),
      responses: { 201: schemas.EventResponse },
      refusals: ['NOT_FOUND'],
      handler: async ({ db, actor, body }) => {
        const event = found(await db.query(sql.createEvent, creationValues(body, actor.id)), 'event')
        if (event.outcome === 'created') return created(event.body)
        if (event.outcome === 'unknown_language') throw unknownLanguage(event.unknown_language)
        throw notFound(event.outcome === 'no_user' ? 'user' : 'problem')
      },
    }),
    defineRoute('updateEvent', 'PUT /v1/events/:event_id', {
      policy: 'admin',
      pool: 'bulk',
      body: schemas.eventUpdate(sizes),
      responses: { 200: schemas.EventResponse },
      handler: async ({ db, params: { event_id }, body }) => {
        const values = { ...updateValues(body), event_id }
        return changeEvent(db, event_id, async (tx) => {
          await updateEvent(tx, values)
          return ok(found(await tx.query(sql.readListedEvent, { event_id }), 'event').body)
        })
      },
    }),
    defineRoute('deleteEvent', 'DELETE /v1/events/:event_id', {
      policy: 'admin',
      responses: { 204: undefined },
      handler: async ({ db, params: { event_id } }) => {
        await changeEvent(db, event_id, (tx) => tx.query(changes.deleteEvent, { event_id }))
        return noContent
      },
    }),
    defineRoute('endEvent', 'POST /v1/events/:event_id/end', {
      policy: 'admin',
      responses: { 200: schemas.EventResponse },
      handler: async ({ db, params: { event_id } }) => {
        return changeEvent(db, event_id, async (tx) => {
          await endEvent(tx, event_id)
          return ok(found(await tx.query(sql.readListedEvent, { event_id }), 'event').body)
        })
      },
    }),
  ]
}
