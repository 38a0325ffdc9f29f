import {
  appliedDecision,
  cancelledDecision,
  leagueRejudging,
  listedDecision,
  openDecision,
} from '../examples/example-rejudging.ts'
import { shadowOfWrong, wrongSubmission } from '../examples/example-submissions.ts'
import { sumOfTwo } from '../examples/example-world.ts'
import { practiceLeague } from '../examples/example-world-contest.ts'
import type { SomeOperations } from '../operation-docs.ts'

const { id: decision_id, event_id, problem_id, status, reason } = listedDecision

export const rejudgingOperations = {
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
  createRejudgingDecision: {
    summary: 'Judge submissions again, and decide later',
    description: `For admins and, with \`event_id\`, for staff of this contest. Judges the submissions
that match all filters again, as shadow judgings, after all waiting submissions and runs. At least one
filter is required. Nothing changes until the rejudging is applied. Submissions that wait for a verdict
and submissions to deleted problems are left out, and counted. If no submission with a verdict matches,
the response is 404. A rejudging has at most 10,000 submissions, with programs of at most 128 MiB
together; more get 400. Poll the address in \`Location\`.

While a rejudging with the same filters is open, the response is 409 \`REJUDGING_OPEN\`, with its id as
\`rejudging_id\`. All open rejudgings of one contest together have the same limits, also for admins; more
get 409 \`TOO_MANY_REJUDGINGS\`.`,
    example: { body: { event_id, problem_id, status, reason }, response: { id: decision_id } },
  },
  listRejudgingDecisions: {
    summary: 'List the rejudgings that staff decides',
    description: `For admins and, with \`event_id\`, for staff of this contest. The newest first, with
those that were applied or cancelled. Open ones have their progress.`,
    example: { response: [listedDecision] },
  },
  readRejudgingDecision: {
    summary: 'Read what a rejudging would change',
    description: `For admins, and for staff of its contest; others get 404. While it is open, it is
compared with the present verdicts and standings. A new verdict changes something if its status or score
differs. Frozen results count. Once applied, \`changes\` has the verdicts that have
changed, and \`rank_changes\` the ranks that it changed.`,
    example: { params: { decision_id }, response: openDecision },
  },
  applyRejudgingDecision: {
    summary: 'Apply the verdicts of a rejudging',
    description: `For admins, and for staff of its contest. Each submission whose status or score
changes gets the new verdict as its next judging, and the standings follow, all in one transaction. The
earlier verdicts are kept: see \`GET /v1/submissions/{submission_id}/verdicts\`. A submission is left out
if it has got another verdict since the request or waits for one, if its new status is
\`INTERNAL_ERROR\`, and if its shadow judging was deleted. While judgings are pending, the response is
409, as it is for a rejudging that was applied or cancelled.`,
    example: { params: { decision_id }, response: appliedDecision },
  },
  cancelRejudgingDecision: {
    summary: 'Cancel a rejudging',
    description: `For admins, and for staff of its contest. Deletes its pending judgings and takes them
out of the queue. A worker that is already judging one gets 404 when it sends the verdict. No submission
changes.`,
    example: { params: { decision_id }, response: cancelledDecision },
  },
  createShadowJudging: {
    summary: 'Judge a program apart from the submissions',
    description: `For admins. Queues a program for a judge: with \`submission_id\` the program of a
submission, for its problem, language and event; otherwise \`source_code\`, for \`problem_id\` and
\`language_id\`. The submission keeps its verdict. A shadow judging is in no list, statistic,
standings or notification, and gets to the judges after all submissions and runs. Admins and judges
read it with \`GET /v1/submissions/{submission_id}\`, where its \`user\` is the admin who requested
it; for other users it does not exist. An unknown submission, problem or language gets 404.`,
    example: { body: { submission_id: wrongSubmission.id }, response: shadowOfWrong },
  },
  deleteShadowJudging: {
    summary: 'Delete a shadow judging',
    description: `For admins. Also takes it out of the queue, unless it has already left the service
for a judge; the verdict of this judge then gets 404.`,
    example: { params: { shadow_judging_id: shadowOfWrong.id } },
  },
} satisfies SomeOperations
