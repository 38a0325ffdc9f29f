import { AppError } from '../../../http/routing/errors.ts'
import { created, found, notFound, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import type { VersionedText } from '../../../lists/kept-texts.ts'
import { defineListRoute } from '../../../lists/list-route.ts'
import { type ReadingBySize, readBySize } from '../../../lists/read-by-size.ts'
import { notStaff } from '../../shared/access/refusals.ts'
import * as schemas from './schemas.ts'
import { settingValues } from './setting-values.ts'
import * as sql from './sql.ts'

/** The problems of an event (specification, Event sub-resources; D33). */
export function eventProblemRoutes() {
  return [
    defineListRoute('listEventProblems', '/v1/events/:event_id/problems', {
      policy: 'user',
      list: sql.listEventProblems,
      item: schemas.EventProblemResponse,
    }),
    defineRoute('readEventProblem', 'GET /v1/events/:event_id/problems/:event_problem_id', {
      policy: 'user',
      pool: 'lists',
      responses: { 200: schemas.FullEventProblemResponse },
      refusals: ['EVENT_NOT_STARTED'],
      handler: async ({ db, request, params }) => {
        const key = `problem ${params.event_problem_id} of event ${params.event_id}`
        const read = async ({ query, isShort, ...reading }: ReadingBySize) => {
          const statement = isShort ? sql.readEventProblem : sql.readLongEventProblem
          return requireOpen(await query(statement, { ...params, ...reading }))
        }
        return ok(await readBySize({ db, request, key }, read))
      },
    }),
    defineRoute('addEventProblem', 'POST /v1/events/:event_id/problems', {
      policy: 'user',
      body: schemas.EventProblemBody,
      responses: { 201: schemas.EventProblemAddedResponse },
      refusals: ['FORBIDDEN', 'ALREADY_IN_EVENT'],
      handler: async ({ db, params, body }) => {
        const { problem_id, ...settings } = body
        const values = { ...params, problem_id, ...settingValues(settings) }
        const problem = found(await db.query(sql.addEventProblem, values), 'event')
        if (problem.outcome === 'added') return created(problem.body)
        if (problem.outcome === 'settings_of_others') throw notStaff()
        if (problem.outcome === 'not_staff')
          throw new AppError('FORBIDDEN', 'Only staff may add problems here')
        if (problem.outcome === 'no_problem') throw notFound('problem')
        throw new AppError('ALREADY_IN_EVENT', 'The problem is in the event already')
      },
    }),
  ]
}

/** Throws NOT_FOUND if the problem is closed to the actor, EVENT_NOT_STARTED before the start. */
function requireOpen(rows: readonly sql.EventProblemRow[]): VersionedText {
  const problem = found(rows, 'problem in the event')
  if (problem.outcome === 'open') return problem
  if (problem.outcome === 'closed') throw notFound('problem in the event')
  throw new AppError('EVENT_NOT_STARTED', 'The event has not started yet')
}
