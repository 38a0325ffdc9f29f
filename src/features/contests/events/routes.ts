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
import { EventPath } from '../../../http/routing/schema.ts'
import { defineListRoute } from '../../../lists/list-route.ts'
import { changeEvent } from '../../shared/access/change-event.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import * as changes from './change-sql.ts'
import { creationValues, unknownLanguage, updateValues } from './rules.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'
import { updateEvent } from './update.ts'

/** Both families of event routes (specification, Events; D31, D32). */
export function eventRoutes({ config }: Pick<FeatureDependencies, 'config'>) {
  return [...readingRoutes(), ...writingRoutes(config.sizes)]
}

function readingRoutes() {
  return [
    defineListRoute({
      url: '/v1/public/events',
      name: 'listPublicEvents',
      policy: 'user',
      list: sql.listEvents,
      item: schemas.EventResponse,
    }),
    defineRoute({
      method: 'GET',
      url: '/v1/public/events/:event_id',
      name: 'readPublicEvent',
      policy: 'user',
      params: EventPath,
      responses: { 200: schemas.PublicEventResponse },
      handler: async ({ db, params }) => ok(found(await db.query(sql.readPublicEvent, params), 'event').body),
    }),
    defineListRoute({
      url: '/v1/events',
      name: 'listEvents',
      policy: 'admin',
      list: sql.listEvents,
      item: schemas.EventResponse,
    }),
    defineRoute({
      method: 'GET',
      url: '/v1/events/:event_id',
      name: 'readEvent',
      policy: 'admin',
      pool: 'bulk',
      params: EventPath,
      responses: { 200: schemas.FullEventResponse },
      handler: async ({ db, params }) => fullEvent(await db.query(sql.readEvent, params)),
    }),
    defineRoute({
      method: 'GET',
      url: '/v1/event_details',
      name: 'readEventByTitle',
      policy: 'admin',
      pool: 'bulk',
      query: schemas.EventTitleQuery,
      responses: { 200: schemas.FullEventResponse },
      refusals: ['NOT_FOUND'],
      handler: async ({ db, query }) =>
        fullEvent(await db.query(sql.findEvent, { title: query.title.trim() })),
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
    defineRoute({
      method: 'POST',
      url: '/v1/events',
      name: 'createEvent',
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
    defineRoute({
      method: 'PUT',
      url: '/v1/events/:event_id',
      name: 'updateEvent',
      policy: 'admin',
      pool: 'bulk',
      params: EventPath,
      body: schemas.eventUpdate(sizes),
      responses: { 200: schemas.EventResponse },
      handler: async ({ db, params: { event_id }, body }) => {
        const values = { ...updateValues(body), event_id }
        return changeEvent(db, event_id, async (tx) => ok(await updateEvent(tx, values)))
      },
    }),
    defineRoute({
      method: 'DELETE',
      url: '/v1/events/:event_id',
      name: 'deleteEvent',
      policy: 'admin',
      params: EventPath,
      responses: { 204: undefined },
      handler: async ({ db, params: { event_id } }) => {
        await changeEvent(db, event_id, (tx) => tx.query(changes.deleteEvent, { event_id }))
        return noContent
      },
    }),
    defineRoute({
      method: 'POST',
      url: '/v1/events/:event_id/end',
      name: 'endEvent',
      policy: 'admin',
      params: EventPath,
      responses: { 200: schemas.EventResponse },
      handler: async ({ db, params: { event_id } }) => {
        const rows = await changeEvent(db, event_id, (tx) => tx.query(changes.endEvent, { event_id }))
        return ok(found(rows, 'event').body)
      },
    }),
  ]
}
