import {
  applyBatch,
  cancelDecision,
  findPending,
  finishApplying,
  keepRanks,
  lockDecision,
} from '../../src/features/rejudging-decisions/decide-sql.ts'
import { createDecision } from '../../src/features/rejudging-decisions/request-sql.ts'
import {
  listDecisions,
  listEventDecisions,
  readDecision,
  readStaff,
} from '../../src/features/rejudging-decisions/sql.ts'
import { NIL_UUID } from '../../src/http/routing/tokens.ts'
import type { Case } from './explain.ts'
import { idOf, LARGE, ROWS, submissionOf } from './filled-tables.ts'

const asAdmin = { actor: idOf(1), actor_role: 2, actor_session: 1 }
const asUser = { actor: idOf(7), actor_role: 0, actor_session: 1 }
const decision_id = idOf(ROWS / 200)
const created = { ...asAdmin, id: 'ffffffff-ffff-7fff-bfff-ffffffffffff', reason: null }
const page = { page_limit: 10 }

/** The statements of rejudgings that staff decides. */
export const ofDecisions: Case[] = [
  [createDecision(['event_id', 'problem_id']), { ...created, event_id: LARGE, problem_id: 7 }],
  [createDecision(['event_id', 'user_id']), { ...created, ...asUser, event_id: LARGE, user_id: idOf(9) }],
  [createDecision(['problem_id', 'status']), { ...created, problem_id: 77, status: 'ACCEPTED' }],
  [createDecision(['user_id']), { ...created, user_id: idOf(9) }],
  [createDecision(['submission_ids']), { ...created, submission_ids: [idOf(9), submissionOf(3, 4, 1)] }],
  [readStaff, { ...asUser, event_id: LARGE }],
  [listDecisions.first, { ...asAdmin, ...page }],
  [listEventDecisions.first, { ...asUser, ...page, event_id: LARGE }],
  [listEventDecisions.whole, { ...asUser, event_id: LARGE }],
  [readDecision, { ...asAdmin, decision_id }],
  [lockDecision, { ...asUser, decision_id }],
  [findPending, { ...asAdmin, decision_id }],
  [applyBatch, { ...asAdmin, decision_id, after: NIL_UUID }],
  [keepRanks, { ...asAdmin, decision_id }],
  [finishApplying, { ...asAdmin, decision_id }],
  [cancelDecision, { ...asAdmin, decision_id }],
]
