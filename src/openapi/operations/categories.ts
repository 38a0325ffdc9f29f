import type { categoryRoutes } from '../../features/problems/problems/category-routes.ts'
import { implementation, mathematics, sumOfTwo } from '../examples/example-world.ts'
import type { Operations } from '../operation-docs.ts'

const numberTheory = { name: 'Number Theory' }

export const categoryOperations: Operations<ReturnType<typeof categoryRoutes>[number]> = {
  listCategories: {
    summary: 'List the categories',
    description: `All categories by name; the usual ones exist from the start. \`category_ids\` of a
problem has their ids.`,
    example: { response: [implementation, mathematics] },
  },
  listProblemCategories: {
    summary: 'List the categories of a problem',
    description: 'The categories of one problem by name; 404 for users who may not see the problem.',
    example: { params: { problem_id: sumOfTwo.id }, response: [implementation, mathematics] },
  },
  createCategory: {
    summary: 'Create a category',
    description: 'For admins. A name that exists, in upper or lower case, gets 409 `CATEGORY_EXISTS`.',
    example: {
      body: numberTheory,
      response: { id: '019bb194-87e0-7748-9eee-15e1f6810909', ...numberTheory },
    },
  },
  deleteCategory: {
    summary: 'Delete a category; problems lose it',
    description: 'For admins. The problems stay, without this category.',
    example: { params: { category_id: mathematics.id } },
  },
}
