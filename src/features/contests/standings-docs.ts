import type { RouteDocs } from '../../http/route-docs.ts'

/** Words and examples for the OpenAPI document. */
export const standingsDocs = {
  listAttempts: { description: '', example: {} },
  listProblemStatuses: { description: '', example: {} },
  listProblemStats: { description: '', example: {} },
} satisfies Record<string, RouteDocs>
