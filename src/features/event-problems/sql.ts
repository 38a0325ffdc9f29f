import { ACTOR_EXISTS, actorStatement } from '../../db/actor-statement.ts'
import { row } from '../../db/statement.ts'
import { defineList } from '../../lists/definition.ts'
import { ascending } from '../../lists/order.ts'
import { changesOf } from '../../lists/version.ts'
import {
  admitsByActor,
  EVENT,
  hasStarted,
  isOpenTo,
  limitsInEvent,
  PROBLEM_ORDER,
  seesAllOf,
  takesPartIn,
} from '../access/events.ts'
import { problemIsVisible } from '../access/problems.ts'
import {
  problemBytes,
  problemIsShort,
  problemSummaryJson,
  problemWithOpenTestsJson,
} from '../problems/problem-json.ts'

const identityFields = `
      'id', event_problems.id,
      'event_id', event_problems.event_id,
      'problem_id', event_problems.problem_id,
      'hidden', event_problems.hidden`

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
      then json_build_object(${identityFields},${limitsInEvent}, 'problem', ${problemSummaryJson(limitsInEvent)})
      else json_build_object(${identityFields}, 'problem', ${briefProblemJson})
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
  | { outcome: 'open'; body: string | null }
  | { outcome: 'not_started' | 'closed'; body: null }

/**
 * With public test cases only. No body: the actor may not read the problem, or not yet (D33), or its
 * texts and tests are longer than `most_bytes`.
 */
export const readEventProblem = actorStatement({
  name: 'read_event_problem',
  params: { event_id: 'integer', event_problem_id: 'integer', most_bytes: 'bigint' },
  row: row<EventProblemRow>(),
  select: `
      select case
               when ${isOpen} then 'open'
               when ${hasStarted('events')} then 'closed'
               else 'not_started'
             end as outcome,
             case when ${isOpen} and ${problemIsShort('false')} then
               json_build_object(${identityFields},${limitsInEvent}, 'problem', ${problemWithOpenTestsJson(limitsInEvent)})
             end::text as body
      from ${eventProblems}
      where event_problems.id = :event_problem_id and ${isShown}`,
})

/** Adds a problem that the actor may see (D33, P21). No row: there is no such event. */
export const addEventProblem = actorStatement({
  name: 'add_event_problem',
  params: { event_id: 'integer', problem_id: 'integer' },
  row: row<
    | { outcome: 'added'; body: string }
    | { outcome: 'not_staff' | 'no_problem' | 'already_in_event'; body: null }
  >(),
  with: `event as (
      select events.id, ${admitsByActor('events')} as is_writable
      from events
      where events.id = :event_id and events.deleted_at is null
    ), problem as (
      select problems.id from problems where problems.id = :problem_id and ${problemIsVisible('problems')}
    ), added as (
      insert into event_problems (event_id, problem_id)
      select event.id, problem.id
      from event, problem
      where event.is_writable and ${ACTOR_EXISTS}
      on conflict do nothing
      returning event_problems.*
    )`,
  select: `
      select case
               when exists (select from added) then 'added'
               when not event.is_writable then 'not_staff'
               when exists (select from problem) then 'already_in_event'
               else 'no_problem'
             end as outcome,
             (select json_build_object(${identityFields})::text from added as event_problems) as body
      from event`,
})
