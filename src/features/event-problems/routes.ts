import Type from 'typebox'
import { AppError } from '../../http/routing/errors.ts'
import { answerList, created, found, ok } from '../../http/routing/responses.ts'
import { defineRoute, type Route } from '../../http/routing/route.ts'
import { NoFields, PageQuery } from '../../http/routing/schema.ts'
import { eventProblemDocs } from '../../openapi/operations/event-problems.ts'
import {
  EventPath,
  EventProblemAddedResponse,
  EventProblemBody,
  EventProblemPath,
  EventProblemResponse,
  FullEventProblemResponse,
} from '../events/schemas.ts'
import { addEventProblem, listEventProblems, readEventProblem } from './sql.ts'

/** The problems of a contest (specification, Event sub-resources; D33). */
export function eventProblemRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      url: '/v1/events/:event_id/problems',
      name: 'listEventProblems',
      summary: 'List the problems of an event; before its start in brief',
      docs: eventProblemDocs.listEventProblems,
      policy: 'user',
      limit: 'none',
      bodyLimit: 'body',
      isPolled: true,
      schema: {
        params: EventPath,
        query: PageQuery,
        body: undefined,
        answers: { 200: Type.Array(EventProblemResponse) },
        refusals: ['NOT_FOUND'],
      },
      handler: (ctx) => answerList(ctx, listEventProblems, [ctx.params.event_id], 'event'),
    }),
    defineRoute({
      method: 'GET',
      url: '/v1/events/:event_id/problems/:event_problem_id',
      name: 'readEventProblem',
      summary: 'Read one problem of an event with its public test cases',
      docs: eventProblemDocs.readEventProblem,
      policy: 'user',
      limit: 'none',
      bodyLimit: 'body',
      pool: 'lists',
      schema: {
        params: EventProblemPath,
        query: NoFields,
        body: undefined,
        answers: { 200: FullEventProblemResponse },
        refusals: ['NOT_FOUND', 'EVENT_NOT_STARTED'],
      },
      handler: async ({ db, params }) => {
        const rows = await db.ask(readEventProblem, [params.event_id, params.event_problem_id])
        const { body, has_started } = found(rows, 'problem in the event')
        if (!has_started && body === null)
          throw new AppError('EVENT_NOT_STARTED', 'The event has not started yet')
        return ok(found(body === null ? [] : [body], 'problem in the event'))
      },
    }),
    defineRoute({
      method: 'POST',
      url: '/v1/events/:event_id/problems',
      name: 'addEventProblem',
      summary: 'Add a problem that the caller may see to an event',
      docs: eventProblemDocs.addEventProblem,
      policy: 'user',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: EventPath,
        query: NoFields,
        body: EventProblemBody,
        answers: { 201: EventProblemAddedResponse },
        refusals: ['NOT_FOUND', 'ALREADY_IN_EVENT'],
      },
      handler: async ({ db, params, body }) => {
        const rows = await db.ask(addEventProblem, [params.event_id, body.problem_id])
        const { body: added, has_problem } = found(rows, 'event')
        if (!has_problem) throw new AppError('NOT_FOUND', 'There is no such problem')
        if (added === null) throw new AppError('ALREADY_IN_EVENT', 'The problem is in the event already')
        return created(added)
      },
    }),
  ]
}
