import { ACTOR_LIVES, guarded } from '../../db/guarded.ts'
import { defineList } from '../../db/list.ts'
import { queuedFrom } from '../../queue/outbox.ts'
import { languageJson } from '../languages/sql.ts'
import { problemIsVisible } from '../problems/visible.ts'
import { userJson } from '../users/sql.ts'

const identityFields = `
      'id', submissions.id,
      'user_id', submissions.user_id,
      'problem_id', submissions.problem_id,
      'language_id', submissions.language_id,
      'source_code', submissions.source_code,
      'status', submissions.status,
      'submit_time', utc(submissions.submit_time),
      'time_elapsed', submissions.time_elapsed`

const recordFields = `${identityFields},
      'stdout', submissions.stdout,
      'stderr', submissions.stderr,
      'failed_test_case_id', submissions.failed_test_case_id,
      'user', ${userJson('users')},
      'problem', json_build_object(
        'id', problems.id,
        'title', problems.title,
        'identifier', problems.identifier,
        'difficulty', problems.difficulty,
        'accept_timeout', problems.accept_timeout,
        'execution_timeout', problems.execution_timeout,
        'memory_limit', problems.memory_limit),
      'language', ${languageJson('languages')}`

const withRelated = `submissions
      join users on users.id = submissions.user_id
      join problems on problems.id = submissions.problem_id
      join languages on languages.id = submissions.language_id`

/** Owner, judge or admin may read; the row says which it is, since anybody else gets a 401 and not a 404 (specification, Submissions). */
const MAY_READ = '(submissions.user_id = $1::uuid or $2::integer > 0)'

export type Created = { body: string | null; has_user: boolean; has_problem: boolean; has_language: boolean }

/**
 * Stores a submission and its message in one statement (D24, D29): $4 id, $5 owner, $6 problem, $7 language, $8 source code. Without a body
 * one of the three is not there, or not for this actor.
 */
export const createSubmission = guarded<Created>('create_submission', {
  ctes: `owner as (
      select users.id from users where users.id = $5::uuid and users.deleted_at is null
    ), problem as (
      select problems.id from problems where problems.id = $6::integer and ${problemIsVisible('problems')}
    ), language as (
      select languages.id from languages where languages.id = $7::uuid and languages.retired_at is null
    ), created as (
      insert into submissions (id, user_id, problem_id, language_id, source_code)
      select $4::uuid, owner.id, problem.id, language.id, $8::text
      from owner, problem, language
      where ${ACTOR_LIVES}
      returning submissions.*
    ), queued as (
      ${queuedFrom('created', 'submission')}
    )`,
  select: `select (select json_build_object(${identityFields})::text from created as submissions) as body,
                  exists (select from owner) as has_user,
                  exists (select from problem) as has_problem,
                  exists (select from language) as has_language`,
})

/** $4 submission: the full record (D26). */
export const readSubmission = guarded<{ may_read: boolean; body: string | null }>('read_submission', {
  select: `select ${MAY_READ} as may_read,
                  case when ${MAY_READ} then
                    case when submissions.test_case_results is null
                      then json_build_object(${recordFields})
                      else json_build_object(${recordFields}, 'test_case_results', submissions.test_case_results) end
                  end::text as body
           from ${withRelated}
           where submissions.id = $4::uuid`,
})

/** $4 submission: what clients poll. */
export const readStatus = guarded<{ may_read: boolean; body: string | null }>('read_status', {
  select: `select ${MAY_READ} as may_read,
                  case when ${MAY_READ} then
                    json_build_object('id', submissions.id, 'status', submissions.status)::text
                  end as body
           from submissions
           where submissions.id = $4::uuid`,
})

export type Stored = { unknown_case: string | null }

/**
 * Stores a verdict whole over any earlier one (D25): $4 submission, $5 status, $6 stdout, $7 stderr, $8 time elapsed (s), $9 failed test case
 * or null, $10 results (JSON), $11 every test case that the verdict names. Where one of these is not the problem's, nothing is stored.
 */
export const storeVerdict = guarded<Stored>('store_verdict', {
  ctes: `judged as (
      select submissions.id,
             (select named.id
              from unnest($11::uuid[]) as named (id)
              where not exists (
                select from test_cases
                where test_cases.id = named.id and test_cases.problem_id = submissions.problem_id)
              limit 1) as unknown_case
      from submissions
      where submissions.id = $4::uuid
    ), stored as (
      update submissions
      set status = $5, stdout = $6, stderr = $7, time_elapsed = $8,
          failed_test_case_id = $9, test_case_results = $10::json
      from judged
      where submissions.id = judged.id and judged.unknown_case is null and ${ACTOR_LIVES}
    )`,
  select: 'select judged.unknown_case::text from judged',
})

const newestFirst = {
  key: [
    { column: 'submissions.submit_time', type: 'instant' },
    { column: 'submissions.id', type: 'uuid' },
  ],
  direction: 'desc',
} as const

/** $4 user; no list where there is no such user (D26). */
export const listUserSubmissions = defineList('list_user_submissions', {
  item: `json_build_object(${recordFields})`,
  from: `${withRelated} where submissions.user_id = $4::uuid`,
  values: 1,
  ...newestFirst,
  given: `exists (select from users where users.id = $4::uuid and users.deleted_at is null)`,
})

/** $4 user, $5 problem; no list where there is no such user, or neither an attempt nor a problem that the actor may see. */
export const listUserProblemSubmissions = defineList('list_user_problem_submissions', {
  item: `json_build_object(${recordFields})`,
  from: `${withRelated} where submissions.user_id = $4::uuid and submissions.problem_id = $5::integer`,
  values: 2,
  ...newestFirst,
  given: `exists (select from users where users.id = $4::uuid and users.deleted_at is null)
    and (exists (select from problems where problems.id = $5::integer and ${problemIsVisible('problems')})
         or exists (select from submissions where submissions.user_id = $4::uuid and submissions.problem_id = $5::integer))`,
})
