import type { RouteDocs } from '../../http/route-docs.ts'

/** Words and examples for the OpenAPI document. */
export const submissionDocs = {
  createSubmission: { description: '', example: {} },
  readSubmission: { description: '', example: {} },
  readSubmissionStatus: { description: '', example: {} },
  storeVerdict: { description: '', example: {} },
  listVerdicts: {
    description: `The verdict that stands, and before it those that a later one or a rejudging replaced, newest first. Of a pending submission, what it was
judged before. Who may read the submission may read this; anybody else is answered 401. \`judged_at\` is absent for verdicts from before the service kept it.`,
    example: {},
  },
  listUserSubmissions: { description: '', example: {} },
  listUserProblemSubmissions: { description: '', example: {} },
} satisfies Record<string, RouteDocs>
