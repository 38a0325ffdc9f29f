import Type from 'typebox'
import { ResponseObject, Uuid } from '../../../http/routing/schema.ts'
import { PageQuery } from '../../../lists/page.ts'
import { SubmissionListedResponse } from './schemas.ts'

/** At most one of the two filters (specification, Submission filter rules). */
export const EventSubmissionsQuery = Type.Object({
  ...PageQuery.properties,
  user: Type.Optional(Uuid({ description: 'Only submissions of this user.' })),
  team: Type.Optional(Uuid({ description: 'Only submissions of members of this team.' })),
})

const { source_code, stdout, stderr, memory_used, score, max_score, ...redacted } =
  SubmissionListedResponse.properties

/** Submissions of other users have no program, outputs, memory and score (D28). */
export const EventSubmissionResponse = Type.Union(
  [SubmissionListedResponse, ResponseObject(redacted, { title: 'RedactedSubmission' })],
  { title: 'EventSubmission' },
)
