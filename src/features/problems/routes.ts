import Type, { type Static } from 'typebox'
import type { Config } from '../../config/config.ts'
import { isViolation } from '../../db/errors.ts'
import { newIds } from '../../db/ids.ts'
import { AppError } from '../../http/routing/errors.ts'
import { answerList, created, found, noContent, ok } from '../../http/routing/responses.ts'
import { defineRoute, type Route } from '../../http/routing/route.ts'
import { IntegerId, NoFields } from '../../http/routing/schema.ts'
import { problemDocs } from '../../openapi/operations/problems.ts'
import type { ProblemSearch } from '../../search/problem-search.ts'
import {
  ProblemListQuery,
  ProblemPath,
  ProblemResponse,
  ProblemSummaryResponse,
  ProblemTestsResponse,
  ProblemWrittenResponse,
  problemCreation,
  problemUpdate,
} from './schemas.ts'
import {
  createProblem,
  deleteProblem,
  listFoundProblems,
  listProblems,
  lockProblem,
  readProblem,
  replaceCategories,
  replaceTestCases,
  toggleVisibility,
  updateProblem,
} from './sql.ts'
import { answerTests } from './tests-answer.ts'

interface ProblemDependencies {
  readonly config: Pick<Config, 'sizes'>
  readonly search: ProblemSearch | undefined
}

/** The specification's Problems table, without its categories (D17 to D21). */
export function problemRoutes({ config, search }: ProblemDependencies): Route[] {
  return [...readingRoutes(search), ...writingRoutes(config.sizes)]
}

function readingRoutes(search: ProblemSearch | undefined): Route[] {
  return [
    defineRoute({
      method: 'GET',
      url: '/v1/problems',
      name: 'listProblems',
      summary: 'List the problems that the caller may see',
      docs: problemDocs.listProblems,
      policy: 'user',
      limit: 'none',
      bodyLimit: 'body',
      isPolled: true,
      schema: {
        params: NoFields,
        query: ProblemListQuery,
        body: undefined,
        answers: { 200: Type.Array(ProblemSummaryResponse) },
        refusals: [],
      },
      handler: async (ctx) => {
        const text = ctx.query.query?.trim()
        if (search === undefined || !text) return answerList(ctx, listProblems, [], 'list')
        return answerList(ctx, listFoundProblems, [await search.findProblems(ctx.db, text)], 'list')
      },
    }),
    defineRoute({
      method: 'GET',
      url: '/v1/problems/:problem_id',
      name: 'readProblem',
      summary: 'Read a problem with its test cases, the hidden ones blank',
      docs: problemDocs.readProblem,
      policy: 'user',
      limit: 'none',
      bodyLimit: 'body',
      pool: 'lists',
      schema: {
        params: ProblemPath,
        query: NoFields,
        body: undefined,
        answers: { 200: ProblemResponse },
        refusals: ['NOT_FOUND'],
      },
      handler: async ({ db, params }) =>
        ok(found(await db.ask(readProblem, [params.problem_id]), 'problem').body),
    }),
    defineRoute({
      method: 'GET',
      url: '/v1/problem_description/:id/tests',
      name: 'readProblemTests',
      summary: 'Read a problem’s limits and all its test cases',
      docs: problemDocs.readProblemTests,
      policy: 'judge or admin',
      limit: 'none',
      bodyLimit: 'body',
      pool: 'bulk',
      isPolled: true,
      schema: {
        params: Type.Object({ id: IntegerId() }),
        query: NoFields,
        body: undefined,
        answers: { 200: ProblemTestsResponse },
        refusals: ['NOT_FOUND'],
      },
      handler: (ctx) => answerTests(ctx, ctx.params.id),
    }),
  ]
}

function writingRoutes(sizes: Config['sizes']): Route[] {
  const creation = problemCreation(sizes)
  const update = problemUpdate(sizes)
  return [
    defineRoute({
      method: 'POST',
      url: '/v1/problems',
      name: 'createProblem',
      summary: 'Create a problem with its test cases',
      docs: problemDocs.createProblem,
      policy: 'admin',
      limit: 'none',
      bodyLimit: 'problem body',
      schema: {
        params: NoFields,
        query: NoFields,
        body: creation,
        answers: { 201: ProblemWrittenResponse },
        refusals: ['NOT_FOUND'],
      },
      handler: async ({ db, actor, body }) => {
        const rows = await db
          .query(createProblem, creationValues(body, actor.id))
          .catch(refuseUnknownCategory)
        return created(found(rows, 'user').body)
      },
    }),
    defineRoute({
      method: 'PUT',
      url: '/v1/problems/:problem_id',
      name: 'updateProblem',
      summary: 'Change any of a problem’s fields, its test cases as a whole',
      docs: problemDocs.updateProblem,
      policy: 'admin',
      limit: 'none',
      bodyLimit: 'problem body',
      schema: {
        params: ProblemPath,
        query: NoFields,
        body: update,
        answers: { 200: ProblemWrittenResponse },
        refusals: ['NOT_FOUND'],
      },
      handler: async ({ db, params: { problem_id }, body }) => {
        refuseRepeatedIds(body.test_cases ?? [])
        const written = await db
          .transaction(async (tx) => {
            found(await tx.query(lockProblem, [problem_id]), 'problem')
            const [row] = await tx.query(updateProblem, updateValues(body, problem_id))
            if (body.category_ids) await tx.query(replaceCategories, [problem_id, body.category_ids])
            if (body.test_cases) await tx.query(replaceTestCases, [problem_id, ...sentCases(body.test_cases)])
            return found(row ? [row] : [], 'user')
          })
          .catch(refuseUnknownCategory)
        return ok(written.body)
      },
    }),
    defineRoute({
      method: 'DELETE',
      url: '/v1/problems/:problem_description_id',
      name: 'deleteProblem',
      summary: 'Delete a problem; its submissions stay',
      docs: problemDocs.deleteProblem,
      policy: 'admin',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: Type.Object({ problem_description_id: IntegerId() }),
        query: NoFields,
        body: undefined,
        answers: { 204: undefined },
        refusals: ['NOT_FOUND'],
      },
      handler: async ({ db, params }) => {
        found(await db.query(deleteProblem, [params.problem_description_id]), 'problem')
        return noContent
      },
    }),
    defineRoute({
      method: 'PUT',
      url: '/v1/admin/problems/:problem_id/toggle-visibility',
      name: 'toggleProblemVisibility',
      summary: 'Make a public problem private, or a private one public',
      docs: problemDocs.toggleProblemVisibility,
      policy: 'admin',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: ProblemPath,
        query: NoFields,
        body: undefined,
        answers: { 200: ProblemSummaryResponse },
        refusals: ['NOT_FOUND'],
      },
      handler: async ({ db, params }) =>
        ok(found(await db.query(toggleVisibility, [params.problem_id]), 'problem').body),
    }),
  ]
}

type Creation = Static<ReturnType<typeof problemCreation>>
type Update = Static<ReturnType<typeof problemUpdate>>
type TestCases = Creation['test_cases']

function creationValues(body: Creation, actorId: string) {
  const {
    timeout = null,
    accept_timeout = timeout ?? 10,
    execution_timeout = timeout ?? 5,
    memory_limit = 256,
  } = body
  const cases = body.test_cases
  return [
    body.user_id ?? actorId,
    body.title.trim(),
    body.identifier.trim(),
    body.prompt,
    body.source ?? '',
    body.difficulty,
    body.public ?? false,
    timeout,
    accept_timeout,
    execution_timeout,
    memory_limit,
    body.category_ids ?? [],
    newIds(cases.length),
    ...caseTexts(cases),
  ]
}

function updateValues(body: Update, problemId: number) {
  return [
    problemId,
    body.title?.trim() ?? null,
    body.identifier?.trim() ?? null,
    body.prompt ?? null,
    body.source ?? null,
    body.difficulty ?? null,
    body.public ?? null,
    body.timeout ?? null,
    body.accept_timeout ?? body.timeout ?? null,
    body.execution_timeout ?? body.timeout ?? null,
    body.memory_limit ?? null,
    body.user_id ?? null,
  ]
}

const sentCases = (cases: TestCases) => [
  cases.map(({ id }) => id ?? null),
  newIds(cases.length),
  ...caseTexts(cases),
]

const caseTexts = (cases: TestCases) => [
  cases.map(({ input }) => input),
  cases.map(({ expected_output }) => expected_output),
  cases.map(({ hidden }) => hidden ?? false),
]

function refuseRepeatedIds(cases: TestCases): void {
  const ids = cases.flatMap(({ id }) => (id === undefined ? [] : [id.toLowerCase()]))
  if (new Set(ids).size < ids.length) throw new AppError('VALIDATION', 'test_cases must name each id once')
}

function refuseUnknownCategory(err: unknown): never {
  if (isViolation(err, 'problem_categories_category_id_fkey'))
    throw new AppError('NOT_FOUND', 'There is no such category')
  throw err
}
