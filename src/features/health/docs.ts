import type { RouteDocs } from '../../http/route-docs.ts'

/** Words and examples for the OpenAPI document. */
export const healthDocs = {
  describeService: { description: '', example: {} },
  checkHealth: { description: '', example: {} },
  checkHealthy: { description: '', example: {} },
  checkReadiness: { description: '', example: {} },
} satisfies Record<string, RouteDocs>
