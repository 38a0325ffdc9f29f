import type { Static } from 'typebox'
import { newIds } from '../../../db/ids.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { readJudging } from './judging.ts'
import { STATUS_OF_REASON } from './rules.ts'
import type { verdictBody } from './schemas.ts'

type Verdict = Static<ReturnType<typeof verdictBody>>
type Result = NonNullable<Verdict['test_case_results']>[number]

/**
 * The values of a verdict. Throws VALIDATION for an accepted verdict with a failed test case, and
 * for a reason of another status.
 */
export function verdictValues(submission_id: string, verdict: Verdict) {
  const failed_test_case_id = verdict.failed_test_case_id ?? null
  if (verdict.status === 'ACCEPTED' && failed_test_case_id) {
    throw new AppError('VALIDATION', 'failed_test_case_id must be null or absent with ACCEPTED')
  }
  const reason = verdict.reason ?? null
  if (reason !== null && STATUS_OF_REASON[reason] !== verdict.status) {
    throw new AppError('VALIDATION', `reason ${reason} needs the status ${STATUS_OF_REASON[reason]}`)
  }
  const sent = verdict.test_case_results ?? []
  const ids = newIds(sent.length)
  const results = sent.map((result, i) => ({
    id: ids[i],
    submission_id,
    test_case_id: result.test_case_id,
    stdout: result.stdout ?? '',
    stderr: result.stderr ?? '',
    passed: result.passed,
    ...ownerDetails(result),
  }))
  const ofResults = results.map(({ test_case_id }) => test_case_id)
  return {
    submission_id,
    judging: readJudging(verdict),
    status: verdict.status,
    reason,
    stdout: verdict.stdout ?? '',
    stderr: verdict.stderr ?? '',
    time_elapsed: verdict.time_elapsed ?? 0,
    memory_used: verdict.memory_used,
    score: verdict.score,
    worker: verdict.worker,
    judge_message: verdict.judge_message,
    failed_test_case_id,
    test_case_results: JSON.stringify(results),
    case_details: sent.some(hasDetails) ? JSON.stringify(sent.map(staffDetails)) : null,
    test_case_ids: failed_test_case_id === null ? ofResults : [...ofResults, failed_test_case_id],
  }
}

/** What the owner sees of a result besides its outputs. JSON leaves out undefined fields. */
const ownerDetails = ({ time_elapsed, memory_used, team_message }: Result) => ({
  time_elapsed: time_elapsed ?? undefined,
  memory_used: memory_used ?? undefined,
  team_message: team_message ?? undefined,
})

const staffDetails = (result: Result) => ({
  test_case_id: result.test_case_id,
  status: result.status ?? undefined,
  passed: result.passed,
  ...ownerDetails(result),
  score: result.score ?? undefined,
  judge_message: result.judge_message ?? undefined,
  transcript: result.transcript ?? undefined,
})

function hasDetails(result: Result): boolean {
  const { test_case_id, passed, ...details } = staffDetails(result)
  return Object.values(details).some((detail) => detail !== undefined)
}
