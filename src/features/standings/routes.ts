import Type, { type TSchema } from 'typebox'
import { answerList } from '../../http/routing/responses.ts'
import { defineRoute, type Route } from '../../http/routing/route.ts'
import { PageQuery } from '../../http/routing/schema.ts'
import type { List } from '../../lists/definition.ts'
import { standingsDocs } from '../../openapi/operations/standings.ts'
import {
  AttemptStatResponse,
  EventPath,
  ProblemStatsResponse,
  ProblemStatusResponse,
} from '../events/schemas.ts'
import { listAttempts, listOwnProblemStatus, listProblemStats } from './sql.ts'

/** What the standings of a contest are made from (specification, Event sub-resources; D35). */
export function standingsRoutes(): Route[] {
  return [
    listRoute(
      'attempts',
      'listAttempts',
      'List the attempts of everybody on every problem',
      AttemptStatResponse,
      listAttempts,
    ),
    listRoute(
      'user_problem_status',
      'listProblemStatuses',
      'List the caller’s own status, problem by problem',
      ProblemStatusResponse,
      listOwnProblemStatus,
    ),
    listRoute(
      'problems_stats',
      'listProblemStats',
      'List how many people tried and solved each problem',
      ProblemStatsResponse,
      listProblemStats,
    ),
  ]
}

function listRoute(
  path: string,
  name: keyof typeof standingsDocs,
  summary: string,
  item: TSchema,
  list: List,
): Route {
  return defineRoute({
    method: 'GET',
    url: `/v1/events/:event_id/${path}`,
    name,
    summary,
    docs: standingsDocs[name],
    policy: 'user',
    limit: 'none',
    bodyLimit: 'body',
    ...(list.version && { isPolled: true }),
    schema: {
      params: EventPath,
      query: PageQuery,
      body: undefined,
      answers: { 200: Type.Array(item) },
      refusals: ['NOT_FOUND'],
    },
    handler: (ctx) => answerList(ctx, list, [ctx.params.event_id], 'event'),
  })
}
