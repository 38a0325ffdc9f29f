import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { fieldsOf, withNotNull } from '../../../db/json.ts'
import { row } from '../../../db/statement.ts'
import { defineList } from '../../../lists/definition.ts'
import { ascending } from '../../../lists/order.ts'
import { changesOf } from '../../../lists/version.ts'
import {
  problemBytes,
  problemIsShort,
  problemSummaryJson,
  problemWithOpenTestsJson,
} from '../../problems/problems/problem-json.ts'
import { hasStarted } from '../../shared/access/contest-times.ts'
import {
  admitsByActor,
  EVENT,
  isOpenTo,
  limitsInEvent,
  managesEvent,
  PROBLEM_ORDER,
  problemSettings,
  seesAllOf,
  takesPartIn,
} from '../../shared/access/events.ts'
import { problemIsVisible } from '../../shared/access/problems.ts'

const identityFields = fieldsOf('event_problems', 'id', 'event_id', 'problem_id', 'hidden')

const eventProblems = `event_problems
      join events on events.id = event_problems.event_id
      join problems on problems.id = event_problems.problem_id`

/** The event exists, and so does this problem in it for the actor (D33, P21). */
const isShown = `event_problems.event_id = :event_id and events.deleted_at is null and problems.deleted_at is null
      and ${isOpenTo('events')} and (not event_problems.hidden or ${seesAllOf('events')})`

/** The actor may read the problem: after the start, if it is public or they take part (D33). */
const isOpen = `(${seesAllOf('events')}
      or (${hasStarted('events')} and (${problemIsVisible('problems')} or ${takesPartIn('events')})))`

/** Each author of a private problem is a separate audience (D33). */
const problemAudience = `(
      select case
        when ${seesAllOf('events')} then 'all'
        when ${takesPartIn('events')} then 'participants'
        when exists (
          select from event_problems
          join problems on problems.id = event_problems.problem_id
          where event_problems.event_id = events.id and problems.user_id = :actor) then :actor::text
        else 'others' end
      from events
      where events.id = :event_id)`

/** A problem without limits and text (D33). */
const briefProblemJson = `json_build_object(
          'id', problems.id,
          'title', problems.title,
          'prompt', '',
          'difficulty', problems.difficulty,
          'upload_date', utc(problems.upload_date),
          'updated_at', utc(problems.updated_at))`

/** Problems that are not open to the actor are brief (D33). */
export const listEventProblems = defineList({
  name: 'list_event_problems',
  params: { event_id: 'integer' },
  item: `case when ${isOpen}
      then ${withNotNull(`${identityFields},${limitsInEvent}, 'problem', ${problemSummaryJson(limitsInEvent)}`, problemSettings)}
      else ${withNotNull(`${identityFields}, 'problem', ${briefProblemJson}`, problemSettings)}
    end`,
  bytes: problemBytes,
  from: eventProblems,
  where: isShown,
  order: ascending(...PROBLEM_ORDER),
  owner: EVENT,
  version: {
    changes: `concat_ws(' ', ${changesOf('events', 'problems')}, (
      select ${hasStarted('events')} from events where events.id = :event_id))`,
    audience: problemAudience,
  },
})

export type EventProblemRow =
  | { outcome: 'open'; version: string; body: string | null }
  | { outcome: 'not_started' | 'closed'; version: string; body: null }

/** The same for all readers. */
const readingOfEventProblem = {
  params: {
    event_id: 'integer',
    event_problem_id: 'integer',
    most_bytes: 'bigint',
    known_version: 'text | null',
  },
  row: row<EventProblemRow>(),
  select: `
      select case
               when ${isOpen} then 'open'
               when ${hasStarted('events')} then 'closed'
               else 'not_started'
             end as outcome,
             state.version,
             case when case
                 when :known_version = state.version then false
                 else ${isOpen} and ${problemIsShort('false')} end then
               ${withNotNull(
                 `${identityFields},${limitsInEvent}, 'problem', ${problemWithOpenTestsJson(limitsInEvent)}`,
                 problemSettings,
               )}
             end::text as body
      from ${eventProblems}
      cross join (select ${changesOf('events', 'problems')} as version) as state
      where event_problems.id = :event_problem_id and ${isShown}`,
} as const

/**
 * With public test cases only. No body: the actor may not read the problem, or not yet (D33), the
 * reader has `known_version`, or the problem's texts and tests are longer than `most_bytes`.
 */
export const readEventProblem = actorStatement({
  name: 'read_event_problem',
  coalesced: 'reads',
  ...readingOfEventProblem,
})

/** The same for a problem that is too long for a batch. */
export const readLongEventProblem = actorStatement({
  name: 'read_long_event_problem',
  ...readingOfEventProblem,
})

/** `settings` names those that were sent. */
const settingParams = {
  settings: 'text[]',
  label: 'text | null',
  color: 'text | null',
  position: 'integer | null',
  accept_timeout: 'float8 | null',
  execution_timeout: 'float8 | null',
  memory_limit: 'integer | null',
  hidden: 'boolean?',
} as const

/**
 * Adds a problem that the actor may see (D33, P21). A problem that staff has removed with its
 * submissions is added again by staff only, and only staff sends settings (P20). Without a lock of
 * the event: its triggers count the cells of the problem again, as changes of the event do. No row:
 * there is no such event.
 */
export const addEventProblem = actorStatement({
  name: 'add_event_problem',
  params: { event_id: 'integer', problem_id: 'integer', ...settingParams },
  row: row<
    | { outcome: 'added'; body: string }
    | { outcome: 'settings_of_others' | 'not_staff' | 'no_problem' | 'already_in_event'; body: null }
  >(),
  with: `event as (
      select events.id, ${admitsByActor('events')} as is_writable,
             ${managesEvent('events')} or :settings = '{}' as takes_settings,
             ${managesEvent('events')} or not exists (
               select from event_scores
               where event_scores.event_id = events.id and event_scores.problem_id = :problem_id) as takes_problem
      from events
      where events.id = :event_id and events.deleted_at is null
    ), problem as (
      select problems.id from problems where problems.id = :problem_id and ${problemIsVisible('problems')}
    ), added as (
      insert into event_problems (event_id, problem_id, label, color, position, accept_timeout, execution_timeout,
                                  memory_limit, hidden)
      select event.id, problem.id, :label, :color, :position, :accept_timeout, :execution_timeout,
             :memory_limit, coalesce(:hidden, false)
      from event, problem
      where event.is_writable and event.takes_problem and event.takes_settings and ${ACTOR_EXISTS}
      on conflict do nothing
      returning event_problems.*
    )`,
  select: `
      select case
               when exists (select from added) then 'added'
               when not event.takes_settings then 'settings_of_others'
               when not event.is_writable then 'not_staff'
               when not exists (select from problem) then 'no_problem'
               when event.takes_problem or exists (
                 select from event_problems
                 where event_problems.event_id = event.id and event_problems.problem_id = :problem_id)
                 then 'already_in_event'
               else 'not_staff'
             end as outcome,
             (select json_build_object(${identityFields})::text from added as event_problems) as body
      from event`,
})

/** A problem of an event, to change or to remove it. */
const changedProblem = `
      select event_problems.*
      from event_problems
      join problems on problems.id = event_problems.problem_id and problems.deleted_at is null
      where event_problems.id = :event_problem_id and event_problems.event_id = :event_id`

const existingEvent = 'select events.* from events where events.id = :event_id and events.deleted_at is null'

/** SQL: the sent value of a setting, else the present one. `:settings` names those sent. */
const planned = (setting: string) =>
  `case when '${setting}' = any (:settings) then :${setting} else event_problems.${setting} end`

/** Changes how an event shows and limits a problem (P20). No row: there is no such event. */
export const updateEventProblem = actorStatement({
  name: 'update_event_problem',
  params: { event_id: 'integer', event_problem_id: 'integer', ...settingParams },
  row: row<{ outcome: 'updated'; body: string } | { outcome: 'not_staff' | 'no_problem'; body: null }>(),
  with: `event as (${existingEvent}
    ), changed as (${changedProblem}
    ), updated as (
      update event_problems
      set label             = ${planned('label')},
          color             = ${planned('color')},
          position          = ${planned('position')},
          accept_timeout    = ${planned('accept_timeout')},
          execution_timeout = ${planned('execution_timeout')},
          memory_limit      = ${planned('memory_limit')},
          hidden            = coalesce(:hidden, event_problems.hidden)
      from changed, event
      where event_problems.id = changed.id and ${managesEvent('event')} and ${ACTOR_EXISTS}
      returning event_problems.*
    )`,
  select: `
      select case
               when not ${managesEvent('event')} then 'not_staff'
               when exists (select from updated) then 'updated'
               else 'no_problem'
             end as outcome,
             (select (${withNotNull(`${identityFields},${limitsInEvent}`, problemSettings)})::text
              from updated as event_problems
              join problems on problems.id = event_problems.problem_id) as body
      from event`,
})

/**
 * After `lockManagedEvent`. A problem with submissions needs `force`. Its cells that a thaw has
 * revealed are hidden again, in case it is added again. No row: there is no such event.
 */
export const removeEventProblem = actorStatement({
  name: 'remove_event_problem',
  params: { event_id: 'integer', event_problem_id: 'integer', force: 'boolean' },
  row: row<{ outcome: 'removed' | 'not_staff' | 'no_problem' | 'has_submissions' }>(),
  with: `event as (${existingEvent}
    ), changed as (${changedProblem}
    ), removed as (
      delete from event_problems
      using changed, event
      where event_problems.id = changed.id and ${managesEvent('event')} and ${ACTOR_EXISTS}
        and (:force or not exists (
          select from event_scores
          where event_scores.event_id = changed.event_id and event_scores.problem_id = changed.problem_id))
      returning event_problems.problem_id
    ), hidden_again as (
      delete from event_reveals
      using removed
      where event_reveals.event_id = :event_id and event_reveals.problem_id = removed.problem_id
    )`,
  select: `
      select case
               when not ${managesEvent('event')} then 'not_staff'
               when exists (select from removed) then 'removed'
               when exists (select from changed) then 'has_submissions'
               else 'no_problem'
             end as outcome
      from event`,
})
