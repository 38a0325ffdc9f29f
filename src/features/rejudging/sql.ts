import { actorStatement } from '../../db/actor-statement.ts'
import { row, type Values } from '../../db/statement.ts'
import { queuedFrom } from '../../queue/outbox.ts'
import { scoredFrom } from '../standings/scores.ts'
import { keptFrom } from '../submissions/verdict-sql.ts'

const idParams = {
  submission_id: 'uuid?',
  problem_id: 'integer?',
  event_id: 'integer?',
  language_id: 'uuid?',
  user_id: 'uuid?',
} as const

/** The ids that choose submissions; a statement uses only the ids of its filters. */
export type RejudgeIds = Values<typeof idParams>

export type RejudgeFilter = keyof RejudgeIds

export const rejudgeFilters: readonly RejudgeFilter[] = [
  'submission_id',
  'problem_id',
  'event_id',
  'language_id',
  'user_id',
]

const columnOf = (filter: RejudgeFilter) => (filter === 'submission_id' ? 'id' : filter)

const recordOf = (filter: RejudgeFilter) => filter.replace('_id', '')

// Verdicts of a batch's submissions wait for it: 1,000 verdicts of 20 results each took 36 ms.
// Keeping large outputs writes them again: the limit in bytes avoids the statement timeout.
const BATCH = 1000
const BATCH_BYTES = 8 * 1024 * 1024

/** The records of the filters that do not exist. */
export const findMissing = (filters: readonly RejudgeFilter[]) =>
  actorStatement({
    name: `missing_${filters.join('_')}`,
    params: idParams,
    row: row<{ missing: string }>(),
    select: filters
      .map(
        (filter) => `
      select '${recordOf(filter)}' as missing
      where not exists (select from ${recordOf(filter)}s where ${recordOf(filter)}s.id = :${filter})`,
      )
      .join(' union all '),
  })

/**
 * Queues the next batch of submissions that match all filters, each as a new judging, and keeps
 * their verdicts. `after` is the last submission of the previous batch. `until` is the time of the
 * first batch: later submissions are left out. So are submissions to deleted problems, because
 * judges cannot read their tests.
 */
export function rejudge(filters: readonly RejudgeFilter[]) {
  const until = 'coalesce(:until, now())'
  return actorStatement({
    name: `rejudge_${filters.join('_')}`,
    params: { ...idParams, after: 'uuid | null', until: 'timestamptz | null' },
    row: row<{ count: number; last: string | null; until: string }>(),
    // All rows are locked in the order of their ids, before any cell of the standings: two
    // rejudgings never deadlock.
    with: `next as (
      select submissions.id,
             pg_column_size(submissions.stdout) + pg_column_size(submissions.stderr)
               + coalesce(pg_column_size(submissions.test_case_results), 0) as bytes
      from submissions
      where ${filters.map((filter) => `submissions.${columnOf(filter)} = :${filter}`).join(' and ')}
        and submissions.id > coalesce(:after, '00000000-0000-0000-0000-000000000000')
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
    select: `
      select count(*)::integer as count,
             (select chosen.id::text from chosen order by chosen.id desc limit 1) as last,
             ${until}::text as until
      from requeued`,
  })
}
