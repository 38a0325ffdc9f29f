import type { Static } from 'typebox'
import type {
  DecisionListedResponse,
  DecisionResponse,
} from '../../features/judging/cancellable-rejudging/schemas.ts'
import type { RejudgingResponse } from '../../features/judging/immediate-rejudging/schemas.ts'
import { wrongSubmission } from './example-submissions.ts'
import { ada, sumOfTwo, ulla, viktor } from './example-world.ts'
import { practiceLeague } from './example-world-contest.ts'

type Decision = Static<typeof DecisionResponse>

const requested = {
  id: '019bc300-2e10-7d4b-b6a9-81c5f7e02d93',
  state: 'OPEN' as const,
  reason: 'The second test case was wrong.',
  requested_by: ada.id,
  requested_at: '2026-01-16T09:46:40Z',
  event_id: practiceLeague.id,
  problem_id: sumOfTwo.id,
  status: wrongSubmission.status,
  total: 1,
  waiting: 0,
  deleted: 0,
}

/** A rejudging of the contest in lists. */
export const listedDecision = { ...requested, judged: 1, pending: 0 } satisfies Static<
  typeof DecisionListedResponse
>

/** It judged Ulla's first attempt again, which is accepted now. */
export const openDecision = {
  ...requested,
  ...{ judged: 1, pending: 0, changed: 1, unchanged: 0, left_out: 0 },
  changes: [
    {
      submission_id: wrongSubmission.id,
      user_id: ulla.id,
      problem_id: sumOfTwo.id,
      event_id: practiceLeague.id,
      shadow_judging_id: '019bc300-2e11-7f02-a3c8-5b9d1e64f870',
      from_status: wrongSubmission.status,
      to_status: 'ACCEPTED',
    },
  ],
  left_out_submissions: [],
  rank_changes: [
    { event_id: practiceLeague.id, user_id: viktor.id, from_rank: 1, to_rank: 2 },
    { event_id: practiceLeague.id, user_id: ulla.id, from_rank: 2, to_rank: 1 },
  ],
  pending_judgings: [],
} satisfies Decision

const { pending_judgings, changed, ...counted } = openDecision
const { rank_changes, unchanged, left_out, ...uncounted } = counted
const decided = { decided_by: ada.id, decided_at: '2026-01-16T09:50:00Z' }

export const appliedDecision: Decision = { ...counted, ...decided, state: 'APPLIED', applied: 1 }

export const cancelledDecision: Decision = { ...uncounted, ...decided, state: 'CANCELLED', changes: [] }

/** Ada's rejudging of the contest's problem: one of its submissions was pending. */
export const leagueRejudging: Static<typeof RejudgingResponse> = {
  id: '019bc2f0-5c00-7a10-9d3e-5f2a6c1b8e47',
  status: 'QUEUED',
  total: 3,
  count: 2,
  skipped: 1,
  requested_by: ada.id,
  requested_at: '2026-01-16T09:30:00Z',
  finished_at: '2026-01-16T09:30:00Z',
  problem_id: sumOfTwo.id,
  event_id: practiceLeague.id,
}
