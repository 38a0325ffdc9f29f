import type { RouteDocs } from '../../http/route-docs.ts'

/** Words and examples for the OpenAPI document. */
export const problemDocs = {
  listProblems: { description: '', example: {} },
  readProblem: { description: '', example: {} },
  readProblemTests: { description: '', example: {} },
  createProblem: { description: '', example: {} },
  updateProblem: { description: '', example: {} },
  deleteProblem: { description: '', example: {} },
  toggleProblemVisibility: { description: '', example: {} },
} satisfies Record<string, RouteDocs>
