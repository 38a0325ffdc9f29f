import Type from 'typebox'
import type { Config } from '../../../config/config.ts'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { created, found, noContent, noContentFor } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { FileContent, Uuid } from '../../../http/routing/schema.ts'
import { testCaseValues } from './rules.ts'
import * as schemas from './schemas.ts'
import { lockProblem } from './sql.ts'
import { respondWithManifest, respondWithTestCase, respondWithTestText } from './tests-response.ts'
import { appendTestCases, deleteTestCase, updateTestCase } from './tests-sql.ts'

const servedCase = {
  policy: 'judge or admin',
  pool: 'bulk',
  needsCapabilities: true,
  hasEntityTag: true,
  params: Type.Object({ ...schemas.TestsPath.properties, test_case_id: Uuid() }),
} as const

/** The test cases of a problem one by one: tests that are too large for one request or response. */
export function testCaseRoutes({ problemBodyBytes }: Config['sizes']) {
  const largeBodyAdvice = `send at most ${problemBodyBytes} bytes, and the other test cases in further requests`
  return [
    defineRoute('readTestManifest', 'GET /v1/problem_description/:id/test_cases', {
      policy: 'judge or admin',
      needsCapabilities: true,
      hasEntityTag: true,
      params: schemas.TestsPath,
      responses: { 200: schemas.TestManifestResponse },
      handler: (ctx) => respondWithManifest(ctx, ctx.params.id),
    }),
    defineRoute('readTestCase', 'GET /v1/problem_description/:id/test_cases/:test_case_id', {
      ...servedCase,
      responses: { 200: schemas.VersionedTestCaseResponse },
      handler: ({ params: { id, test_case_id }, ...ctx }) => respondWithTestCase(ctx, id, test_case_id),
    }),
    textRoute('input', 'readTestInput'),
    textRoute('answer', 'readTestAnswer'),
    defineRoute('appendTestCases', 'POST /v1/problems/:problem_id/test_cases', {
      policy: 'admin',
      bodyLimit: 'problem body',
      largeBodyAdvice,
      body: schemas.TestCasesBody,
      responses: { 201: schemas.TestCasesAddedResponse },
      handler: async ({ db, params, body: { test_cases } }) => {
        const values = { ...params, ...testCaseValues(test_cases) }
        const rows = await writeLocked(db, params.problem_id, (tx) => tx.query(appendTestCases, values))
        return created(found(rows, 'problem').body)
      },
    }),
    defineRoute('updateTestCase', 'PUT /v1/problems/:problem_id/test_cases/:test_case_id', {
      policy: 'admin',
      // The database compares the old texts with the new ones.
      pool: 'bulk',
      bodyLimit: 'problem body',
      largeBodyAdvice: `send at most ${problemBodyBytes} bytes: the input and the expected output one after the other`,
      body: schemas.TestCaseUpdateBody,
      responses: { 204: undefined },
      handler: async ({ db, params, body }) => {
        const values = { ...params, ...body }
        const rows = await writeLocked(db, params.problem_id, (tx) => tx.query(updateTestCase, values))
        return noContentFor(rows, 'test case')
      },
    }),
    defineRoute('deleteTestCase', 'DELETE /v1/problems/:problem_id/test_cases/:test_case_id', {
      policy: 'admin',
      responses: { 204: undefined },
      handler: async ({ db, params }) => {
        const rows = await writeLocked(db, params.problem_id, (tx) => tx.query(deleteTestCase, params))
        const { is_only, named_in } = found(rows, 'test case')
        if (is_only) throw new AppError('VALIDATION', 'A problem must keep at least one test case')
        if (named_in !== null) throw new AppError('VALIDATION', keepsTestCases(named_in))
        return noContent
      },
    }),
  ]
}

const keepsTestCases = (field: string) =>
  `A problem with ${field} keeps its test cases, because the field names their numbers: remove it first`

const textRoute = <Name extends string>(which: 'input' | 'answer', name: Name) =>
  defineRoute(name, `GET /v1/problem_description/:id/test_cases/:test_case_id/${which}`, {
    ...servedCase,
    responses: { 200: FileContent('application/octet-stream') },
    handler: ({ params: { id, test_case_id }, ...ctx }) => respondWithTestText(ctx, which, id, test_case_id),
  })

/** One write of a problem after the other. Throws NOT_FOUND for an unknown problem. */
export function writeLocked<T>(
  db: ActorDatabase,
  problem_id: number,
  write: (tx: ActorDatabase) => Promise<T>,
) {
  return db.transaction(async (tx) => {
    found(await tx.query(lockProblem, { problem_id }), 'problem')
    return write(tx)
  })
}
