import type { Static } from 'typebox'
import { AppError } from '../../../http/routing/errors.ts'
import { created, found, noContent, notFound, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import type { VersionedText } from '../../../lists/kept-texts.ts'
import { defineListRoute } from '../../../lists/list-route.ts'
import { type ReadingBySize, readBySize } from '../../../lists/read-by-size.ts'
import { changeManagedEvent } from '../../shared/access/change-event.ts'
import { notStaff } from '../../shared/access/refusals.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'

/** The problems of an event (specification, Event sub-resources; D33). */
export function eventProblemRoutes() {
  return [...readingRoutes(), ...writingRoutes()]
}

function readingRoutes() {
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
  ]
}

/** All may add problems that they see; staff changes and removes them (P20). */
function writingRoutes() {
  return [
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
    defineRoute('updateEventProblem', 'PUT /v1/events/:event_id/problems/:event_problem_id', {
      policy: 'user',
      body: schemas.EventProblemUpdate,
      responses: { 200: schemas.UpdatedEventProblemResponse },
      refusals: ['FORBIDDEN'],
      handler: async ({ db, params, body }) => {
        const rows = await db.query(sql.updateEventProblem, { ...params, ...settingValues(body) })
        const problem = found(rows, 'event')
        if (problem.outcome === 'updated') return ok(problem.body)
        throw problem.outcome === 'not_staff' ? notStaff() : notFound('problem in the event')
      },
    }),
    defineRoute('removeEventProblem', 'DELETE /v1/events/:event_id/problems/:event_problem_id', {
      policy: 'user',
      query: schemas.ForceQuery,
      responses: { 204: undefined },
      refusals: ['FORBIDDEN', 'PROBLEM_HAS_SUBMISSIONS'],
      handler: async ({ db, params, query }) => {
        const values = { ...params, force: query.force ?? false }
        await changeManagedEvent(db, params.event_id, async (tx) => {
          const { outcome } = found(await tx.query(sql.removeEventProblem, values), 'event')
          if (outcome !== 'removed') throw removalRefusal(outcome)
        })
        return noContent
      },
    }),
  ]
}

/** The settings in a body as values for the statements; `settings` names those that were sent. */
function settingValues(body: Static<typeof schemas.EventProblemUpdate>) {
  const { label, color, position, points, accept_timeout, execution_timeout, memory_limit, hidden } = body
  const limits = { accept_timeout, execution_timeout, memory_limit }
  return { label, color, position, points, ...limits, hidden, settings: Object.keys(body) }
}

/** Throws NOT_FOUND if the problem is closed to the actor, EVENT_NOT_STARTED before the start. */
function requireOpen(rows: readonly sql.EventProblemRow[]): VersionedText {
  const problem = found(rows, 'problem in the event')
  if (problem.outcome === 'open') return problem
  if (problem.outcome === 'closed') throw notFound('problem in the event')
  throw new AppError('EVENT_NOT_STARTED', 'The event has not started yet')
}

function removalRefusal(outcome: 'not_staff' | 'no_problem' | 'has_submissions'): AppError {
  if (outcome === 'not_staff') return notStaff()
  if (outcome === 'no_problem') return notFound('problem in the event')
  return new AppError(
    'PROBLEM_HAS_SUBMISSIONS',
    'The problem has submissions in the event: remove it with force=true',
  )
}
