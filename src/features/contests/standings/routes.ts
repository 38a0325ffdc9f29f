import type { TSchema } from 'typebox'
import { AppError } from '../../../http/routing/errors.ts'
import { found, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { FileContent } from '../../../http/routing/schema.ts'
import { defineDocumentRoute, defineListRoute } from '../../../lists/list-route.ts'
import type { WrittenList } from '../../../lists/written-list.ts'
import { changeManagedEvent } from '../../shared/access/change-event.ts'
import * as attempts from './attempts.ts'
import { readStandings, readStandingsCsv } from './documents.ts'
import * as schemas from './schemas.ts'
import type { RankedBy } from './shown.ts'
import { readThaw } from './thaw-sql.ts'
import { hideStep, revealStep, thaw } from './thaw-steps.ts'

/**
 * The standings (P22), the freeze (P23), and their data (specification, Event sub-resources; D35).
 */
export function standingsRoutes() {
  return [
    tableRoute('standings', 'readStandings', schemas.StandingsResponse, undefined, readStandings),
    tableRoute(
      'standings.csv',
      'readStandingsCsv',
      FileContent('text/csv'),
      { type: 'text/csv; charset=utf-8', name: 'standings.csv' },
      readStandingsCsv,
    ),
    thawRoute(),
    standingsRoute('attempts', 'listAttempts', attempts.listAttempts, schemas.AttemptStatResponse),
    standingsRoute(
      'user_problem_status',
      'listProblemStatuses',
      attempts.listOwnProblemStatus,
      schemas.ProblemStatusResponse,
    ),
    standingsRoute(
      'problems_stats',
      'listProblemStats',
      attempts.listProblemStats,
      schemas.ProblemStatsResponse,
    ),
  ]
}

function tableRoute<const N extends string>(
  path: string,
  name: N,
  response: TSchema,
  file: { readonly type: string; readonly name: string } | undefined,
  documents: Record<RankedBy, WrittenList<{ readonly event_id: number }>>,
) {
  return defineDocumentRoute(name, `/v1/events/:event_id/${path}`, {
    policy: 'user, or none if public',
    query: schemas.StandingsQuery,
    response,
    ...(file !== undefined && { file }),
    refusals: ['NOT_A_PARTICIPANT'],
    choose: ({ params, query }) => ({ document: documents[query.by ?? 'user'], values: params }),
  })
}

/** Ends the freeze of the standings, at once or cell by cell (P23). */
function thawRoute() {
  return defineRoute('thawStandings', 'POST /v1/events/:event_id/thaw', {
    policy: 'user',
    pool: 'bulk',
    query: schemas.ThawQuery,
    responses: { 200: schemas.ThawResponse },
    refusals: ['FORBIDDEN', 'EVENT_NOT_ENDED', 'NOT_FROZEN', 'NOTHING_REVEALED'],
    handler: async ({ db, params: { event_id }, query: { next = false, undo = false } }) => {
      if (next && undo) throw new AppError('VALIDATION', 'next and undo must not be given together')
      return changeManagedEvent(db, event_id, async (tx) => {
        const step = await (undo ? hideStep : next ? revealStep : thaw)(tx, event_id)
        const { state, steps_left } = found(await tx.query(readThaw, { event_id }), 'event')
        return ok(JSON.stringify({ event_id, state, steps_left, ...step }))
      })
    },
  })
}

function standingsRoute<const N extends string>(
  path: string,
  name: N,
  list: WrittenList<{ readonly event_id: number }>,
  item: TSchema,
) {
  return defineListRoute(name, `/v1/events/:event_id/${path}`, {
    policy: 'user',
    list,
    item,
    refusals: list.owner.refusal === undefined ? [] : ['NOT_A_PARTICIPANT'],
  })
}
