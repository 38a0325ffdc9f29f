import Type from 'typebox'
import type { Config } from '../../config/config.ts'
import type { ActorDatabase } from '../../http/routing/actor.ts'
import { created, found, noContent, ok } from '../../http/routing/responses.ts'
import { defineRoute } from '../../http/routing/route.ts'
import { IntegerId } from '../../http/routing/schema.ts'
import { choose, defineChoiceRoute } from '../../lists/list-route.ts'
import { readBySize } from '../../lists/read-by-size.ts'
import type { FeatureDependencies } from '../dependencies.ts'
import {
  creationValues,
  type ProblemUpdate,
  refuseRepeatedIds,
  testCaseValues,
  updateValues,
} from './rules.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'
import { respondWithTests } from './tests-response.ts'

type ProblemDependencies = Pick<FeatureDependencies, 'config'>

/** The specification's Problems table, without its categories (D17 to D21). */
export function problemRoutes({ config }: ProblemDependencies) {
  return [...readingRoutes(config.searchBackend), ...writingRoutes(config.sizes)]
}

function readingRoutes(searchBackend: Config['searchBackend']) {
  return [
    defineChoiceRoute({
      url: '/v1/problems',
      name: 'listProblems',
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
    defineRoute({
      method: 'GET',
      url: '/v1/problems/:problem_id',
      name: 'readProblem',
      policy: 'user',
      pool: 'lists',
      params: schemas.ProblemPath,
      responses: { 200: schemas.ProblemResponse },
      handler: async ({ db, request, params }) => {
        const read = (query: typeof db.query, most_bytes: number) =>
          query(sql.readProblem, { ...params, most_bytes }).then((rows) => found(rows, 'problem').body)
        return ok(await readBySize({ db, request }, read))
      },
    }),
    defineRoute({
      method: 'GET',
      url: '/v1/problem_description/:id/tests',
      name: 'readProblemTests',
      policy: 'judge or admin',
      pool: 'bulk',
      hasEntityTag: true,
      params: Type.Object({ id: IntegerId() }),
      responses: { 200: schemas.ProblemTestsResponse },
      handler: (ctx) => respondWithTests(ctx, ctx.params.id),
    }),
  ]
}

function writingRoutes(sizes: Config['sizes']) {
  return [
    defineRoute({
      method: 'POST',
      url: '/v1/problems',
      name: 'createProblem',
      policy: 'admin',
      bodyLimit: 'problem body',
      body: schemas.problemCreation(sizes),
      responses: { 201: schemas.ProblemWrittenResponse },
      refusals: ['NOT_FOUND'],
      handler: async ({ db, actor, body }) => {
        const rows = await db.query(sql.createProblem, creationValues(body, actor.id))
        return created(found(rows, 'user').body)
      },
    }),
    defineRoute({
      method: 'PUT',
      url: '/v1/problems/:problem_id',
      name: 'updateProblem',
      policy: 'admin',
      bodyLimit: 'problem body',
      params: schemas.ProblemPath,
      body: schemas.problemUpdate(sizes),
      responses: { 200: schemas.ProblemWrittenResponse },
      handler: async ({ db, params, body }) => ok((await writeUpdate(db, params.problem_id, body)).body),
    }),
    defineRoute({
      method: 'DELETE',
      url: '/v1/problems/:problem_description_id',
      name: 'deleteProblem',
      policy: 'admin',
      params: Type.Object({ problem_description_id: IntegerId() }),
      responses: { 204: undefined },
      handler: async ({ db, params: { problem_description_id: problem_id } }) => {
        found(await db.query(sql.deleteProblem, { problem_id }), 'problem')
        return noContent
      },
    }),
    defineRoute({
      method: 'PUT',
      url: '/v1/admin/problems/:problem_id/toggle-visibility',
      name: 'toggleProblemVisibility',
      policy: 'admin',
      params: schemas.ProblemPath,
      responses: { 200: schemas.ProblemSummaryResponse },
      handler: async ({ db, params }) =>
        ok(found(await db.query(sql.toggleVisibility, params), 'problem').body),
    }),
  ]
}

/** Throws NOT_FOUND for an unknown problem, author or category, VALIDATION for repeated ids. */
async function writeUpdate(db: ActorDatabase, problem_id: number, body: ProblemUpdate) {
  const { category_ids, test_cases } = body
  refuseRepeatedIds(test_cases ?? [])
  return db.transaction(async (tx) => {
    found(await tx.query(sql.lockProblem, { problem_id }), 'problem')
    const rows = await tx.query(sql.updateProblem, { ...updateValues(body), problem_id })
    if (category_ids) await tx.query(sql.replaceCategories, { problem_id, category_ids })
    if (test_cases) {
      const sent_ids = test_cases.map(({ id }) => id ?? null)
      await tx.query(sql.replaceTestCases, { problem_id, sent_ids, ...testCaseValues(test_cases) })
    }
    return found(rows, 'user')
  })
}
