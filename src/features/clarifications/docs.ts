import type { RouteDocs } from '../../http/route-docs.ts'

/** Words and examples for the OpenAPI document. */
export const clarificationDocs = {
  listQuestions: { description: '', example: {} },
  askQuestion: { description: '', example: {} },
  answerQuestion: { description: '', example: {} },
} satisfies Record<string, RouteDocs>
