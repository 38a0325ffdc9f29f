import type { FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { created, found, noContent, notFound, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { generateScoreboardToken, hashScoreboardToken } from '../../../http/routing/tokens.ts'
import { defineDocumentRoute, defineListRoute } from '../../../lists/list-route.ts'
import { notStaff } from '../../shared/access/refusals.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { StandingsQuery, StandingsResponse } from '../standings/schemas.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'

type ScoreboardTokenDependencies = Pick<FeatureDependencies, 'config'>

/** Tokens of pages that show a contest's standings to the public, and their two routes (P29). */
export function scoreboardTokenRoutes(deps: ScoreboardTokenDependencies) {
  return [...tokenRoutes(deps), ...shownRoutes()]
}

/** For staff. */
function tokenRoutes({ config }: ScoreboardTokenDependencies) {
  return [
    defineRoute('createScoreboardToken', 'POST /v1/events/:event_id/scoreboard_tokens', {
      policy: 'user',
      body: schemas.scoreboardTokenCreation(config.sizes),
      responses: { 201: schemas.ScoreboardTokenCreatedResponse },
      refusals: ['FORBIDDEN'],
      handler: async ({ db, params, body }) => {
        const token = generateScoreboardToken()
        const values = {
          ...params,
          id: uuidv7(),
          label: body?.label ?? null,
          token_hash: hashScoreboardToken(token),
        }
        const result = found(await db.query(sql.createScoreboardToken, values), 'event')
        if (result.outcome === 'not_staff') throw notStaff()
        // The database never gets the token itself.
        return created(JSON.stringify({ ...JSON.parse(result.body), token }))
      },
    }),
    defineListRoute('listScoreboardTokens', '/v1/events/:event_id/scoreboard_tokens', {
      policy: 'user',
      list: sql.listScoreboardTokens,
      item: schemas.ScoreboardTokenResponse,
      refusals: ['FORBIDDEN'],
    }),
    defineRoute(
      'deleteScoreboardToken',
      'DELETE /v1/events/:event_id/scoreboard_tokens/:scoreboard_token_id',
      {
        policy: 'user',
        responses: { 204: undefined },
        refusals: ['FORBIDDEN'],
        handler: async ({ db, params }) => {
          const { outcome } = found(await db.query(sql.deleteScoreboardToken, params), 'event')
          if (outcome === 'not_staff') throw notStaff()
          if (outcome === 'no_token') throw notFound('scoreboard token of the event')
          return noContent
        },
      },
    ),
  ]
}

/** For the pages. */
function shownRoutes() {
  return [
    defineDocumentRoute('readScoreboardStandings', '/v1/scoreboard/:event_id/standings', {
      policy: 'scoreboard token',
      query: StandingsQuery,
      response: StandingsResponse,
      choose: ({ params, query, request }) => ({
        document: sql.scoreboardStandings[query.by ?? 'user'],
        values: { ...params, token_hash: hashOf(request) },
      }),
    }),
    defineRoute('readScoreboardClock', 'GET /v1/scoreboard/:event_id/clock', {
      policy: 'scoreboard token',
      responses: { 200: schemas.ScoreboardClockResponse },
      handler: async ({ db, params, request }) => {
        const values = { ...params, token_hash: hashOf(request) }
        return ok(found(await db.query(sql.readScoreboardClock, values), 'event').body)
      },
    }),
  ]
}

const hashOf = ({ headers }: FastifyRequest) => hashScoreboardToken(headers.authorization ?? '')
