import type { RouteDocs } from '../../http/route-docs.ts'

/** Words and examples for the OpenAPI document. */
export const eventProblemDocs = {
  listEventProblems: { description: '', example: {} },
  readEventProblem: { description: '', example: {} },
  addEventProblem: { description: '', example: {} },
} satisfies Record<string, RouteDocs>
