import type { rejudgeRoutes } from '../../features/judging/immediate-rejudging/routes.ts'
import { leagueRejudging } from '../examples/example-rejudging.ts'
import { sumOfTwo } from '../examples/example-world.ts'
import { practiceLeague } from '../examples/example-world-contest.ts'
import type { Operations } from '../operation-docs.ts'

export const rejudgeOperations: Operations<ReturnType<typeof rejudgeRoutes>[number]> = {
  rejudge: {
    summary: 'Judge submissions again',
    description: `For admins. Queues the submissions that match all of the given ids again, each as
a new judging. At least one id is required. A queued submission is \`PENDING\`, and the standings of
its event follow. A verdict of an earlier judging is no longer stored. The earlier verdicts are
kept: see \`GET /v1/submissions/{submission_id}/verdicts\`. Submissions that wait for a verdict are
skipped. Submissions to deleted problems do not match. The response is 200 if all submissions are
queued. A long rejudging gets 202 and continues in the background, also after a restart; poll the
address in \`Location\`. While it continues, the same request gets the same rejudging.`,
    example: {
      body: { problem_id: sumOfTwo.id, event_id: practiceLeague.id },
      response: leagueRejudging,
    },
  },
  listRejudgings: {
    summary: 'List the rejudgings',
    description: 'For admins. The newest first.',
    example: { response: [leagueRejudging] },
  },
  readRejudging: {
    summary: 'Read the progress of a rejudging',
    description: `For admins. \`count\` and \`skipped\` grow up to about \`total\` while the status
is \`QUEUEING\`.`,
    example: { params: { rejudging_id: leagueRejudging.id }, response: leagueRejudging },
  },
}
