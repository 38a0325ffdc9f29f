import {
  createFromProgram,
  createFromSubmissions,
  deleteShadowJudging,
} from '../../src/features/shadow-judgings/sql.ts'
import { readShadow, readShadowStatus } from '../../src/features/submissions/shadow-sql.ts'
import { storeShadowVerdict } from '../../src/features/submissions/store-verdict-sql.ts'
import { NIL_UUID } from '../../src/http/routing/tokens.ts'
import type { Case } from './explain.ts'
import { idOf, ROWS } from './filled-tables.ts'
import { ofVerifications } from './verification-plan-cases.ts'

const asAdmin = { actor: idOf(1), actor_role: 2, actor_session: 1 }
const asJudge = { actor: NIL_UUID, actor_role: 1, actor_session: null }
const fresh = 'ffffffff-ffff-7fff-bfff-ffffffffffff'
const middle = idOf(ROWS / 2)
const tested = [idOf(1), idOf(2), idOf(3)]
const outputs = { stdout: '', stderr: '', test_case_results: '[]', test_case_ids: tested }
const details = { memory_used: 1024, score: null, worker: 'judge-1', judge_message: null, case_details: '[]' }
const judged = { judging: null, status: 'WRONG_ANSWER', time_elapsed: 0.5, capabilities: [] }
const verdict = { ...outputs, ...details, ...judged }

/** The statements of shadow judgings and verifications. */
export const ofShadows: Case[] = [
  [createFromSubmissions, { ...asAdmin, ids: [fresh, idOf(7)], submission_ids: [middle, idOf(1)] }],
  [
    createFromProgram,
    { ...asAdmin, id: fresh, problem_id: 77, language_id: idOf(3), source_code: 'print(3)' },
  ],
  [readShadow, { ...asJudge, submission_id: middle, requeue_after: 300, capabilities: [] }],
  [readShadowStatus, { ...asJudge, submission_id: middle }],
  [storeShadowVerdict, { ...asJudge, ...verdict, submission_id: middle, failed_test_case_id: idOf(1) }],
  [deleteShadowJudging, { ...asAdmin, shadow_judging_id: middle }],
  ...ofVerifications,
]
