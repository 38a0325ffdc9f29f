import type { RouteDocs } from '../../http/route-docs.ts'

/** Words and examples for the OpenAPI document. */
export const categoryDocs = {
  listCategories: { description: '', example: {} },
  listProblemCategories: { description: '', example: {} },
  createCategory: { description: '', example: {} },
  deleteCategory: { description: '', example: {} },
} satisfies Record<string, RouteDocs>
