import { defineList } from '../../lists/definition.ts'

/** SQL that keeps the verdicts of the submissions of the CTE `replaced`, as they were before what replaces them. */
export const keptFrom = (replaced: string) => `insert into verdicts (
        submission_id, attempt, status, time_elapsed, stdout, stderr, failed_test_case_id, test_case_results, judged_at)
      select ${replaced}.id, ${replaced}.verdict_attempt, ${replaced}.status, ${replaced}.time_elapsed, ${replaced}.stdout,
             ${replaced}.stderr, ${replaced}.failed_test_case_id, ${replaced}.test_case_results, ${replaced}.judged_at
      from ${replaced}
      where ${replaced}.status <> 'PENDING'`

/** A verdict; verdicts of before these were kept have no instant (D5). */
const verdictJson = (() => {
  const fields = `
      'attempt', verdicts.attempt,
      'status', verdicts.status,
      'time_elapsed', verdicts.time_elapsed,
      'stdout', verdicts.stdout,
      'stderr', verdicts.stderr,
      'failed_test_case_id', verdicts.failed_test_case_id,
      'test_case_results', coalesce(verdicts.test_case_results, '[]')`
  return `case when verdicts.judged_at is null
      then json_build_object(${fields})
      else json_build_object(${fields}, 'judged_at', utc(verdicts.judged_at)) end`
})()

const columns = (table: string) =>
  ['status', 'time_elapsed', 'stdout', 'stderr', 'failed_test_case_id', 'test_case_results', 'judged_at']
    .map((column) => `${table}.${column}`)
    .join(', ')

/** $4 submission, which the actor may read: the verdict that stands and those that it replaced, newest first. */
export const listVerdicts = defineList('list_verdicts', {
  item: verdictJson,
  from: `(
      select 9223372036854775807 as id, submissions.verdict_attempt as attempt, ${columns('submissions')}
      from submissions
      where submissions.id = $4::uuid and submissions.status <> 'PENDING'
      union all
      select verdicts.id, verdicts.attempt, ${columns('verdicts')}
      from verdicts
      where verdicts.submission_id = $4::uuid
    ) as verdicts where true`,
  values: 1,
  key: [{ column: 'verdicts.id', type: 'bigint' }],
  direction: 'desc',
})
