import Type from 'typebox'
import type { Config } from '../../config/config.ts'
import type { Row, Statement, Value } from '../../db/database.ts'
import type { ActorDatabase } from '../../http/routing/actor.ts'
import { AppError } from '../../http/routing/errors.ts'
import { answerList, created, found, noContent, ok } from '../../http/routing/responses.ts'
import { defineRoute, type Route } from '../../http/routing/route.ts'
import { NoFields, PageQuery } from '../../http/routing/schema.ts'
import { eventDocs } from '../../openapi/operations/events.ts'
import {
  EventListedResponse,
  EventPath,
  EventResponse,
  EventTitleQuery,
  eventCreation,
  eventUpdate,
  FullEventResponse,
  PublicEventResponse,
} from './schemas.ts'
import {
  createEvent,
  deleteEvent,
  endEvent,
  findEvent,
  listEvents,
  lockEvent,
  readEvent,
  readPublicEvent,
  updateEvent,
} from './sql.ts'

/** Both families of event routes (specification, Events; D31, D32). */
export function eventRoutes({ config }: { readonly config: Pick<Config, 'sizes'> }): Route[] {
  return [
    listRoute('/v1/public/events', 'listPublicEvents', 'user', 'List the events'),
    readPublicRoute(),
    listRoute('/v1/events', 'listEvents', 'admin', 'List all events'),
    ...adminReadingRoutes(),
    ...writingRoutes(config.sizes),
  ]
}

function listRoute(
  url: string,
  name: 'listEvents' | 'listPublicEvents',
  policy: 'user' | 'admin',
  summary: string,
): Route {
  return defineRoute({
    method: 'GET',
    url,
    name,
    summary,
    docs: eventDocs[name],
    policy,
    limit: 'none',
    bodyLimit: 'body',
    isPolled: true,
    schema: {
      params: NoFields,
      query: PageQuery,
      body: undefined,
      answers: { 200: Type.Array(EventListedResponse) },
      refusals: [],
    },
    handler: (ctx) => answerList(ctx, listEvents, [], 'list'),
  })
}

function readPublicRoute(): Route {
  return defineRoute({
    method: 'GET',
    url: '/v1/public/events/:event_id',
    name: 'readPublicEvent',
    summary: 'Read an event with its participants and the ids of its problems',
    docs: eventDocs.readPublicEvent,
    policy: 'user',
    limit: 'none',
    bodyLimit: 'body',
    schema: {
      params: EventPath,
      query: NoFields,
      body: undefined,
      answers: { 200: PublicEventResponse },
      refusals: ['NOT_FOUND'],
    },
    handler: async ({ db, params }) =>
      ok(found(await db.ask(readPublicEvent, [params.event_id]), 'event').body),
  })
}

function adminReadingRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      url: '/v1/events/:event_id',
      name: 'readEvent',
      summary: 'Read an event with its problems',
      docs: eventDocs.readEvent,
      policy: 'admin',
      limit: 'none',
      bodyLimit: 'body',
      pool: 'bulk',
      schema: {
        params: EventPath,
        query: NoFields,
        body: undefined,
        answers: { 200: FullEventResponse },
        refusals: ['NOT_FOUND'],
      },
      handler: async ({ db, params }) => ok(found(await db.ask(readEvent, [params.event_id]), 'event').body),
    }),
    defineRoute({
      method: 'GET',
      url: '/v1/event_details',
      name: 'readEventByTitle',
      summary: 'Find the newest event of a title, with its problems',
      docs: eventDocs.readEventByTitle,
      policy: 'admin',
      limit: 'none',
      bodyLimit: 'body',
      pool: 'bulk',
      schema: {
        params: NoFields,
        query: EventTitleQuery,
        body: undefined,
        answers: { 200: FullEventResponse },
        refusals: ['NOT_FOUND'],
      },
      handler: async ({ db, query }) =>
        ok(found(await db.ask(findEvent, [query.title.trim()]), 'event').body),
    }),
  ]
}

function writingRoutes(sizes: Config['sizes']): Route[] {
  return [
    defineRoute({
      method: 'POST',
      url: '/v1/events',
      name: 'createEvent',
      summary: 'Create an event with its problems',
      docs: eventDocs.createEvent,
      policy: 'admin',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: NoFields,
        query: NoFields,
        body: eventCreation(sizes),
        answers: { 201: EventResponse },
        refusals: ['NOT_FOUND'],
      },
      handler: async ({ db, actor, body }) => {
        const {
          title,
          description = '',
          start_time,
          end_time,
          teams = false,
          languages = [],
          problems = [],
        } = body
        // Validation has made both sort as the instants do.
        refuseReversed(start_time, end_time)
        const ids = problems.map((problem) => problem.problem_id)
        if (new Set(ids).size < ids.length)
          throw new AppError('VALIDATION', 'problems must name each problem once')
        const rows = await db.query(createEvent, [
          body.user_id ?? actor.id,
          title.trim(),
          description,
          start_time,
          end_time,
          teams,
          JSON.stringify(languages),
          ids,
          problems.map((problem) => problem.accept_timeout ?? null),
          problems.map((problem) => problem.execution_timeout ?? null),
          problems.map((problem) => problem.memory_limit ?? null),
          problems.map((problem) => problem.hidden ?? false),
        ])
        const { body: event, has_user } = found(rows, 'event')
        if (event === null)
          throw new AppError('NOT_FOUND', `There is no such ${has_user ? 'problem' : 'user'}`)
        return created(event)
      },
    }),
    defineRoute({
      method: 'PUT',
      url: '/v1/events/:event_id',
      name: 'updateEvent',
      summary: 'Change an event’s title, description, times or teams',
      docs: eventDocs.updateEvent,
      policy: 'admin',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: EventPath,
        query: NoFields,
        body: eventUpdate(sizes),
        answers: { 200: EventResponse },
        refusals: ['NOT_FOUND'],
      },
      handler: async ({ db, params, body }) => {
        const { title, description = null, start_time = null, end_time = null, teams = null } = body
        refuseReversed(start_time, end_time)
        const values = [params.event_id, title?.trim() ?? null, description, start_time, end_time, teams]
        const [event] = await changeEvent(db, params.event_id, updateEvent, values)
        if (event === undefined) throw new AppError('VALIDATION', ENDS_BEFORE_START)
        return ok(event.body)
      },
    }),
    defineRoute({
      method: 'DELETE',
      url: '/v1/events/:event_id',
      name: 'deleteEvent',
      summary: 'Delete an event; its submissions stay',
      docs: eventDocs.deleteEvent,
      policy: 'admin',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: EventPath,
        query: NoFields,
        body: undefined,
        answers: { 204: undefined },
        refusals: ['NOT_FOUND'],
      },
      handler: async ({ db, params }) => {
        found(await db.query(deleteEvent, [params.event_id]), 'event')
        return noContent
      },
    }),
    defineRoute({
      method: 'POST',
      url: '/v1/events/:event_id/end',
      name: 'endEvent',
      summary: 'End an event now',
      docs: eventDocs.endEvent,
      policy: 'admin',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: EventPath,
        query: NoFields,
        body: undefined,
        answers: { 200: EventResponse },
        refusals: ['NOT_FOUND'],
      },
      handler: async ({ db, params: { event_id } }) =>
        ok(found(await changeEvent(db, event_id, endEvent, [event_id]), 'event').body),
    }),
  ]
}

/** Runs a change of an event while it is held. Throws NOT_FOUND. */
function changeEvent<R extends Row>(
  db: ActorDatabase,
  eventId: number,
  change: Statement<R>,
  values: readonly Value[],
): Promise<R[]> {
  return db.transaction(async (tx) => {
    found(await tx.query(lockEvent, [eventId]), 'event')
    return tx.query(change, values)
  })
}

/** Validation has written both in one form, in which their order is that of their text. */
function refuseReversed(startTime: string | null, endTime: string | null): void {
  if (startTime !== null && endTime !== null && startTime >= endTime) {
    throw new AppError('VALIDATION', ENDS_BEFORE_START)
  }
}

const ENDS_BEFORE_START = 'end_time must be after start_time'
