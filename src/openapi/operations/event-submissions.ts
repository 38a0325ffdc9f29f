import type { eventSubmissionRoutes } from '../../features/judging/submissions/contest-routes.ts'
import {
  acceptedSubmission,
  listSubmission,
  pendingSubmission,
  wrongSubmission,
} from '../examples/example-submissions.ts'
import { nightOwls, practiceLeague } from '../examples/example-world-contest.ts'
import type { Operations } from '../operation-docs.ts'

const { source_code, stdout, stderr, ...redacted } = listSubmission(acceptedSubmission)

export const eventSubmissionOperations: Operations<ReturnType<typeof eventSubmissionRoutes>[number]> = {
  listEventSubmissions: {
    summary: 'List the submissions of an event, of one user or of one team in it',
    description: `Newest first. Without a filter: for the event's owner, judges and admins.
\`user\`: for that user and admins. \`team\`: for the team's members, judges and admins, in an event
with teams (else 400). Other callers get 403; both filters together get 400.

Submissions of other users have no \`source_code\`, \`stdout\` and \`stderr\`, for callers of any
role. Admins and judges read these fields from \`GET /v1/submissions/{submission_id}\`.

During a freeze, submissions since then are \`PENDING\` here, also for their authors, except for staff
and judges. Authors read their verdicts in \`GET /v1/user_submissions/{user_id}\` and in the submission.`,
    example: {
      params: { event_id: practiceLeague.id },
      query: { team: nightOwls.id },
      response: [listSubmission(pendingSubmission), redacted, listSubmission(wrongSubmission)],
    },
  },
}
