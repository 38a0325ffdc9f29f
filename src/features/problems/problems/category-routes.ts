import { v7 as uuidv7 } from 'uuid'
import { created, found, noContentFor } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { defineListRoute } from '../../../lists/list-route.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import * as sql from './category-sql.ts'
import * as schemas from './schemas.ts'

/** The routes of the categories (specification, Problems and categories; D21). */
export function categoryRoutes({ config }: Pick<FeatureDependencies, 'config'>) {
  return [
    defineListRoute('listCategories', '/v1/categories', {
      policy: 'user',
      list: sql.listCategories,
      item: schemas.CategoryResponse,
    }),
    defineListRoute('listProblemCategories', '/v1/categories/:problem_id', {
      policy: 'user',
      list: sql.listProblemCategories,
      item: schemas.CategoryResponse,
    }),
    defineRoute('createCategory', 'POST /v1/categories', {
      policy: 'admin',
      body: schemas.CategoryBody(config.sizes),
      responses: { 201: schemas.CategoryResponse },
      refusals: ['CATEGORY_EXISTS'],
      handler: async ({ db, body }) => {
        const rows = await db.query(sql.createCategory, { id: uuidv7(), ...body })
        return created(found(rows, 'category').body)
      },
    }),
    defineRoute('deleteCategory', 'DELETE /v1/categories/:category_id', {
      policy: 'admin',
      responses: { 204: undefined },
      handler: ({ db, params }) =>
        db.transaction(async (tx) => {
          await tx.query(sql.lockCategories)
          return noContentFor(await tx.query(sql.deleteCategory, params), 'category')
        }),
    }),
  ]
}
