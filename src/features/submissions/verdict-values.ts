import type { Static } from 'typebox'
import { newIds } from '../../db/ids.ts'
import { AppError } from '../../http/routing/errors.ts'
import { readJudging } from './judging.ts'
import type { verdictBody } from './schemas.ts'

/** The values of a verdict. Throws VALIDATION for an accepted verdict with a failed test case. */
export function verdictValues(submission_id: string, verdict: Static<ReturnType<typeof verdictBody>>) {
  const failed_test_case_id = verdict.failed_test_case_id ?? null
  if (verdict.status === 'ACCEPTED' && failed_test_case_id) {
    throw new AppError('VALIDATION', 'failed_test_case_id must be null or absent with ACCEPTED')
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
  }))
  const ofResults = results.map(({ test_case_id }) => test_case_id)
  return {
    submission_id,
    judging: readJudging(verdict),
    status: verdict.status,
    stdout: verdict.stdout ?? '',
    stderr: verdict.stderr ?? '',
    time_elapsed: verdict.time_elapsed ?? 0,
    failed_test_case_id,
    test_case_results: JSON.stringify(results),
    test_case_ids: failed_test_case_id === null ? ofResults : [...ofResults, failed_test_case_id],
  }
}
