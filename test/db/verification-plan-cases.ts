import {
  createVerification,
  findAllJudged,
  findJudged,
  listJudgingResults,
  readPlanSource,
  readVerification,
  settle,
} from '../../src/features/verifications/sql.ts'
import { NIL_UUID } from '../../src/http/routing/tokens.ts'
import type { Case } from './explain.ts'
import { idOf, ROWS } from './filled-tables.ts'

const asAdmin = { actor: idOf(1), actor_role: 2, actor_session: 1 }
const fresh = 'ffffffff-ffff-7fff-bfff-ffffffffffff'
const verification_id = idOf(ROWS / 2)
const judgings = { judging_ids: [fresh], language_ids: [idOf(3)], source_codes: [''], tasks: ['{}'] }
const limits = { execution_timeout: 3, accept_timeout: 7 }

/** The statements of verifications. */
export const ofVerifications: Case[] = [
  [readPlanSource, { ...asAdmin, problem_id: 77, folders: ['submissions', 'input_validators'] }],
  [
    createVerification,
    {
      ...asAdmin,
      ...judgings,
      id: fresh,
      problem_id: 77,
      package_version: NIL_UUID,
      plan: '{}',
    },
  ],
  [readVerification, { ...asAdmin, problem_id: 77, verification_id }],
  [listJudgingResults, { verification_id, validators: [idOf(3)], with_messages: [idOf(5)] }],
  [findJudged, { verification_id }],
  [findAllJudged, {}],
  [settle, { verification_id, ...limits }],
]
