import { implementation, mathematics, sumOfTwo } from '../examples/example-world.ts'
import type { RouteDocs } from '../route-docs.ts'

const numberTheory = { name: 'Number Theory' }

/** Words and examples for the OpenAPI document. */
export const categoryDocs = {
  listCategories: {
    description:
      'All categories, sorted by name; a usual set is there from the start. Their ids are what a problem names in `category_ids`.',
    example: { answer: [implementation, mathematics] },
  },
  listProblemCategories: {
    description:
      'The categories of one problem, sorted by name; 404 where the caller may not see the problem.',
    example: { params: { problem_id: sumOfTwo.id }, answer: [implementation, mathematics] },
  },
  createCategory: {
    description: 'For admins. A name that is taken, whatever its case, is 409 `CATEGORY_EXISTS`.',
    example: { body: numberTheory, answer: { id: '019bb194-87e0-7748-9eee-15e1f6810909', ...numberTheory } },
  },
  deleteCategory: {
    description: 'For admins. The problems stay, without this category.',
    example: { params: { category_id: mathematics.id } },
  },
} satisfies Record<string, RouteDocs>
