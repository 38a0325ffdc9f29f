import type { rejudgingDecisionRoutes } from '../../features/judging/cancellable-rejudging/routes.ts'
import {
  appliedDecision,
  cancelledDecision,
  listedDecision,
  openDecision,
} from '../examples/example-rejudging.ts'
import type { Operations } from '../operation-docs.ts'

const { id: decision_id, event_id, problem_id, status, reason } = listedDecision

export const rejudgingDecisionOperations: Operations<ReturnType<typeof rejudgingDecisionRoutes>[number]> = {
  createRejudgingDecision: {
    summary: 'Judge submissions again, and decide later',
    description: `For admins and, with \`event_id\`, for staff of this contest. Judges the submissions
that match all filters again, as shadow judgings, after all waiting submissions and runs. At least one
filter is required. Nothing changes until the rejudging is applied. Submissions that wait for a verdict
and submissions to deleted problems are left out, and counted. If no submission with a verdict matches,
the response is 404. A rejudging has at most 10,000 submissions, with programs of at most 128 MiB
together; more get 400. Poll the address in \`Location\`.`,
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
}
