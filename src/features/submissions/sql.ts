import { ACTOR_EXISTS, actorStatement } from '../../db/actor-statement.ts'
import { lockShared } from '../../db/advisory-lock.ts'
import { hasRow } from '../../db/batch-form.ts'
import { joinedText, withNotNull, withOptional } from '../../db/json.ts'
import { row, type Values } from '../../db/statement.ts'
import { KEY_IS_KNOWN, keyParams, responsesFrom } from '../../http/routing/idempotency.ts'
import { defineList } from '../../lists/definition.ts'
import { newestFirst } from '../../lists/order.ts'
import { SHORT_BYTES } from '../../lists/read-by-size.ts'
import { queuedFrom } from '../../queue/outbox.ts'
import { admitsByActor, isRunningFor, limitsInEvent, seesAllOf } from '../access/events.ts'
import {
  isShownByEndedEvent,
  isShownByRunningEvent,
  problemIsVisible,
  problemIsVisibleAnywhere,
} from '../access/problems.ts'
import { languageJson } from '../records/languages.ts'
import { LISTED_EMAIL, userJson } from '../records/users.ts'
import { scoredFrom } from '../standings/scores.ts'
import { judgingFields } from './judging.ts'
import { shortFields } from './score-sql.ts'

const createdFields = `
      'id', submissions.id,
      'user_id', submissions.user_id,
      'problem_id', submissions.problem_id,
      'language_id', submissions.language_id,
      'status', submissions.status,
      'submit_time', utc(submissions.submit_time),
      'time_elapsed', submissions.time_elapsed`

const fieldsWithUser = (user: string) => `${createdFields},
      'failed_test_case_id', submissions.failed_test_case_id,
      'user', ${user},
      'problem', json_build_object(
        'id', problems.id,
        'title', problems.title,
        'identifier', problems.identifier,
        'difficulty', problems.difficulty,
        'updated_at', utc(problems.updated_at),${limitsInEvent}),
      'language', ${languageJson('languages')}`

const recordFields = `${fieldsWithUser(userJson('users'))},
      'source_code', submissions.source_code,
      'stdout', submissions.stdout,
      'stderr', submissions.stderr`

const withEvent = (fields: string) =>
  withOptional(fields, 'submissions.event_id is not null', `'event_id', submissions.event_id`)

/** Problems with points have the slow form: it takes twice as long. */
const listedJson = `case
      when submissions.score is null and problems.max_score is null then case
        when submissions.memory_used is null then ${withEvent(recordFields)}
        else ${withEvent(`${recordFields}, 'memory_used', submissions.memory_used`)} end
      else ${withNotNull(recordFields, shortFields)} end`

/**
 * A submission in lists of the event `:event_id`: other users' have no source code, outputs and
 * score (D28), and no e-mail in an invited contest (P21).
 */
export const ownedOrRedactedJson = `case when submissions.user_id = :actor
      then ${listedJson}
      else ${withEvent(fieldsWithUser(userJson('users', LISTED_EMAIL)))} end`

/** The event's own limits. */
export const EVENT_PROBLEM = `event_problems
        on event_problems.event_id = submissions.event_id and event_problems.problem_id = submissions.problem_id`

/** Rows that are called `submissions`, with their related records and `limits` of their own. */
export const relatedTo = (submissions: string, limits = EVENT_PROBLEM) => `${submissions}
      join users on users.id = submissions.user_id
      join problems on problems.id = submissions.problem_id
      join languages on languages.id = submissions.language_id
      left join ${limits}`

export const withRelated = relatedTo('submissions')

/** The bytes of a listed submission's program and outputs. */
export const submissionBytes = `octet_length(submissions.source_code)
      + octet_length(submissions.stdout) + octet_length(submissions.stderr)`

const MAY_READ = '(submissions.user_id = :actor or :actor_role > 0)'

const createdJson = withEvent(`${createdFields}, 'source_code', submissions.source_code`)

const submissionParams = {
  id: 'uuid',
  user_id: 'uuid',
  problem_id: 'integer',
  language_id: 'uuid',
  source_code: 'text',
  ...keyParams,
} as const

const eventSubmissionParams = { ...submissionParams, event_id: 'integer' } as const

export type EventSubmission = Values<typeof eventSubmissionParams>

// In these statements each CTE has the `place` of its request (`coalesced`).

const ownerOf = `owner as (
      select requests.place, users.id
      from requests
      join users on users.id = :user_id and users.deleted_at is null
    )`

const languageOf = `language as (
      select requests.place, languages.id, languages.name
      from requests
      join languages on languages.id = :language_id and languages.retired_at is null
    )`

/** The CTE `created` has a submission for this request, or another CTE has a row for it. */
const isCreated = 'exists (select from created where created.id = :id)'
const ofEvent = (column: string) => `(select event.${column} from event where event.place = requests.place)`

/** The response of a stored submission. */
const createdBody = `(select ${createdJson}::text from created as submissions where submissions.id = :id)`

/**
 * The submissions of a batch have different times, a microsecond apart, in the order of their
 * requests; the last one has the time of the transaction. So ties are as rare as between requests.
 */
const SUBMIT_TIME = `now() - (count(*) over () - row_number() over (order by requests.place)) * interval '1 microsecond'`

/** Reasons to refuse a submission (D24). */
export type SubmissionRefusal =
  | 'known_key'
  | 'no_user'
  | 'no_event'
  | 'not_admitted'
  | 'needs_event'
  | 'no_problem'
  | 'no_language'
  | 'not_in_event'
  | 'other_language'
  | 'not_running'

type SubmissionRow<R extends SubmissionRefusal> =
  | { outcome: 'created'; body: string }
  | { outcome: R; body: null }

type EventRefusal = Exclude<SubmissionRefusal, 'needs_event'>

/** The event allows all languages, or names this one (P21). */
const ALLOWS_LANGUAGE = `(events.enforce_languages is not true or exists (
        select from json_array_elements_text(events.languages) as named (id)
        where lower(named.id) = :language_id::text))`

/** Stores a submission outside events, and its message (D24, D29). */
export const createSubmission = actorStatement({
  name: 'create_submission',
  // Two submissions of one user must not have the same time.
  coalesced: { writesApart: 'user_id' },
  params: submissionParams,
  row: row<SubmissionRow<'known_key' | 'no_user' | 'needs_event' | 'no_problem' | 'no_language'>>(),
  with: `${ownerOf}, problem as (
      select requests.place, problems.id
      from requests
      join problems on problems.id = :problem_id
        and (${problemIsVisible('problems')} or ${isShownByEndedEvent('problems')})
    ), ${languageOf}, created as (
      insert into submissions (id, user_id, problem_id, language_id, source_code, submit_time)
      select :id, owner.id, problem.id, language.id, :source_code, ${SUBMIT_TIME}
      from requests
      join owner using (place)
      join problem using (place)
      join language using (place)
      where not ${KEY_IS_KNOWN} and ${ACTOR_EXISTS}
      order by requests.place
      returning submissions.*
    ), queued as (
      ${queuedFrom('created', 'submission')}
    ), kept as (
      ${responsesFrom('created', 'submissions', `${createdJson}::text`)}
    )`,
  select: `
      select case
               when ${isCreated} then 'created'
               when ${KEY_IS_KNOWN} then 'known_key'
               when not ${hasRow('owner')} then 'no_user'
               when ${hasRow('problem')} then 'no_language'
               when exists (
                 select from problems
                 where problems.id = :problem_id and ${isShownByRunningEvent('problems')}) then 'needs_event'
               else 'no_problem'
             end as outcome,
             ${createdBody} as body`,
})

/**
 * The same in an event (D24); the owner becomes a participant unless staff has removed them, or the
 * event is for invited users (P21). The event is locked while its times are checked: every stored
 * submission was submitted before the end. The row's lock and `current_participant` reread what
 * changed while the statement waited for the advisory lock. The
 * problem's row is locked, because staff may have removed it meanwhile (P20).
 */
export const createEventSubmission = actorStatement({
  name: 'create_event_submission',
  coalesced: { writesApart: 'user_id' },
  params: eventSubmissionParams,
  row: row<SubmissionRow<EventRefusal> & { language_name: string | null }>(),
  with: `${ownerOf}, entered as materialized (
      select asked.event_id, ${lockShared('event', 'asked.event_id')}
      from (select distinct :event_id as event_id from requests order by event_id) as asked
    ), locked as (
      select events.id, events.user_id, events.start_time, events.end_time, events.admission, events.staff,
             events.enforce_languages, events.languages
      from entered
      join events on events.id = entered.event_id and events.deleted_at is null
      order by events.id
      for share of events
    ), event as (
      select requests.place, events.id, events.user_id, events.start_time, ${isRunningFor('events', 'participant')} as is_running,
             participant.removed_at is null
               and (participant.user_id is not null or ${admitsByActor('events')}) as is_admitted,
             ${ALLOWS_LANGUAGE} as allows_language
      from requests
      join locked as events on events.id = :event_id
      cross join lateral current_participant(events.id, :user_id) as participant
    ), problem as (
      select requests.place, problems.id
      from requests
      join event as events using (place)
      join event_problems on event_problems.event_id = events.id
      join problems on problems.id = event_problems.problem_id
      where problems.id = :problem_id and problems.deleted_at is null
        and (not event_problems.hidden or ${seesAllOf('events')})
      order by event_problems.id
      for key share of event_problems
    ), ${languageOf}, created as (
      insert into submissions (id, user_id, problem_id, language_id, source_code, event_id, submit_time)
      select :id, owner.id, problem.id, language.id, :source_code, event.id, greatest(event.start_time, ${SUBMIT_TIME})
      from requests
      join owner using (place)
      join problem using (place)
      join language using (place)
      join event using (place)
      where event.is_running and event.is_admitted and event.allows_language
        and not ${KEY_IS_KNOWN} and ${ACTOR_EXISTS}
      order by requests.place
      returning submissions.*
    ), joined as (
      insert into event_participants (event_id, user_id)
      select created.event_id, created.user_id from created
      order by created.event_id, created.user_id
      on conflict do nothing
    ), scored as (
      ${scoredFrom('created')}
    ), queued as (
      ${queuedFrom('created', 'submission')}
    ), kept as (
      ${responsesFrom('created', 'submissions', `${createdJson}::text`)}
    )`,
  select: `
      select case
               when ${isCreated} then 'created'
               when ${KEY_IS_KNOWN} then 'known_key'
               when not ${hasRow('owner')} then 'no_user'
               when not ${hasRow('event')} then 'no_event'
               when not ${ofEvent('is_admitted')} then 'not_admitted'
               when not ${hasRow('problem')} and not exists (
                 select from problems
                 where problems.id = :problem_id and ${problemIsVisibleAnywhere('problems')}) then 'no_problem'
               when not ${hasRow('language')} then 'no_language'
               when not ${hasRow('problem')} then 'not_in_event'
               when not ${ofEvent('allows_language')} then 'other_language'
               else 'not_running'
             end as outcome,
             ${createdBody} as body,
             (select language.name from language where language.place = requests.place) as language_name`,
})

/** The record (D26), with the judging for judges and admins. */
export const recordText = joinedText(
  `json_build_object(${recordFields})`,
  `case when :actor_role > 0 then json_build_object(${judgingFields('submissions')},
           'requeue_after', :requeue_after) end`,
  `case when submissions.test_case_results is not null
           then json_build_object('test_case_results', submissions.test_case_results) end`,
  `json_strip_nulls(json_build_object(${shortFields}))`,
)

/** Of the results the compressed bytes count: their length is not known without reading them. */
const isShort = `(${submissionBytes} <= ${SHORT_BYTES}
        and coalesce(pg_column_size(submissions.test_case_results), 0) <= ${SHORT_BYTES / 16})`

const recordParams = { submission_id: 'uuid', requeue_after: 'integer' } as const

/** No body: the actor may not read it, or it `is_long`. */
export const readSubmission = actorStatement({
  name: 'read_submission',
  coalesced: 'reads',
  params: recordParams,
  row: row<{ body: string | null; is_long: boolean }>(),
  select: `
      select case when ${MAY_READ} and ${isShort} then ${recordText} end as body,
             ${MAY_READ} and not ${isShort} as is_long
      from ${withRelated}
      where submissions.id = :submission_id`,
})

/** The same for a record that is too long for a batch. */
export const readLongSubmission = actorStatement({
  name: 'read_long_submission',
  params: recordParams,
  row: row<{ body: string | null }>(),
  select: `
      select case when ${MAY_READ} then ${recordText} end as body
      from ${withRelated}
      where submissions.id = :submission_id`,
})

export const statusJson = `json_build_object('id', submissions.id, 'status', submissions.status)`

/** For clients that poll. No body: the actor may not read it. */
export const readStatus = actorStatement({
  name: 'read_status',
  coalesced: 'reads',
  params: { submission_id: 'uuid' },
  row: row<{ body: string | null }>(),
  select: `
      select case when ${MAY_READ} then ${statusJson}::text end as body
      from submissions
      where submissions.id = :submission_id`,
})

export const newestSubmissions = newestFirst('submissions.submit_time', 'submissions.id', 'uuid')

const userExists = 'exists (select from users where users.id = :user_id and users.deleted_at is null)'

export const listUserSubmissions = defineList({
  name: 'list_user_submissions',
  params: { user_id: 'uuid' },
  item: listedJson,
  bytes: submissionBytes,
  from: withRelated,
  where: 'submissions.user_id = :user_id',
  order: newestSubmissions,
  owner: { name: 'user', exists: userExists },
})

/** 404 also for a problem without a submission of the user that the actor may not see (D26). */
export const listUserProblemSubmissions = defineList({
  name: 'list_user_problem_submissions',
  params: { user_id: 'uuid', problem_id: 'integer' },
  item: listedJson,
  bytes: submissionBytes,
  from: withRelated,
  where: 'submissions.user_id = :user_id and submissions.problem_id = :problem_id',
  order: newestSubmissions,
  owner: {
    name: 'user or problem',
    exists: `${userExists} and (
      exists (
        select from problems where problems.id = :problem_id and ${problemIsVisibleAnywhere('problems')})
      or exists (
        select from submissions
        where submissions.user_id = :user_id and submissions.problem_id = :problem_id))`,
  },
})
