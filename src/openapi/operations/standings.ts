import type { standingsRoutes } from '../../features/standings/routes.ts'
import { sumOfTwo, ulla, viktor } from '../examples/example-world.ts'
import { acceptedSubmission, pendingSubmission, practiceLeague } from '../examples/example-world-contest.ts'
import type { Operations } from '../operation-docs.ts'

const event_id = practiceLeague.id
const problem_id = sumOfTwo.id

export const standingsOperations: Operations<ReturnType<typeof standingsRoutes>[number]> = {
  listAttempts: {
    summary: 'List all attempts, by user and problem',
    description: `The data for a page of standings: one item for each user and problem that they
tried, by user and problem. \`attempts\` counts the submissions that affect the score: judged ones
up to and including the first accepted one, without \`COMPILE_TIME_ERROR\` and \`INTERNAL_ERROR\`.
\`first_accepted_time\` and \`minutes_to_solve\` are present once the problem is solved.
\`GET /v1/public/events/{event_id}/participants\` has the names. Standings are by user, in events
with teams too. The request is cheap: it reads no submission.`,
    example: {
      params: { event_id },
      response: [
        { user_id: ulla.id, problem_id, attempts: 1, total_attempts: 2 },
        {
          user_id: viktor.id,
          problem_id,
          attempts: 1,
          total_attempts: 1,
          first_accepted_time: acceptedSubmission.submit_time,
          minutes_to_solve: 20,
        },
      ],
    },
  },
  listProblemStatuses: {
    summary: 'List the caller’s own status, problem by problem',
    description: `One item for each problem of the event that the caller has tried: an accepted
submission if there is one, else the latest one, which may be \`PENDING\`. Other problems are not in
the list.`,
    example: {
      params: { event_id },
      response: [
        { problem_id, status: pendingSubmission.status, submit_time: pendingSubmission.submit_time },
      ],
    },
  },
  listProblemStats: {
    summary: 'List how many people tried and solved each problem',
    description: `One item for each problem of the event that the caller may know of, including
problems without attempts. The counts are of people, not of submissions. A person whose submission
is still pending counts as having tried.`,
    example: { params: { event_id }, response: [{ problem_id, accepted_count: 1, attempted_count: 2 }] },
  },
}
