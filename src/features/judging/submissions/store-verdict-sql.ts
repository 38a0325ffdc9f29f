import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { oneOf, type RowOf } from '../../../db/statement.ts'
import { scoredFrom } from '../../contests/standings/scores.ts'
import { capabilitiesParam, missingAmong } from '../../shared/access/capabilities.ts'
import { keptFrom } from './verdict-sql.ts'

/** `judging` null: the newest. */
const params = {
  submission_id: 'uuid',
  judging: 'integer | null',
  status: 'text',
  reason: 'text | null',
  stdout: 'text',
  stderr: 'text',
  time_elapsed: 'float8',
  memory_used: 'integer | null',
  score: 'float8 | null',
  worker: 'text | null',
  judge_message: 'text | null',
  failed_test_case_id: 'uuid | null',
  test_case_results: 'json',
  case_details: 'json | null',
  test_case_ids: 'uuid[]',
  ...capabilitiesParam,
} as const

/** What became of a verdict, with the names that its refusal needs. */
const storedColumns = {
  outcome: oneOf('stored', 'late', 'unknown_case', 'too_old', 'no_groups', 'above_maximum', 'not_full'),
  unknown_case: 'text | null',
  missing_capabilities: 'text | null',
  max_score: 'text | null',
  /** The verification that a shadow judging belongs to. */
  verification_id: 'text | null',
} as const

export type StoredVerdict = RowOf<typeof storedColumns>

const NEEDED = {
  submissions: 'problems.needed_capabilities',
  shadow_judgings: '(problems.needed_capabilities || held.needed_capabilities)',
}

/** The points that a verdict can have; null: it has no score. */
const MAXIMUM = {
  submissions: 'problems.max_score',
  // Validators of test cases get no points.
  shadow_judgings: `case when held.task ? 'validator' then null else problems.max_score end`,
}

/** Part of a statement: the refusal of `:score` with this maximum (null: no scores), or null. */
const scoreRefusal = (maximum: string) => `case
               when ${maximum} is null then case when :score is not null then 'no_groups' end
               when :score::numeric > ${maximum} then 'above_maximum'
               when :status = 'ACCEPTED' and :score::numeric is distinct from ${maximum} then 'not_full'
             end`

/**
 * The score to store: none for a program that was not judged. One below the maximum does not become
 * the maximum when it is rounded.
 */
const roundedScore = (maximum: string) => `case
                       when :status in ('COMPILE_TIME_ERROR', 'INTERNAL_ERROR') then null
                       when :score::numeric < ${maximum} then least(round(:score::numeric, 2), ${maximum} - 0.01)
                       else :score::numeric
                     end`

/**
 * CTEs that store a verdict in a row of a table: `held` is the row before, `stored` after. They
 * drop the verdict of an older judging than the newest verdict's (D25). They store nothing for a
 * test case of another problem, for a score that the problem does not allow, or if the worker lacks
 * capabilities (D41). `outcomeOfVerdict` selects the outcome.
 */
const verdictStoredIn = (table: 'submissions' | 'shadow_judgings') => `held as (
      select requests.place, ${table}.*
      from requests
      join ${table} on ${table}.id = :submission_id
      where ${ACTOR_EXISTS}
      order by ${table}.id
      for update of ${table}
    ), judged as (
      select requests.place, held.id,
             coalesce(:judging, held.attempt) as judging,
             coalesce(:judging, held.attempt) < held.verdict_attempt as is_late,
             (select named.id
              from unnest(:test_case_ids) with ordinality as named (id, number)
              where not exists (
                select from test_cases
                where test_cases.id = named.id and test_cases.problem_id = held.problem_id)
              order by named.number
              limit 1) as unknown_case,
             ${missingAmong(NEEDED[table])} as missing_capabilities,
             trim_scale(allowed.maximum) as max_score,
             ${scoreRefusal('allowed.maximum')} as wrong_score
      from requests
      join held using (place)
      join problems on problems.id = held.problem_id
      cross join lateral (select ${MAXIMUM[table]} as maximum) as allowed
    ), stored as (
      update ${table}
      set status = :status, reason = :reason, stdout = :stdout, stderr = :stderr, time_elapsed = :time_elapsed,
          memory_used = :memory_used, score = ${roundedScore('judged.max_score')}, worker = :worker, judge_message = :judge_message,
          failed_test_case_id = :failed_test_case_id, test_case_results = :test_case_results,
          case_details = :case_details, judged_at = now(),
          verdict_attempt = least(judged.judging, ${table}.attempt)
      from requests
      join judged using (place)
      where ${table}.id = judged.id and not judged.is_late and judged.unknown_case is null
        and judged.missing_capabilities is null and judged.wrong_score is null
      returning ${table}.*
    )`

const outcomeOfVerdict = (verification = 'null') => `
      select case
               when judged.missing_capabilities is not null then 'too_old'
               when judged.is_late then 'late'
               when judged.unknown_case is not null then 'unknown_case'
               else coalesce(judged.wrong_score, 'stored')
             end as outcome,
             judged.unknown_case::text,
             judged.missing_capabilities,
             judged.max_score::text,
             ${verification}::text as verification_id
      from judged
      where judged.place = requests.place`

/** Stores a verdict and keeps the earlier one (D25). */
export const storeVerdict = actorStatement({
  name: 'store_verdict',
  coalesced: { writesApart: 'submission_id' },
  params,
  columns: storedColumns,
  // Without the lock the snapshot's verdict would be kept, not the newest one.
  with: `${verdictStoredIn('submissions')}, replaced as (
      select held.* from held join stored on stored.id = held.id
    ), kept as (
      ${keptFrom('replaced')}
    ), scored as (
      ${scoredFrom('stored')}
    )`,
  select: outcomeOfVerdict(),
})

/** The same for a shadow judging, with its verification; an earlier verdict is not kept. */
export const storeShadowVerdict = actorStatement({
  name: 'store_shadow_verdict',
  coalesced: { writesApart: 'submission_id' },
  params,
  columns: storedColumns,
  with: verdictStoredIn('shadow_judgings'),
  select: outcomeOfVerdict('(select held.verification_id from held where held.place = requests.place)'),
})

const renewedIn = (table: 'submissions' | 'shadow_judgings') => `update ${table}
      set renewed_at = now()
      where ${table}.id = :submission_id and ${table}.attempt = :judging
        and ${table}.status = 'PENDING' and ${ACTOR_EXISTS}
      returning ${table}.id`

/**
 * Notes that a worker judges the submission or shadow judging now: recovery counts from this time.
 * Ended: it has a verdict, or this is not its newest judging. No row: neither has this id.
 */
export const renewJudging = actorStatement({
  name: 'renew_judging',
  params: { submission_id: 'uuid', judging: 'integer' },
  columns: { outcome: oneOf('renewed', 'ended') },
  with: `renewed as (
      ${renewedIn('submissions')}
    ), renewed_shadow as (
      ${renewedIn('shadow_judgings')}
    )`,
  select: `
      select case when exists (select from renewed) or exists (select from renewed_shadow) then 'renewed'
                  else 'ended' end as outcome
      from (
        select submissions.id from submissions where submissions.id = :submission_id
        union all
        select shadow_judgings.id from shadow_judgings where shadow_judgings.id = :submission_id
      ) as judged`,
})
