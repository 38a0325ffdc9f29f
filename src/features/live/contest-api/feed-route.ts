import { Readable } from 'node:stream'
import Type from 'typebox'
import { networkOf } from '../../../http/routing/address.ts'
import { found, notFound, type RouteResponse } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { FileContent, Written } from '../../../http/routing/schema.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { checkEventAccess, readEventAccess } from '../change-streams/sql.ts'
import { createCollections } from './collections.ts'
import { openFeed } from './feed.ts'
import { FeedTurns } from './feed-turns.ts'
import { FirstStates } from './first-states.ts'
import { openReader } from './notifications.ts'
import { CONTEST_API_POLICY } from './policy.ts'

const FeedQuery = Type.Object({
  since_token: Type.Optional(
    Written({ description: 'The token of a line: the feed goes on after it.', maxLength: 8192 }),
  ),
})

/** Everything that the caller sees of a contest, and then its changes (Contest API, Event feed). */
export function feedRoute({ changes, config }: Pick<FeatureDependencies, 'changes' | 'config'>) {
  const collections = createCollections(config)
  // Anonymous feeds do not delay the feeds of accounts.
  const turns = { ofAnonymous: new FeedTurns(), ofAccounts: new FeedTurns() }
  const states = new FirstStates()
  return defineRoute('readEventFeed', 'GET /v1/clics/contests/:event_id/event-feed', {
    policy: CONTEST_API_POLICY,
    pool: 'lists',
    query: FeedQuery,
    responses: { 200: FileContent('application/x-ndjson') },
    refusals: ['RATE_LIMIT_EXCEEDED'],
    handler: async ({ actor, db, request, params: { event_id }, query: { since_token } }) => {
      // No feed may start with a role that only the token names.
      if (actor?.role === 2) await db.confirm()
      const { liveConnections } = request.server
      const place = liveConnections.reserve(request)
      const { access, is_jury } = found(await db.query(readEventAccess, { event_id }), 'contest')
      // A first state is expensive.
      if (since_token === undefined && !is_jury) request.server.takeRate(request, 'feeds', 'feeds', actor?.id)
      const inTurn =
        actor === undefined
          ? turns.ofAnonymous.of(networkOf(request))
          : turns.ofAccounts.of(actor.id, { isStaff: is_jury })
      const documents = { db, cache: request.server.lists.cache }
      const reader = await openReader(
        { db: db.inTurn(inTurn), eventId: event_id, userId: actor?.id ?? null, documents },
        collections,
      )
      if (reader === undefined) throw notFound('contest')
      const ending = new AbortController()
      request.response.once('close', () => ending.abort())
      // The turns of a shared state are not those of the network that asked first.
      const ofState = turns.ofAnonymous.of(`first state of ${event_id}`)
      const shared = actor === undefined ? { states, db: db.inTurn(ofState) } : undefined
      const lines = await openFeed(
        { changes, inTurn, reader, shared, times: liveConnections.times, signal: ending.signal },
        since_token,
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
