import type { FastifyRequest } from 'fastify'
import type { ActorDatabase } from '../../http/routing/actor.ts'
import { QUICK_BODY_BYTES } from '../../http/routing/pool-of.ts'
import { found, ok, type RouteResponse } from '../../http/routing/responses.ts'
import { hasEntityTag, hashQuery, writeEntityTag } from '../../lists/entity-tag.ts'
import { readProblemTests, readTestsVersion } from './sql.ts'

interface TestsContext {
  readonly db: ActorDatabase
  readonly request: FastifyRequest
}

/**
 * Responds with a problem's tests and their entity tag, or 304 for a client that has them (D21).
 * Only a large test set uses the bulk pool. Throws NOT_FOUND.
 */
export async function respondWithTests(
  { db, request }: TestsContext,
  problemId: number,
): Promise<RouteResponse> {
  const values = { problem_id: problemId }
  const current = found(await db.queryQuickly(readTestsVersion, values), 'problem')
  const query = hashQuery(readProblemTests.text, [problemId])
  const headersOf = (version: string) => ({ etag: writeEntityTag(query, version) })
  if (hasEntityTag(request.headers['if-none-match'], query, current.version)) {
    return { status: 304, headers: headersOf(current.version) }
  }
  const rows =
    current.bytes <= QUICK_BODY_BYTES
      ? await db.queryQuickly(readProblemTests, values)
      : await db.query(readProblemTests, values)
  // The tests may have changed since the first query: the tag must match this body.
  const { version, body } = found(rows, 'problem')
  return { ...ok(body), headers: headersOf(version) }
}
