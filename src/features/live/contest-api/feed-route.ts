import { Readable } from 'node:stream'
import pLimit from 'p-limit'
import Type from 'typebox'
import { found, notFound, type RouteResponse } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { FileContent, Written } from '../../../http/routing/schema.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { checkEventAccess, readEventAccess } from '../change-streams/sql.ts'
import { createCollections } from './collections.ts'
import { openFeed } from './feed.ts'
import { openReader } from './notifications.ts'
import { CONTEST_API_POLICY } from './policy.ts'

const FeedQuery = Type.Object({
  since_token: Type.Optional(
    Written({ description: 'The token of a line: the feed goes on after it.', maxLength: 8192 }),
  ),
})

/**
 * How many statements the feeds of an instance run at a time, besides awards, which are built once
 * for all: other routes always find a free connection. Anonymous feeds do not delay the
 * feeds of accounts.
 */
const STATEMENTS_AT_ONCE = { ofAnonymous: 1, ofAccounts: 1 }

/** Everything that the caller sees of a contest, and then its changes (Contest API, Event feed). */
export function feedRoute({ changes, config }: Pick<FeatureDependencies, 'changes' | 'config'>) {
  const collections = createCollections(config)
  const anonymousTurn = pLimit(STATEMENTS_AT_ONCE.ofAnonymous)
  const accountTurn = pLimit(STATEMENTS_AT_ONCE.ofAccounts)
  return defineRoute('readEventFeed', 'GET /v1/clics/contests/:event_id/event-feed', {
    policy: CONTEST_API_POLICY,
    pool: 'lists',
    query: FeedQuery,
    responses: { 200: FileContent('application/x-ndjson') },
    refusals: ['RATE_LIMIT_EXCEEDED'],
    handler: async ({ actor, db, request, params: { event_id }, query }) => {
      // No feed may start with a role that only the token names.
      if (actor?.role === 2) await db.confirm()
      const { liveConnections } = request.server
      const place = liveConnections.reserve(request)
      const { access } = found(await db.query(readEventAccess, { event_id }), 'contest')
      const { cache } = request.server.lists
      const inTurn = actor === undefined ? anonymousTurn : accountTurn
      const userId = actor?.id ?? null
      const reader = await openReader(
        { db: db.inTurn(inTurn), eventId: event_id, userId, documents: { db, cache } },
        collections,
      )
      if (reader === undefined) throw notFound('contest')
      const ending = new AbortController()
      request.response.once('close', () => ending.abort())
      const lines = await openFeed(
        { changes, inTurn, reader, times: liveConnections.times, signal: ending.signal },
        query.since_token,
      )
      request.isLive = true
      place.start({ check: checkEventAccess, eventId: event_id, access }, { end: () => ending.abort() })
      return respondWithLines(request.method === 'HEAD' ? [] : lines)
    },
  })
}

/** A proxy must not hold lines back. */
const respondWithLines = (lines: AsyncIterable<string> | readonly string[]): RouteResponse => ({
  status: 200,
  type: 'application/x-ndjson',
  headers: { 'x-accel-buffering': 'no' },
  body: Readable.from(lines, { objectMode: false }),
})
