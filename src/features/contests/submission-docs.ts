import type { RouteDocs } from '../../http/route-docs.ts'

/** Words and examples for the OpenAPI document. */
export const eventSubmissionDocs = {
  listEventSubmissions: { description: '', example: {} },
} satisfies Record<string, RouteDocs>
