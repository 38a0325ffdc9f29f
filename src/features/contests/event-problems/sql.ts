import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { fieldsOf, objectText } from '../../../db/json.ts'
import { bodyIf, oneOf, type RowOf } from '../../../db/statement.ts'
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
  limitsInEvent,
  managesEvent,
  PROBLEM_ORDER,
  problemSettings,
  seesAllOf,
  seesLive,
  takesPartIn,
} from '../../shared/access/events.ts'
import { isListedIn, isReadableIn, problemIsVisible } from '../../shared/access/problems.ts'

const identityFields = fieldsOf('event_problems', 'id', 'event_id', 'problem_id', 'hidden')

/**
 * The problems of the event `:event_id` that the actor sees if the event is open to them.
 * `sees_all`: hidden ones too. `is_open_anyway`: the event is open also to those who do not take
 * part (P21). `is_readable`: after the start, if the problem is public or the actor takes part
 * (D33). `offset 0`: it looks for the participant once.
 */
const SEEN_PROBLEMS = `event_problems
      join (
        select events.id, ${seesAllOf('events')} as sees_all, ${hasStarted('events')} as has_started,
               ${takesPartIn('events')} as takes_part,
               events.admission is distinct from 'invited' or ${seesLive('events')} as is_open_anyway
        from events
        where events.id = :event_id and events.deleted_at is null
        offset 0) as events
        on events.id = event_problems.event_id and ${isListedIn('events')}
      join problems on problems.id = event_problems.problem_id and problems.deleted_at is null
      cross join lateral (select ${isReadableIn('events', 'problems')} as is_readable) as seen`

/** Each author of a private problem is a separate audience (D33). */
export const AUDIENCE_OF_PROBLEMS = `case
        when ${seesAllOf('events')} then 'all'
        when ${takesPartIn('events')} then 'participants'
        when exists (
          select from event_problems
          join problems on problems.id = event_problems.problem_id
          where event_problems.event_id = events.id and problems.user_id = :actor) then :actor::text
        else 'others' end`

/** A problem without limits and text (D33). */
const briefProblemJson = `json_build_object(
          'id', problems.id,
          'title', problems.title,
          'prompt', '',
          'difficulty', problems.difficulty,
          'upload_date', utc(problems.upload_date),
          'updated_at', utc(problems.updated_at))`

const WITH_LIMITS = `json_build_object(${identityFields},${limitsInEvent})`

/** Problems that the actor may not read are brief (D33). */
export const listEventProblems = defineList({
  name: 'list_event_problems',
  params: { event_id: 'integer' },
  item: objectText(
    `case when seen.is_readable then ${WITH_LIMITS} else json_build_object(${identityFields}) end`,
    problemSettings,
    {
      problem: `case when seen.is_readable then ${problemSummaryJson(limitsInEvent)} else ${briefProblemJson} end`,
    },
  ),
  bytes: problemBytes,
  from: SEEN_PROBLEMS,
  where: 'event_problems.event_id = :event_id',
  order: ascending(...PROBLEM_ORDER),
  owner: EVENT,
  version: {
    changes: `concat_ws(' ', ${changesOf('events', 'problems')}, (
      select ${hasStarted('events')} from events where events.id = :event_id))`,
    audience: `(select ${AUDIENCE_OF_PROBLEMS} from events where events.id = :event_id)`,
  },
})

/** The same for all readers. */
const readingOfEventProblem = {
  params: {
    event_id: 'integer',
    event_problem_id: 'integer',
    most_bytes: 'bigint',
    known_version: 'text | null',
  },
  columns: [
    { outcome: oneOf('open'), version: 'text', body: 'text | null' },
    { outcome: oneOf('not_started', 'closed'), version: 'text', body: 'null' },
  ],
  select: `
      select case
               when seen.is_readable then 'open'
               when events.has_started then 'closed'
               else 'not_started'
             end as outcome,
             state.version,
             case when case
                 when :known_version = state.version then false
                 else seen.is_readable and ${problemIsShort('false')} end then ${objectText(
                   WITH_LIMITS,
                   problemSettings,
                   { problem: problemWithOpenTestsJson(limitsInEvent) },
                 )}
             end as body
      from ${SEEN_PROBLEMS}
      cross join (select ${changesOf('events', 'problems')} as version) as state
      where event_problems.id = :event_problem_id and (events.is_open_anyway or events.takes_part)`,
} as const

export type EventProblemRow = RowOf<(typeof readingOfEventProblem)['columns']>

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
  points: 'float8 | null',
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
  columns: bodyIf('added', 'settings_of_others', 'not_staff', 'no_problem', 'already_in_event'),
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
      insert into event_problems (event_id, problem_id, label, color, position, points, accept_timeout,
                                  execution_timeout, memory_limit, hidden)
      select event.id, problem.id, :label, :color, :position, :points, :accept_timeout,
             :execution_timeout, :memory_limit, coalesce(:hidden, false)
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

/** SQL: each setting gets the value that was sent, or stays. `:settings` names those sent. */
const plannedSettings = [
  ...['label', 'color', 'position', 'points'],
  ...['accept_timeout', 'execution_timeout', 'memory_limit'],
]
  .map(
    (name) => `${name} = case when '${name}' = any (:settings) then :${name} else event_problems.${name} end`,
  )
  .join(`,
          `)

/** Changes how an event shows and limits a problem (P20). No row: there is no such event. */
export const updateEventProblem = actorStatement({
  name: 'update_event_problem',
  params: { event_id: 'integer', event_problem_id: 'integer', ...settingParams },
  columns: bodyIf('updated', 'not_staff', 'no_problem'),
  with: `event as (${existingEvent}
    ), changed as (${changedProblem}
    ), updated as (
      update event_problems
      set ${plannedSettings},
          hidden = coalesce(:hidden, event_problems.hidden)
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
             (select ${objectText(WITH_LIMITS, problemSettings)}
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
  columns: { outcome: oneOf('removed', 'not_staff', 'no_problem', 'has_submissions') },
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
