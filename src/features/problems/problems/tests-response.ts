import type { FastifyRequest } from 'fastify'
import type { Config } from '../../../config/config.ts'
import type { ActorStatement } from '../../../db/actor-statement.ts'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { found, ok, type RouteResponse } from '../../../http/routing/responses.ts'
import { QUICK_BODY_BYTES } from '../../../http/routing/route.ts'
import { hasEntityTag, hashQuery, writeEntityTag } from '../../../lists/entity-tag.ts'
import { ANY_BYTES } from '../../../lists/read-by-size.ts'
import { readCapabilities, requireCapabilities } from '../../shared/access/capabilities.ts'
import * as sql from './tests-sql.ts'

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
export async function respondWithTests(ctx: TestsContext, problemId: number, mostBytes: number) {
  const values = { problem_id: problemId, whole_tests_bytes: mostBytes, ...readCapabilities(ctx.request) }
  return respond(ctx, problemId, sql.readProblemTests, (bytes) =>
    bytes <= QUICK_BODY_BYTES
      ? ctx.db.queryQuickly(sql.readProblemTests, values)
      : ctx.db.query(sql.readProblemTests, values),
  )
}

/** Responds with a list of the test cases, or 304. Throws NOT_FOUND and WORKER_TOO_OLD. */
export async function respondWithManifest(ctx: TestsContext, problemId: number): Promise<RouteResponse> {
  const values = { problem_id: problemId, ...readCapabilities(ctx.request) }
  return respond(ctx, problemId, sql.readTestManifest, () =>
    ctx.db.queryQuickly(sql.readTestManifest, values),
  )
}

async function respond(
  { db, request }: TestsContext,
  problemId: number,
  { text }: Pick<ActorStatement, 'text'>,
  read: (bytes: number) => Promise<sql.TestsRow[]>,
): Promise<RouteResponse> {
  const values = { problem_id: problemId, ...readCapabilities(request) }
  const current = found(await db.queryQuickly(sql.readTestsVersion, values), 'problem')
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
export function respondWithTestCase(ctx: TestsContext, problem_id: number, test_case_id: string) {
  const values = { problem_id, test_case_id, ...readCapabilities(ctx.request) }
  const tag = [hashQuery(sql.readTestCase.text, [problem_id, test_case_id])]
  return respondBySize(ctx, tag, (query, most_bytes) => query(sql.readTestCase, { ...values, most_bytes }))
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
  // The tag is the version alone, which clients may read.
  const response = await respondBySize(ctx, [], (query, most_bytes) =>
    query(sql.readTestText, { ...values, most_bytes }),
  )
  return response.status === 304 ? response : { ...response, type: 'application/octet-stream' }
}

/** `tag` has the parts of the entity tag before the version. */
async function respondBySize(
  { db, request }: TestsContext,
  tag: readonly string[],
  read: (query: ActorDatabase['query'], mostBytes: number) => Promise<sql.TestCaseRow[]>,
): Promise<RouteResponse> {
  const query: ActorDatabase['query'] = (...asked) => db.query(...asked)
  const queryQuickly: ActorDatabase['query'] = (...asked) => db.queryQuickly(...asked)
  const known = request.headers['if-none-match']
  const start = await read(queryQuickly, known === undefined ? QUICK_BODY_BYTES : 0)
  const current = found(start, 'test case')
  requireCapabilities(current.missing_capabilities)
  const headers = { etag: writeEntityTag(...tag, current.version) }
  if (hasEntityTag(known, ...tag, current.version)) return { status: 304, headers }
  if (current.body !== null) return { ...ok(current.body), headers }
  const isQuick = current.bytes <= QUICK_BODY_BYTES
  const rows = await read(isQuick ? queryQuickly : query, ANY_BYTES)
  const { version, missing_capabilities, body } = found(rows, 'test case')
  requireCapabilities(missing_capabilities)
  if (body === null) throw new Error('a test case must have a body of any size')
  return { ...ok(body), headers: { etag: writeEntityTag(...tag, version) } }
}
