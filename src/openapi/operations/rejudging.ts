import type { rejudgeRoutes } from '../../features/rejudging/routes.ts'
import { sumOfTwo } from '../examples/example-world.ts'
import { practiceLeague } from '../examples/example-world-contest.ts'
import type { Operations } from '../operation-docs.ts'

export const rejudgeOperations: Operations<ReturnType<typeof rejudgeRoutes>[number]> = {
  rejudge: {
    summary: 'Judge submissions again',
    description: `For admins. Queues the submissions that match all of the given ids again, each as
a new judging, and responds with their number. They are \`PENDING\` at once, and the standings of
their events follow. A verdict of an earlier judging is no longer stored. The earlier verdicts are
kept: see \`GET /v1/submissions/{submission_id}/verdicts\`. At least one id is required. Submissions
to deleted problems stay as they are. Many submissions are queued in batches: an interrupted request
has queued some of them, and can be repeated.`,
    example: { body: { problem_id: sumOfTwo.id, event_id: practiceLeague.id }, response: { count: 3 } },
  },
}
