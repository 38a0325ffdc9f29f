import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { lockShared } from '../../../db/advisory-lock.ts'
import { hasRow } from '../../../db/batch-form.ts'
import { bodyIf, oneOf, type Values } from '../../../db/statement.ts'
import { KEY_IS_KNOWN, keyParams, responsesFrom } from '../../../http/routing/idempotency.ts'
import { queuedFrom } from '../../../queue/outbox.ts'
import { scoredFrom } from '../../contests/standings/scores.ts'
import { isRunningFor } from '../../shared/access/contest-times.ts'
import { admitsByActor, managesEvent, seesAllOf } from '../../shared/access/events.ts'
import {
  isShownByEndedEvent,
  isShownByRunningEvent,
  problemIsVisible,
  problemIsVisibleAnywhere,
} from '../../shared/access/problems.ts'
import { createdText } from './sql.ts'

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

/** CTE: the user to whom the submission will belong. */
export const OWNER = `owner as (
      select requests.place, users.id
      from requests
      join users on users.id = :user_id and users.deleted_at is null
    )`

export const LANGUAGE = `language as (
      select requests.place, languages.id
      from requests
      join languages on languages.id = :language_id and languages.retired_at is null
    )`

/**
 * CTEs: the `response` to each submission of the CTE `created`, and the stored message and key.
 * The texts are built once.
 */
const answered = `response as (
      select submissions.id, ${createdText} as body from created as submissions
    ), queued as (
      ${queuedFrom('created', 'submission')}
    ), kept as (
      ${responsesFrom('response', 'response', 'response.body')}
    )`

const createdBody = '(select response.body from response where response.id = :id)'

/**
 * The submissions of a batch have different times, a microsecond apart, in the order of their
 * requests; the last one has the time of the transaction. So ties are as rare as between requests.
 */
const SUBMIT_TIME = `now() - (count(*) over () - row_number() over (order by requests.place)) * interval '1 microsecond'`

/** Staff has not removed the participant, or the actor may add them (P21). */
const IS_ADMITTED = `(participant.removed_at is null
        and (participant.user_id is not null or ${admitsByActor('events')}))`

/** The event allows all languages, or names this one (P21). */
const ALLOWS_LANGUAGE = `(events.enforce_languages is not true or exists (
        select from json_array_elements_text(events.languages) as named (id)
        where lower(named.id) = :language_id::text))`

/** A row of `event_problems` and `problems`: the event has it, and the actor may submit to it. */
const IS_IN_EVENT = `event_problems.event_id = events.id and problems.id = :problem_id and problems.deleted_at is null
        and (not event_problems.hidden or ${seesAllOf('events')})`

/** Stores a submission outside events, and its message (D24, D29). */
export const createSubmission = actorStatement({
  name: 'create_submission',
  // Two submissions of one user must not have the same time.
  coalesced: { writesApart: 'user_id' },
  params: submissionParams,
  columns: bodyIf('created', 'known_key', 'no_user', 'needs_event', 'no_problem', 'no_language'),
  with: `${OWNER}, problem as (
      select requests.place, problems.id
      from requests
      join problems on problems.id = :problem_id and problems.deleted_at is null
        and (${problemIsVisible('problems')} or ${isShownByEndedEvent('problems')})
    ), ${LANGUAGE}, created as (
      insert into submissions (id, user_id, problem_id, language_id, source_code, submit_time)
      select :id, owner.id, problem.id, language.id, :source_code, ${SUBMIT_TIME}
      from requests
      join owner using (place)
      join problem using (place)
      join language using (place)
      where not ${KEY_IS_KNOWN} and ${ACTOR_EXISTS}
      order by requests.place
      returning submissions.*
    ), ${answered}`,
  select: `
      select case
               when exists (select from created where created.id = :id) then 'created'
               when ${KEY_IS_KNOWN} then 'known_key'
               when not ${hasRow('owner')} then 'no_user'
               when ${hasRow('problem')} then 'no_language'
               when exists (
                 select from problems
                 where problems.id = :problem_id and problems.deleted_at is null
                   and ${isShownByRunningEvent('problems')}) then 'needs_event'
               else 'no_problem'
             end as outcome,
             ${createdBody} as body`,
})

/**
 * The same in an event (D24); the owner becomes a participant unless staff has removed them, or the
 * event is for invited users (P21). The event is locked while its times are checked: every stored
 * submission was submitted before the end. The row's lock and `current_participant` reread what
 * changed while the statement waited for the advisory lock. The problem's row is locked, because
 * staff may have removed it meanwhile (P20). No body: it is refused, or its key came before.
 */
export const createEventSubmission = actorStatement({
  name: 'create_event_submission',
  coalesced: { writesApart: 'user_id' },
  params: eventSubmissionParams,
  columns: { body: 'text | null' },
  with: `${OWNER}, entered as materialized (
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
      select requests.place, events.id, events.user_id, events.start_time, ${managesEvent('events')} as is_staff
      from requests
      join locked as events on events.id = :event_id
      cross join lateral current_participant(events.id, :user_id) as participant
      where ${isRunningFor('events', 'participant')} and ${IS_ADMITTED} and ${ALLOWS_LANGUAGE}
    ), problem as (
      select requests.place, problems.id
      from requests
      join event as events using (place)
      cross join event_problems
      join problems on problems.id = event_problems.problem_id
      where ${IS_IN_EVENT}
      order by event_problems.id
      for key share of event_problems
    ), ${LANGUAGE}, created as (
      insert into submissions (id, user_id, problem_id, language_id, source_code, event_id, submit_time)
      select :id, owner.id, problem.id, language.id, :source_code, event.id, greatest(event.start_time, ${SUBMIT_TIME})
      from requests
      join owner using (place)
      join problem using (place)
      join language using (place)
      join event using (place)
      where not ${KEY_IS_KNOWN} and ${ACTOR_EXISTS}
      order by requests.place
      returning submissions.*
    ), joined as (
      insert into event_participants (event_id, user_id, registered_at)
      select created.event_id, created.user_id, case when not event.is_staff then created.submit_time end
      from created
      join owner on owner.id = created.user_id
      join event using (place)
      order by created.event_id, created.user_id
      on conflict do nothing
    ), scored as (
      ${scoredFrom('created')}
    ), ${answered}`,
  select: `select ${createdBody} as body`,
})

/** Why the event has just refused a submission (D24). */
export const readSubmissionRefusal = actorStatement({
  name: 'read_submission_refusal',
  params: { event_id: 'integer', user_id: 'uuid', problem_id: 'integer', language_id: 'uuid' },
  columns: {
    outcome: oneOf(
      ...(['no_user', 'no_event', 'not_admitted', 'no_problem', 'no_language'] as const),
      ...(['not_in_event', 'other_language', 'not_running'] as const),
    ),
    language_name: 'text | null',
  },
  select: `
      select case
               when users.id is null then 'no_user'
               when events.id is null then 'no_event'
               when not ${IS_ADMITTED} then 'not_admitted'
               when event_problems.id is null and not exists (
                 select from problems
                 where problems.id = :problem_id and ${problemIsVisibleAnywhere('problems')}) then 'no_problem'
               when languages.id is null then 'no_language'
               when event_problems.id is null then 'not_in_event'
               when not ${ALLOWS_LANGUAGE} then 'other_language'
               else 'not_running'
             end as outcome,
             languages.name as language_name
      from (select) as asked
      left join users on users.id = :user_id and users.deleted_at is null
      left join languages on languages.id = :language_id and languages.retired_at is null
      left join events on events.id = :event_id and events.deleted_at is null
      left join event_participants as participant
        on participant.event_id = events.id and participant.user_id = :user_id
      left join (event_problems join problems on problems.id = event_problems.problem_id) on ${IS_IN_EVENT}`,
})
