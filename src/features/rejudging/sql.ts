import { type GuardedStatement, guarded } from '../../db/actor-statement.ts'
import { queuedFrom } from '../../queue/outbox.ts'
import { scoredFrom } from '../standings/scores.ts'
import { keptFrom } from '../submissions/verdict-sql.ts'

/** By what submissions may be chosen for a rejudging, with the column that says so. */
export const rejudgeFilters = {
  submission_id: { column: 'submissions.id', type: 'uuid', table: 'submissions' },
  problem_id: { column: 'submissions.problem_id', type: 'integer', table: 'problems' },
  event_id: { column: 'submissions.event_id', type: 'integer', table: 'events' },
  language_id: { column: 'submissions.language_id', type: 'uuid', table: 'languages' },
  user_id: { column: 'submissions.user_id', type: 'uuid', table: 'users' },
} as const

export type RejudgeFilter = keyof typeof rejudgeFilters

/** Of a batch: how many submissions, the last of them (null where none is left), and the instant of the first batch. */
export type Rejudged = { count: number; last: string | null; until: string }

// A batch holds up verdicts of its own submissions: 1,000 verdicts of 20 results each took 36 ms. Keeping large outputs writes them again,
// so their bytes on disk are bounded too, which keeps a batch far from the statement timeout.
const BATCH = 1000
const BATCH_BYTES = 8 * 1024 * 1024

/** Says which of the things named by `filters` are not there; $4 and so on are their ids. */
export function findMissing(filters: readonly RejudgeFilter[]): GuardedStatement<{ missing: string }> {
  const checks = filters.map((filter, index) => {
    const { table, type } = rejudgeFilters[filter]
    return `select '${filter}' as missing
            where not exists (select from ${table} where ${table}.id = $${index + 4}::${type})`
  })
  return guarded(`missing_${filters.join('_')}`, { select: checks.join(' union all ') })
}

/**
 * Queues the next batch of the submissions that fit all of `filters` again, as new attempts without a verdict; the verdicts that they had are
 * kept. $4 and so on are the filters' ids, then come the last submission of the batch before (or null), and the instant of the first batch (or
 * null), so that what is submitted meanwhile stays out. Submissions to deleted problems stay as they are: no judge could read their tests.
 */
export function rejudge(filters: readonly RejudgeFilter[]): GuardedStatement<Rejudged> {
  const conditions = filters.map((filter, index) => {
    const { column, type } = rejudgeFilters[filter]
    return `${column} = $${index + 4}::${type}`
  })
  const after = `coalesce($${filters.length + 4}::uuid, '00000000-0000-0000-0000-000000000000')`
  const until = `coalesce($${filters.length + 5}::timestamptz, now())`
  return guarded(`rejudge_${filters.join('_')}`, {
    // Locked in the order of their ids, and all before the first cell of the standings: no two rejudgings wait for each other in a circle.
    ctes: `next as (
      select submissions.id,
             pg_column_size(submissions.stdout) + pg_column_size(submissions.stderr)
               + coalesce(pg_column_size(submissions.test_case_results), 0) as bytes
      from submissions
      where ${conditions.join(' and ')}
        and submissions.id > ${after}
        and submissions.submit_time <= ${until}
        and exists (
          select from problems where problems.id = submissions.problem_id and problems.deleted_at is null)
      order by submissions.id
      limit ${BATCH}
    ), measured as (
      select next.id, sum(next.bytes) over (order by next.id) - next.bytes as bytes_before
      from next
    ), chosen as (
      select submissions.*
      from submissions
      where submissions.id = any(array(
        select measured.id from measured where measured.bytes_before < ${BATCH_BYTES}))
      order by submissions.id
      for update
    ), kept as (
      ${keptFrom('chosen')}
    ), requeued as (
      update submissions
      set status = 'PENDING', stdout = '', stderr = '', time_elapsed = 0, failed_test_case_id = null,
          test_case_results = null, judged_at = null, queued_at = now(),
          attempt = submissions.attempt + 1, verdict_attempt = submissions.attempt + 1
      from chosen
      where submissions.id = chosen.id
      returning submissions.*
    ), scored as (
      ${scoredFrom('requeued')}
    ), queued as (
      ${queuedFrom('requeued', 'submission')}
    )`,
    select: `select count(*)::integer as count,
                    (select chosen.id::text from chosen order by chosen.id desc limit 1) as last,
                    ${until}::text as until
             from requeued`,
  })
}
