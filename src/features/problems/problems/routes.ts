import type { Config } from '../../../config/config.ts'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { created, found, noContentFor, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { choose, defineChoiceRoute } from '../../../lists/list-route.ts'
import { type ReadingBySize, readBySize } from '../../../lists/read-by-size.ts'
import { readCapabilities, requireCapabilities } from '../../shared/access/capabilities.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { checkCaseNumbers, checkJudgingOptions, findNamedCases } from './judging-rules.ts'
import {
  creationValues,
  type ProblemUpdate,
  refuseRepeatedIds,
  testCaseValues,
  updateValues,
} from './rules.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'
import { testCaseRoutes, writeLocked } from './test-case-routes.ts'
import { respondWithTests, testsInParts, wholeTestsBytes } from './tests-response.ts'
import { findNumberedCases } from './tests-sql.ts'

type ProblemDependencies = Pick<FeatureDependencies, 'config' | 'languages'>

/** The specification's Problems table, without its categories (D17 to D21). */
export function problemRoutes({ config, languages }: ProblemDependencies) {
  const { sizes } = config
  return [
    ...readingRoutes(config),
    ...writingRoutes(sizes, languages),
    ...adminRoutes(),
    ...testCaseRoutes(sizes),
  ]
}

function readingRoutes({ searchBackend, sizes }: Config) {
  const whole_tests_bytes = wholeTestsBytes(sizes)
  return [
    defineChoiceRoute('listProblems', '/v1/problems', {
      policy: 'user',
      lists: [sql.listProblems, sql.listFoundProblems],
      item: schemas.ProblemSummaryResponse,
      query: schemas.ProblemListQuery,
      choose: async ({ query }) => {
        const text = query.query?.trim()
        if (searchBackend === undefined || !text) return choose(sql.listProblems, {})
        return choose(sql.listFoundProblems, { text })
      },
    }),
    defineRoute('readProblem', 'GET /v1/problems/:problem_id', {
      policy: 'user',
      pool: 'lists',
      needsCapabilities: true,
      responses: { 200: schemas.FullProblemResponse },
      refusals: ['TESTS_TOO_LARGE'],
      handler: async ({ db, request, actor, params }) => {
        const values = { ...params, ...readCapabilities(request), whole_tests_bytes }
        const key = `problem ${params.problem_id} for role ${actor.role}`
        const read = async ({ query, isShort, ...reading }: ReadingBySize) => {
          const statement = isShort ? sql.readProblem : sql.readLongProblem
          const problem = found(await query(statement, { ...values, ...reading }), 'problem')
          requireCapabilities(problem.missing_capabilities)
          if (problem.needs_parts) throw testsInParts(params.problem_id)
          return { ...problem, body: problem.body && withOptions(problem.body, problem.options) }
        }
        return ok(await readBySize({ db, request, key }, read))
      },
    }),
    defineRoute('readProblemTests', 'GET /v1/problem_description/:id/tests', {
      policy: 'judge or admin',
      pool: 'bulk',
      needsCapabilities: true,
      hasEntityTag: true,
      params: schemas.TestsPath,
      responses: { 200: schemas.ProblemTestsResponse },
      refusals: ['TESTS_TOO_LARGE'],
      handler: (ctx) => respondWithTests(ctx, ctx.params.id, whole_tests_bytes),
    }),
  ]
}

/** Appends the fields of one JSON object to the fields of another object. */
const withOptions = (problem: string, options: string | null) =>
  options === null ? problem : `${problem.slice(0, -1)}, ${options.slice(1)}`

function writingRoutes(sizes: Config['sizes'], languages: FeatureDependencies['languages']) {
  const largeBodyAdvice = `send at most ${sizes.problemBodyBytes} bytes, and further test cases to POST /v1/problems/{problem_id}/test_cases`
  return [
    defineRoute('createProblem', 'POST /v1/problems', {
      policy: 'admin',
      bodyLimit: 'problem body',
      largeBodyAdvice,
      body: schemas.problemCreation(sizes),
      responses: { 201: schemas.ProblemWrittenResponse },
      refusals: ['NOT_FOUND'],
      handler: async ({ db, actor, body }) => {
        checkJudgingOptions(body, languages)
        checkCaseNumbers(findNamedCases(body), body.test_cases.length)
        const rows = await db.query(sql.createProblem, creationValues(body, actor.id))
        return created(found(rows, 'user').body)
      },
    }),
    defineRoute('updateProblem', 'PUT /v1/problems/:problem_id', {
      policy: 'admin',
      bodyLimit: 'problem body',
      largeBodyAdvice,
      body: schemas.problemUpdate(sizes),
      responses: { 200: schemas.ProblemWrittenResponse },
      handler: async ({ db, params, body }) => {
        checkJudgingOptions(body, languages)
        return ok((await writeUpdate(db, params.problem_id, body)).body)
      },
    }),
  ]
}

function adminRoutes() {
  return [
    defineRoute('deleteProblem', 'DELETE /v1/problems/:problem_description_id', {
      policy: 'admin',
      responses: { 204: undefined },
      handler: async ({ db, params: { problem_description_id: problem_id } }) =>
        noContentFor(await db.query(sql.deleteProblem, { problem_id }), 'problem'),
    }),
    defineRoute('toggleProblemVisibility', 'PUT /v1/admin/problems/:problem_id/toggle-visibility', {
      policy: 'admin',
      responses: { 200: schemas.ProblemSummaryResponse },
      handler: async ({ db, params }) =>
        ok(found(await db.query(sql.toggleVisibility, params), 'problem').body),
    }),
  ]
}

/**
 * Throws NOT_FOUND for an unknown problem, author or category, VALIDATION for repeated ids and for
 * options that name test cases that the problem does not have then.
 */
async function writeUpdate(db: ActorDatabase, problem_id: number, body: ProblemUpdate) {
  const { category_ids, test_cases, test_groups, validation } = body
  refuseRepeatedIds(test_cases ?? [])
  return writeLocked(db, problem_id, async (tx) => {
    const rows = await tx.query(sql.updateProblem, { ...updateValues(body), problem_id })
    if (category_ids) await tx.query(sql.replaceCategories, { problem_id, category_ids })
    if (test_cases) {
      const sent_ids = test_cases.map(({ id }) => id ?? null)
      await tx.query(sql.replaceTestCases, { problem_id, sent_ids, ...testCaseValues(test_cases) })
    }
    if (test_cases || test_groups || validation) {
      const { cases, ...named } = found(await tx.query(findNumberedCases, { problem_id }), 'problem')
      checkCaseNumbers(named, cases)
    }
    return found(rows, 'user')
  })
}
