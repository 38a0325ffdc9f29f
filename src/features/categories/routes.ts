import Type from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../../config/config.ts'
import { isViolation } from '../../db/errors.ts'
import { AppError } from '../../http/routing/errors.ts'
import { answerList, created, found, noContent } from '../../http/routing/responses.ts'
import { defineRoute, type Route } from '../../http/routing/route.ts'
import { NoFields, PageQuery } from '../../http/routing/schema.ts'
import { categoryDocs } from '../../openapi/operations/categories.ts'
import { CategoryBody, CategoryPath, CategoryResponse, ProblemPath } from '../problems/schemas.ts'
import { createCategory, deleteCategory, listCategories, listProblemCategories } from '../problems/sql.ts'

/** The routes of the categories (specification, Problems and categories; D21). */
export function categoryRoutes({ config }: { readonly config: Pick<Config, 'sizes'> }): Route[] {
  return [
    defineRoute({
      method: 'GET',
      url: '/v1/categories',
      name: 'listCategories',
      summary: 'List the categories',
      docs: categoryDocs.listCategories,
      policy: 'user',
      limit: 'none',
      bodyLimit: 'body',
      isPolled: true,
      schema: {
        params: NoFields,
        query: PageQuery,
        body: undefined,
        answers: { 200: Type.Array(CategoryResponse) },
        refusals: [],
      },
      handler: (ctx) => answerList(ctx, listCategories, [], 'list'),
    }),
    defineRoute({
      method: 'GET',
      url: '/v1/categories/:problem_id',
      name: 'listProblemCategories',
      summary: 'List the categories of a problem',
      docs: categoryDocs.listProblemCategories,
      policy: 'user',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: ProblemPath,
        query: PageQuery,
        body: undefined,
        answers: { 200: Type.Array(CategoryResponse) },
        refusals: ['NOT_FOUND'],
      },
      handler: (ctx) => answerList(ctx, listProblemCategories, [ctx.params.problem_id], 'problem'),
    }),
    defineRoute({
      method: 'POST',
      url: '/v1/categories',
      name: 'createCategory',
      summary: 'Create a category',
      docs: categoryDocs.createCategory,
      policy: 'admin',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: NoFields,
        query: NoFields,
        body: CategoryBody(config.sizes),
        answers: { 201: CategoryResponse },
        refusals: ['CATEGORY_EXISTS'],
      },
      handler: async ({ db, body }) => {
        const rows = await db.query(createCategory, [uuidv7(), body.name.trim()]).catch(refuseDuplicate)
        return created(found(rows, 'category').body)
      },
    }),
    defineRoute({
      method: 'DELETE',
      url: '/v1/categories/:category_id',
      name: 'deleteCategory',
      summary: 'Delete a category; problems lose it',
      docs: categoryDocs.deleteCategory,
      policy: 'admin',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: CategoryPath,
        query: NoFields,
        body: undefined,
        answers: { 204: undefined },
        refusals: ['NOT_FOUND'],
      },
      handler: async ({ db, params }) => {
        found(await db.query(deleteCategory, [params.category_id]), 'category')
        return noContent
      },
    }),
  ]
}

function refuseDuplicate(err: unknown): never {
  if (isViolation(err, 'categories_name_key'))
    throw new AppError('CATEGORY_EXISTS', 'There is a category of this name')
  throw err
}
