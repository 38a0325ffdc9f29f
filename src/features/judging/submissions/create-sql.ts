import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { lockShared } from '../../../db/advisory-lock.ts'
import { hasRow } from '../../../db/batch-form.ts'
import { row, type Values } from '../../../db/statement.ts'
import { KEY_IS_KNOWN, keyParams, responsesFrom } from '../../../http/routing/idempotency.ts'
import { queuedFrom } from '../../../queue/outbox.ts'
import { scoredFrom } from '../../contests/standings/scores.ts'
import { isRunningFor } from '../../shared/access/contest-times.ts'
import { admitsByActor, seesAllOf } from '../../shared/access/events.ts'
import {
  isShownByEndedEvent,
  isShownByRunningEvent,
  problemIsVisible,
  problemIsVisibleAnywhere,
} from '../../shared/access/problems.ts'
import { createdJson } from './sql.ts'

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
