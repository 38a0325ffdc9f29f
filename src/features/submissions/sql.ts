import { ACTOR_LIVES, guarded } from '../../db/actor-statement.ts'
import { defineList } from '../../lists/definition.ts'
import { queuedFrom } from '../../queue/outbox.ts'
import { isRunning, seesAllOf } from '../access/events.ts'
import {
  isShownByEndedContest,
  isShownByRunningContest,
  problemIsVisible,
  problemIsVisibleAnywhere,
} from '../access/problems.ts'
import { languageJson } from '../languages/sql.ts'
import { scoredFrom } from '../standings/scores.ts'
import { userJson } from '../users/sql.ts'
import { keptFrom } from './verdict-sql.ts'

const ownerFields = `
      'source_code', submissions.source_code,
      'stdout', submissions.stdout,
      'stderr', submissions.stderr`

const createdFields = `
      'id', submissions.id,
      'user_id', submissions.user_id,
      'problem_id', submissions.problem_id,
      'language_id', submissions.language_id,
      'status', submissions.status,
      'submit_time', utc(submissions.submit_time),
      'time_elapsed', submissions.time_elapsed`

// A contest's own limits hold where it has them (D26).
const redactedFields = `${createdFields},
      'failed_test_case_id', submissions.failed_test_case_id,
      'user', ${userJson('users')},
      'problem', json_build_object(
        'id', problems.id,
        'title', problems.title,
        'identifier', problems.identifier,
        'difficulty', problems.difficulty,
        'accept_timeout', coalesce(event_problems.accept_timeout, problems.accept_timeout),
        'execution_timeout', coalesce(event_problems.execution_timeout, problems.execution_timeout),
        'memory_limit', coalesce(event_problems.memory_limit, problems.memory_limit)),
      'language', ${languageJson('languages')}`

const recordFields = `${redactedFields},${ownerFields}`

// An optional field without a value is left out (D5).
const withEvent = (fields: string) => `case when submissions.event_id is null
      then json_build_object(${fields})
      else json_build_object(${fields}, 'event_id', submissions.event_id) end`

const listedJson = withEvent(recordFields)

/** A submission in a contest's lists: without program and outputs where it is not the actor's own (D28). */
export const ownedOrRedactedJson = `case when submissions.user_id = $1::uuid
      then ${listedJson}
      else ${withEvent(redactedFields)} end`

/** What the JSON of a submission is made from. */
export const withRelated = `submissions
      join users on users.id = submissions.user_id
      join problems on problems.id = submissions.problem_id
      join languages on languages.id = submissions.language_id
      left join event_problems
        on event_problems.event_id = submissions.event_id and event_problems.problem_id = submissions.problem_id`

/** Owner, judge or admin may read; the row says which it is, since anybody else gets a 401 and not a 404 (specification, Submissions). */
const MAY_READ = '(submissions.user_id = $1::uuid or $2::integer > 0)'

/** What a submission answers when it is made. */
const createdJson = withEvent(`${createdFields}, 'source_code', submissions.source_code`)

export type Created = {
  body: string | null
  has_user: boolean
  has_problem: boolean
  has_language: boolean
  needs_event: boolean
}

/**
 * Stores a submission and its message in one statement (D24, D29): $4 id, $5 owner, $6 problem, $7 language, $8 source code. Without a body
 * one of the three is not there, or not for this actor.
 */
export const createSubmission = guarded<Created>('create_submission', {
  ctes: `owner as (
      select users.id from users where users.id = $5::uuid and users.deleted_at is null
    ), problem as (
      select problems.id
      from problems
      where problems.id = $6::integer
        and (${problemIsVisible('problems')} or ${isShownByEndedContest('problems')})
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
  select: `select (select ${createdJson}::text from created as submissions) as body,
                  exists (select from owner) as has_user,
                  exists (select from problem) as has_problem,
                  exists (select from language) as has_language,
                  not exists (select from problem) and exists (
                    select from problems
                    where problems.id = $6::integer and ${isShownByRunningContest('problems')}) as needs_event`,
})

export type CreatedInContest = Created & { has_event: boolean; sees_problem: boolean }

/**
 * The same in a contest (D24): $4 to $8 as in `createSubmission`, $9 event. The owner takes part from now on. The event's row is held while this
 * looks at its times, so that none gets in after an end that was answered.
 */
export const createContestSubmission = guarded<CreatedInContest>('create_contest_submission', {
  ctes: `owner as (
      select users.id from users where users.id = $5::uuid and users.deleted_at is null
    ), event as (
      select events.id, events.user_id, ${isRunning('events')} as is_running
      from events
      where events.id = $9::integer and events.deleted_at is null
      for share
    ), problem as (
      select problems.id
      from event as events
      join event_problems on event_problems.event_id = events.id
      join problems on problems.id = event_problems.problem_id
      where problems.id = $6::integer and problems.deleted_at is null
        and (not event_problems.hidden or ${seesAllOf('events')})
    ), language as (
      select languages.id from languages where languages.id = $7::uuid and languages.retired_at is null
    ), created as (
      insert into submissions (id, user_id, problem_id, language_id, source_code, event_id)
      select $4::uuid, owner.id, problem.id, language.id, $8::text, event.id
      from owner, problem, language, event
      where event.is_running and ${ACTOR_LIVES}
      returning submissions.*
    ), joined as (
      insert into event_participants (event_id, user_id)
      select created.event_id, created.user_id from created
      on conflict do nothing
    ), scored as (
      ${scoredFrom('created')}
    ), queued as (
      ${queuedFrom('created', 'submission')}
    )`,
  select: `select (select ${createdJson}::text from created as submissions) as body,
                  exists (select from owner) as has_user,
                  exists (select from problem) as has_problem,
                  exists (select from language) as has_language,
                  false as needs_event,
                  exists (select from event) as has_event,
                  exists (select from problem) or exists (
                    select from problems
                    where problems.id = $6::integer and ${problemIsVisibleAnywhere('problems')}) as sees_problem`,
})

const graded = (fields: string) => `case when submissions.test_case_results is null
                      then ${withEvent(fields)}
                      else ${withEvent(`${fields}, 'test_case_results', submissions.test_case_results`)} end`

/** $4 submission: the full record (D26), with the newest attempt for judges and admins. */
export const readSubmission = guarded<{ may_read: boolean; body: string | null }>('read_submission', {
  select: `select ${MAY_READ} as may_read,
                  case when $2::integer > 0 then ${graded(`${recordFields}, 'attempt', submissions.attempt`)}
                       when ${MAY_READ} then ${graded(recordFields)}
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
 * Stores a verdict whole over any earlier one (D25), which is kept: $4 submission, $5 status, $6 stdout, $7 stderr, $8 time elapsed (s), $9
 * failed test case or null, $10 results (JSON), $11 every test case that the verdict names, $12 attempt or null for the newest. Nothing is
 * stored of an older attempt than the newest verdict's, nor where one of the cases is not the problem's.
 */
export const storeVerdict = guarded<Stored>('store_verdict', {
  // The lock makes what is kept the newest version, and not that of the statement's snapshot.
  ctes: `held as (
      select submissions.*
      from submissions
      where submissions.id = $4::uuid and ${ACTOR_LIVES}
      for update
    ), judged as (
      select held.id,
             coalesce($12::integer, held.attempt) as attempt,
             coalesce($12::integer, held.attempt) < held.verdict_attempt as is_late,
             (select named.id
              from unnest($11::uuid[]) as named (id)
              where not exists (
                select from test_cases
                where test_cases.id = named.id and test_cases.problem_id = held.problem_id)
              limit 1) as unknown_case
      from held
    ), stored as (
      update submissions
      set status = $5, stdout = $6, stderr = $7, time_elapsed = $8,
          failed_test_case_id = $9, test_case_results = $10::json, judged_at = now(),
          verdict_attempt = least(judged.attempt, submissions.attempt)
      from judged
      where submissions.id = judged.id and not judged.is_late and judged.unknown_case is null
      returning submissions.*
    ), replaced as (
      select held.* from held join stored on stored.id = held.id
    ), kept as (
      ${keptFrom('replaced')}
    ), scored as (
      ${scoredFrom('stored')}
    )`,
  select:
    'select case when not judged.is_late then judged.unknown_case end::text as unknown_case from judged',
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
  item: listedJson,
  from: `${withRelated} where submissions.user_id = $4::uuid`,
  values: 1,
  ...newestFirst,
  given: `exists (select from users where users.id = $4::uuid and users.deleted_at is null)`,
})

/** $4 user, $5 problem; no list where there is no such user, or neither an attempt nor a problem that the actor may see. */
export const listUserProblemSubmissions = defineList('list_user_problem_submissions', {
  item: listedJson,
  from: `${withRelated} where submissions.user_id = $4::uuid and submissions.problem_id = $5::integer`,
  values: 2,
  ...newestFirst,
  given: `exists (select from users where users.id = $4::uuid and users.deleted_at is null)
    and (exists (select from problems where problems.id = $5::integer and ${problemIsVisibleAnywhere('problems')})
         or exists (select from submissions where submissions.user_id = $4::uuid and submissions.problem_id = $5::integer))`,
})
