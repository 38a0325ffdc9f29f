import type { TSchema } from 'typebox'
import { EventPath } from '../../http/routing/schema.ts'
import type { List } from '../../lists/definition.ts'
import { defineListRoute } from '../../lists/list-route.ts'
import { AttemptStatResponse, ProblemStatsResponse, ProblemStatusResponse } from './schemas.ts'
import { listAttempts, listOwnProblemStatus, listProblemStats } from './sql.ts'

/** The data of the standings (specification, Event sub-resources; D35). */
export function standingsRoutes() {
  return [
    standingsRoute('attempts', 'listAttempts', listAttempts, AttemptStatResponse),
    standingsRoute('user_problem_status', 'listProblemStatuses', listOwnProblemStatus, ProblemStatusResponse),
    standingsRoute('problems_stats', 'listProblemStats', listProblemStats, ProblemStatsResponse),
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
