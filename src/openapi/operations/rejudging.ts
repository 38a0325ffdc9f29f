import { sumOfTwo } from '../examples/example-world.ts'
import { practiceLeague } from '../examples/example-world-contest.ts'
import type { RouteDocs } from '../route-docs.ts'

/** Words and examples for the OpenAPI document. */
export const rejudgeDocs = {
  rejudge: {
    description: `Queues the submissions that fit all of the given ids again, each as a new attempt, and answers how many they are. They are \`PENDING\` at
once, and the standings of their events follow; a verdict of an attempt before that is not stored any more. What they were judged before is kept:
see \`GET /v1/submissions/{submission_id}/verdicts\`. At least one id is required. Submissions to deleted problems are left alone. Many submissions are done
in batches: a request that breaks off has done some of them, and may be sent again.`,
    example: { body: { problem_id: sumOfTwo.id, event_id: practiceLeague.id }, answer: { count: 3 } },
  },
} satisfies Record<string, RouteDocs>
