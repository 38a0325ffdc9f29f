import { AppError } from '../../../http/routing/errors.ts'
import { found, noContent, notFound, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { changeManagedEvent } from '../../shared/access/change-event.ts'
import { notStaff } from '../../shared/access/refusals.ts'
import * as schemas from './schemas.ts'
import { settingValues } from './setting-values.ts'
import * as sql from './sql.ts'

/** Staff changes and removes the problems of a contest (P20). */
export function eventProblemChangeRoutes() {
  return [
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

function removalRefusal(outcome: 'not_staff' | 'no_problem' | 'has_submissions'): AppError {
  if (outcome === 'not_staff') return notStaff()
  if (outcome === 'no_problem') return notFound('problem in the event')
  return new AppError(
    'PROBLEM_HAS_SUBMISSIONS',
    'The problem has submissions in the event: remove it with force=true',
  )
}
