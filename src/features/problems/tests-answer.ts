import type { ActorDatabase } from '../../http/routing/actor.ts'
import { QUICK_BODY_BYTES } from '../../http/routing/overload.ts'
import { found, ok } from '../../http/routing/responses.ts'
import type { RouteResponse } from '../../http/routing/route.ts'
import { describeRequest, isKnown, writeEntityTag } from '../../lists/entity-tag.ts'
import { readProblemTests, readTestsVersion } from './sql.ts'

interface TestsContext {
  readonly db: ActorDatabase
  readonly ifNoneMatch: string | undefined
}

/**
 * Answers a problem's tests with their entity tag, or 304 if the client knows it (D21). Only a
 * large test set waits for the pool of large bodies. Throws NOT_FOUND.
 */
export async function answerTests(
  { db, ifNoneMatch }: TestsContext,
  problemId: number,
): Promise<RouteResponse> {
  const values = [problemId]
  const current = found(await db.askQuickly(readTestsVersion, values), 'problem')
  const request = describeRequest(readProblemTests.text, values)
  const headersOf = (version: string) => ({ etag: writeEntityTag(request, version) })
  if (isKnown(ifNoneMatch, request, current.version)) {
    return { status: 304, headers: headersOf(current.version) }
  }
  const rows =
    current.bytes <= QUICK_BODY_BYTES
      ? await db.askQuickly(readProblemTests, values)
      : await db.ask(readProblemTests, values)
  // The tests may have changed since the look-up: the tag is the one of this body.
  const { version, body } = found(rows, 'problem')
  return { ...ok(body), headers: headersOf(version) }
}
