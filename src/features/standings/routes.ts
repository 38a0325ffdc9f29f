import type { TSchema } from 'typebox'
import { EventPath } from '../../http/routing/schema.ts'
import type { List } from '../../lists/definition.ts'
import { defineListRoute } from '../../lists/list-route.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'

/** The data of the standings (specification, Event sub-resources; D35). */
export function standingsRoutes() {
  return [
    standingsRoute('attempts', 'listAttempts', sql.listAttempts, schemas.AttemptStatResponse),
    standingsRoute(
      'user_problem_status',
      'listProblemStatuses',
      sql.listOwnProblemStatus,
      schemas.ProblemStatusResponse,
    ),
    standingsRoute('problems_stats', 'listProblemStats', sql.listProblemStats, schemas.ProblemStatsResponse),
  ]
}

function standingsRoute<const N extends string>(
  path: string,
  name: N,
  list: List<{ readonly event_id: number }>,
  item: TSchema,
) {
  return defineListRoute({
    url: `/v1/events/:event_id/${path}`,
    name,
    policy: 'user',
    list,
    item,
    params: EventPath,
  })
}
