import type { standingsRoutes } from '../../features/standings/routes.ts'
import { sumOfTwo, ulla, viktor } from '../examples/example-world.ts'
import { acceptedSubmission, pendingSubmission, practiceLeague } from '../examples/example-world-contest.ts'
import type { Operations } from '../operation-docs.ts'

const event_id = practiceLeague.id
const problem_id = sumOfTwo.id

export const standingsOperations: Operations<ReturnType<typeof standingsRoutes>[number]> = {
  listAttempts: {
    summary: 'List the attempts of everybody on every problem',
    description: `What a page of standings is made from: one item a user and problem that they tried, by user and problem. \`attempts\` counts what affects the score: judged
submissions up to and including the first accepted one, without \`COMPILE_TIME_ERROR\` and \`INTERNAL_ERROR\`. \`first_accepted_time\` and
\`minutes_to_solve\` are there once the problem is solved. Names are in \`GET /v1/public/events/{event_id}/participants\`; standings are by user also where
there are teams. Reading it is cheap: it reads no submission.`,
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
    description:
      'One item for each problem of the event that the caller has tried: an accepted submission where there is one, else the latest, which may be `PENDING`. Problems not tried are not there.',
    example: {
      params: { event_id },
      response: [
        { problem_id, status: pendingSubmission.status, submit_time: pendingSubmission.submit_time },
      ],
    },
  },
  listProblemStats: {
    summary: 'List how many people tried and solved each problem',
    description:
      'One item for each problem of the event that the caller may know of, also one that nobody has tried. The counts are of people, not of submissions; somebody whose submission still waits has tried.',
    example: { params: { event_id }, response: [{ problem_id, accepted_count: 1, attempted_count: 2 }] },
  },
}
