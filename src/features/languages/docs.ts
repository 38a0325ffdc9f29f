import type { RouteDocs } from '../../http/route-docs.ts'

/** Words and examples for the OpenAPI document. */
export const languageDocs = {
  listLanguages: { description: '', example: {} },
  createLanguage: { description: '', example: {} },
  deleteLanguage: { description: '', example: {} },
} satisfies Record<string, RouteDocs>
