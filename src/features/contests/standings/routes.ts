import type { TSchema } from 'typebox'
import { FileContent } from '../../../http/routing/schema.ts'
import type { List } from '../../../lists/definition.ts'
import type { PolledDocument } from '../../../lists/document.ts'
import { defineDocumentRoute, defineListRoute } from '../../../lists/list-route.ts'
import * as attempts from './attempts-sql.ts'
import * as schemas from './schemas.ts'
import type { RankedBy } from './shown.ts'
import * as standings from './standings-sql.ts'
import { thawRoute } from './thaw.ts'

/**
 * The standings (P22), the freeze (P23), and their data (specification, Event sub-resources; D35).
 */
export function standingsRoutes() {
  return [
    tableRoute('standings', 'readStandings', schemas.StandingsResponse, undefined, {
      user: standings.readStandingsByUser,
      team: standings.readStandingsByTeam,
    }),
    tableRoute('standings.csv', 'readStandingsCsv', FileContent('text/csv'), 'text/csv; charset=utf-8', {
      user: standings.readStandingsCsvByUser,
      team: standings.readStandingsCsvByTeam,
    }),
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
  type: string | undefined,
  documents: Record<RankedBy, PolledDocument<{ readonly event_id: number }>>,
) {
  return defineDocumentRoute(name, `/v1/events/:event_id/${path}`, {
    policy: 'user, or none if public',
    query: schemas.StandingsQuery,
    response,
    ...(type !== undefined && { type }),
    refusals: ['NOT_A_PARTICIPANT'],
    choose: ({ params, query }) => ({ document: documents[query.by ?? 'user'], values: params }),
  })
}

function standingsRoute<const N extends string>(
  path: string,
  name: N,
  list: List<{ readonly event_id: number }>,
  item: TSchema,
) {
  return defineListRoute(name, `/v1/events/:event_id/${path}`, {
    policy: 'user',
    list,
    item,
    refusals: list.owner?.refusal === undefined ? [] : ['NOT_A_PARTICIPANT'],
  })
}
