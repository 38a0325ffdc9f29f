import type { Config } from '../../config/config.ts'
import type { ActorDatabase } from '../../http/routing/actor.ts'
import { AppError } from '../../http/routing/errors.ts'
import { created, found, noContent, notFound, ok } from '../../http/routing/responses.ts'
import { defineRoute } from '../../http/routing/route.ts'
import { EventPath } from '../../http/routing/schema.ts'
import { defineListRoute } from '../../lists/list-route.ts'
import type { FeatureDependencies } from '../dependencies.ts'
import { creationValues, ENDS_BEFORE_START, updateValues } from './rules.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'

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
      item: schemas.EventListedResponse,
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
      item: schemas.EventListedResponse,
    }),
    defineRoute({
      method: 'GET',
      url: '/v1/events/:event_id',
      name: 'readEvent',
      policy: 'admin',
      pool: 'bulk',
      params: EventPath,
      responses: { 200: schemas.FullEventResponse },
      handler: async ({ db, params }) => ok(found(await db.query(sql.readEvent, params), 'event').body),
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
        ok(found(await db.query(sql.findEvent, { title: query.title.trim() }), 'event').body),
    }),
  ]
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
        throw notFound(event.outcome === 'no_user' ? 'user' : 'problem')
      },
    }),
    defineRoute({
      method: 'PUT',
      url: '/v1/events/:event_id',
      name: 'updateEvent',
      policy: 'admin',
      params: EventPath,
      body: schemas.eventUpdate(sizes),
      responses: { 200: schemas.EventResponse },
      handler: async ({ db, params: { event_id }, body }) => {
        const values = { ...updateValues(body), event_id }
        const [event] = await changeEvent(db, event_id, (tx) => tx.query(sql.updateEvent, values))
        if (event === undefined) throw new AppError('VALIDATION', ENDS_BEFORE_START)
        return ok(event.body)
      },
    }),
    defineRoute({
      method: 'DELETE',
      url: '/v1/events/:event_id',
      name: 'deleteEvent',
      policy: 'admin',
      params: EventPath,
      responses: { 204: undefined },
      handler: async ({ db, params }) => {
        found(await db.query(sql.deleteEvent, params), 'event')
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
        const rows = await changeEvent(db, event_id, (tx) => tx.query(sql.endEvent, { event_id }))
        return ok(found(rows, 'event').body)
      },
    }),
  ]
}

/** Changes an event while its row is locked. Throws NOT_FOUND. */
function changeEvent<T>(
  db: ActorDatabase,
  event_id: number,
  change: (tx: ActorDatabase) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    found(await tx.query(sql.lockEvent, { event_id }), 'event')
    return change(tx)
  })
}
