import type { RouteDocs } from '../../http/route-docs.ts'

/** Words and examples for the OpenAPI document. */
export const submissionDocs = {
  createSubmission: { description: '', example: {} },
  readSubmission: { description: '', example: {} },
  readSubmissionStatus: { description: '', example: {} },
  storeVerdict: { description: '', example: {} },
  listUserSubmissions: { description: '', example: {} },
  listUserProblemSubmissions: { description: '', example: {} },
} satisfies Record<string, RouteDocs>
