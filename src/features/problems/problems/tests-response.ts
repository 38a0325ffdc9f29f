import type { FastifyRequest } from 'fastify'
import type { Config } from '../../../config/config.ts'
import type { ActorStatement } from '../../../db/actor-statement.ts'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { QUICK_BODY_BYTES } from '../../../http/routing/pool-of.ts'
import { found, ok, type RouteResponse } from '../../../http/routing/responses.ts'
import { hasEntityTag, hashQuery, writeEntityTag } from '../../../lists/entity-tag.ts'
import { ANY_BYTES } from '../../../lists/read-by-size.ts'
import { readCapabilities, requireCapabilities } from '../../shared/access/capabilities.ts'
import { readTestCase, readTestText, type TestCaseRow } from './test-case-sql.ts'
import { readProblemTests, readTestManifest, readTestsVersion, type TestsRow } from './tests-sql.ts'

interface TestsContext {
  readonly db: ActorDatabase
  readonly request: FastifyRequest
}

const LEAST_WHOLE_TESTS_BYTES = 64 * 1024 * 1024

/** The largest tests in one response, in bytes: what one request creates, one response has. */
export const wholeTestsBytes = ({ problemBodyBytes }: Config['sizes']) =>
  Math.max(problemBodyBytes, LEAST_WHOLE_TESTS_BYTES)

/** The tests are too large for one response. */
export const testsInParts = (problemId: number) =>
  new AppError(
    'TESTS_TOO_LARGE',
    `The tests are too large for one response: read GET /v1/problem_description/${problemId}/test_cases and each test case by itself`,
  )

/**
 * Responds with a problem's tests and their entity tag, or 304 for a client that has them (D21).
 * Only a large test set uses the bulk pool. Throws NOT_FOUND, WORKER_TOO_OLD, and TESTS_TOO_LARGE
 * above `mostBytes`.
 */
export async function respondWithTests(
  ctx: TestsContext,
  problemId: number,
  mostBytes: number,
): Promise<RouteResponse> {
  const values = { problem_id: problemId, whole_tests_bytes: mostBytes, ...readCapabilities(ctx.request) }
  return respond(ctx, problemId, readProblemTests, (bytes) =>
    bytes <= QUICK_BODY_BYTES
      ? ctx.db.queryQuickly(readProblemTests, values)
      : ctx.db.query(readProblemTests, values),
  )
}

/** Responds with a list of the test cases, or 304. Throws NOT_FOUND and WORKER_TOO_OLD. */
export async function respondWithManifest(ctx: TestsContext, problemId: number): Promise<RouteResponse> {
  const values = { problem_id: problemId, ...readCapabilities(ctx.request) }
  return respond(ctx, problemId, readTestManifest, () => ctx.db.queryQuickly(readTestManifest, values))
}

async function respond(
  { db, request }: TestsContext,
  problemId: number,
  { text }: Pick<ActorStatement, 'text'>,
  read: (bytes: number) => Promise<TestsRow[]>,
): Promise<RouteResponse> {
  const values = { problem_id: problemId, ...readCapabilities(request) }
  const current = found(await db.queryQuickly(readTestsVersion, values), 'problem')
  requireCapabilities(current.missing_capabilities)
  const query = hashQuery(text, [problemId])
  const headersOf = (version: string) => ({ etag: writeEntityTag(query, version) })
  if (hasEntityTag(request.headers['if-none-match'], query, current.version)) {
    return { status: 304, headers: headersOf(current.version) }
  }
  // The problem may have changed since the first query: the tag must match this body.
  const { version, missing_capabilities, body } = found(await read(current.bytes), 'problem')
  requireCapabilities(missing_capabilities)
  if (body === null) throw testsInParts(problemId)
  return { ...ok(body), headers: headersOf(version) }
}

/**
 * Responds with one test case and its entity tag, or 304 for a client that has it. Only a large one
 * uses the bulk pool. Throws NOT_FOUND and WORKER_TOO_OLD.
 */
export function respondWithTestCase(
  ctx: TestsContext,
  problem_id: number,
  test_case_id: string,
): Promise<RouteResponse> {
  const values = { problem_id, test_case_id, ...readCapabilities(ctx.request) }
  return respondBySize(ctx, {
    read: (most_bytes) => ctx.db.query(readTestCase, { ...values, most_bytes }),
    readQuickly: (most_bytes) => ctx.db.queryQuickly(readTestCase, { ...values, most_bytes }),
    tag: [hashQuery(readTestCase.text, [problem_id, test_case_id])],
  })
}

/** Like `respondWithTestCase`, with the bytes of the input or of the answer (D21). */
export async function respondWithTestText(
  ctx: TestsContext,
  which: 'input' | 'answer',
  problem_id: number,
  test_case_id: string,
): Promise<RouteResponse> {
  const is_answer = which === 'answer'
  const values = { problem_id, test_case_id, is_answer, ...readCapabilities(ctx.request) }
  const response = await respondBySize(ctx, {
    read: (most_bytes) => ctx.db.query(readTestText, { ...values, most_bytes }),
    readQuickly: (most_bytes) => ctx.db.queryQuickly(readTestText, { ...values, most_bytes }),
    // Clients may read the version.
    tag: [],
  })
  return response.status === 304 ? response : { ...response, type: 'application/octet-stream' }
}

interface ReadingOfCase {
  /** Reads the row in the bulk pool; its body only up to a size. */
  readonly read: (mostBytes: number) => Promise<TestCaseRow[]>
  readonly readQuickly: (mostBytes: number) => Promise<TestCaseRow[]>
  /** The parts of the entity tag before the version. */
  readonly tag: readonly string[]
}

async function respondBySize(
  { request }: TestsContext,
  { read, readQuickly, tag }: ReadingOfCase,
): Promise<RouteResponse> {
  const known = request.headers['if-none-match']
  const current = found(await readQuickly(known === undefined ? QUICK_BODY_BYTES : 0), 'test case')
  requireCapabilities(current.missing_capabilities)
  const headers = { etag: writeEntityTag(...tag, current.version) }
  if (hasEntityTag(known, ...tag, current.version)) return { status: 304, headers }
  if (current.body !== null) return { ...ok(current.body), headers }
  const isQuick = current.bytes <= QUICK_BODY_BYTES
  const rows = await (isQuick ? readQuickly : read)(ANY_BYTES)
  const { version, missing_capabilities, body } = found(rows, 'test case')
  requireCapabilities(missing_capabilities)
  if (body === null) throw new Error('a test case must have a body of any size')
  return { ...ok(body), headers: { etag: writeEntityTag(...tag, version) } }
}
