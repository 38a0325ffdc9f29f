import { withOptional } from '../../db/json.ts'
import { defineList } from '../../lists/definition.ts'
import { judgingFields } from './judging.ts'

/** Part of a statement: keeps the verdicts of the submissions in the CTE `replaced`. */
export const keptFrom = (replaced: string) => `insert into verdicts (
        submission_id, attempt, status, time_elapsed, stdout, stderr, failed_test_case_id, test_case_results, judged_at)
      select ${replaced}.id, ${replaced}.verdict_attempt, ${replaced}.status, ${replaced}.time_elapsed, ${replaced}.stdout,
             ${replaced}.stderr, ${replaced}.failed_test_case_id, ${replaced}.test_case_results, ${replaced}.judged_at
      from ${replaced}
      where ${replaced}.status <> 'PENDING'`

const verdictFields = `${judgingFields('verdicts')},
      'status', verdicts.status,
      'time_elapsed', verdicts.time_elapsed,
      'stdout', verdicts.stdout,
      'stderr', verdicts.stderr,
      'failed_test_case_id', verdicts.failed_test_case_id,
      'test_case_results', coalesce(verdicts.test_case_results, '[]')`

const columns = (table: string) =>
  ['status', 'time_elapsed', 'stdout', 'stderr', 'failed_test_case_id', 'test_case_results', 'judged_at']
    .map((column) => `${table}.${column}`)
    .join(', ')

/**
 * The current verdict and the earlier ones, newest first. The place of a verdict counts from the
 * oldest: later verdicts and rejudgings do not change it. The route checks access.
 */
export const listVerdicts = defineList({
  name: 'list_verdicts',
  params: { submission_id: 'uuid' },
  // Verdicts from before the service kept their times have no instant (D5).
  item: withOptional(verdictFields, 'verdicts.judged_at is not null', `'judged_at', utc(verdicts.judged_at)`),
  from: `(
      select (select count(*) from verdicts where verdicts.submission_id = :submission_id) + 1 as place,
             submissions.verdict_attempt as attempt, ${columns('submissions')}
      from submissions
      where submissions.id = :submission_id and submissions.status <> 'PENDING'
      union all
      select row_number() over (order by verdicts.id) as place, verdicts.attempt, ${columns('verdicts')}
      from verdicts
      where verdicts.submission_id = :submission_id
    ) as verdicts`,
  bytes: `octet_length(verdicts.stdout) + octet_length(verdicts.stderr)
      + coalesce(octet_length(verdicts.test_case_results::text), 0)`,
  order: { key: [{ column: 'verdicts.place', type: 'bigint' }], direction: 'desc' },
})
