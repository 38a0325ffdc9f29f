import { ACTOR_LIVES, guarded } from '../../db/actor-statement.ts'
import { defineList } from '../../lists/definition.ts'
import { changesOf } from '../../lists/version.ts'
import { EVENT_EXISTS, hasStarted, seesAllOf, takesPartIn } from '../access/events.ts'
import { problemIsVisible } from '../access/problems.ts'
import { problemSummaryJson, problemWithOpenTestsJson } from '../problems/sql.ts'

const identityFields = `
      'id', event_problems.id,
      'event_id', event_problems.event_id,
      'problem_id', event_problems.problem_id,
      'hidden', event_problems.hidden`

const limitFields = `
      'accept_timeout', coalesce(event_problems.accept_timeout, problems.accept_timeout),
      'execution_timeout', coalesce(event_problems.execution_timeout, problems.execution_timeout),
      'memory_limit', coalesce(event_problems.memory_limit, problems.memory_limit)`

const ofEvents = `event_problems
      join events on events.id = event_problems.event_id
      join problems on problems.id = event_problems.problem_id`

/** Whether the event, and this problem in it, are there for the actor at all; hidden ones are not (D33). */
const isShown = `event_problems.event_id = $4::integer and events.deleted_at is null and problems.deleted_at is null
      and (not event_problems.hidden or ${seesAllOf('events')})`

/** Whether the actor reads the problem itself: once the contest has started, where it is public or they take part (D19, D33). */
const isOpen = `(${seesAllOf('events')}
      or (${hasStarted('events')} and (${problemIsVisible('problems')} or ${takesPartIn('events')})))`

/** Those who see all of $4 event, those who take part, of the others each who wrote a problem of it, and the rest (D33). */
const problemAudience = `(
      select case
        when ${seesAllOf('events')} then 'all'
        when ${takesPartIn('events')} then 'participants'
        when exists (
          select from event_problems
          join problems on problems.id = event_problems.problem_id
          where event_problems.event_id = events.id and problems.user_id = $1::uuid) then $1::text
        else 'others' end
      from events
      where events.id = $4::integer)`

/** $4 event: its problems, those that are not open to the actor in brief (D33). */
export const listEventProblems = defineList('list_event_problems', {
  item: `case when ${isOpen}
      then json_build_object(${identityFields}, ${limitFields}, 'problem', ${problemSummaryJson})
      else json_build_object(${identityFields},
        'problem', json_build_object('id', problems.id, 'title', problems.title, 'difficulty', problems.difficulty))
    end`,
  from: `${ofEvents} where ${isShown}`,
  values: 1,
  key: [{ column: 'event_problems.id', type: 'integer' }],
  direction: 'asc',
  given: EVENT_EXISTS,
  version: {
    changes: `concat_ws(' ', ${changesOf('events', 'problems')}, (
      select ${hasStarted('events')} from events where events.id = $4::integer))`,
    audience: problemAudience,
  },
})

/** $4 event, $5 problem of the event, with its public test cases. Without a body the actor may not read it, or not yet (D33). */
export const readEventProblem = guarded<{ body: string | null; has_started: boolean }>('read_event_problem', {
  select: `select ${hasStarted('events')} as has_started,
                  case when ${isOpen} then
                    json_build_object(${identityFields}, ${limitFields}, 'problem', ${problemWithOpenTestsJson})
                  end::text as body
           from ${ofEvents}
           where event_problems.id = $5::integer and ${isShown}`,
})

/** $4 event, $5 problem, which the actor must be able to see (D33). Without a body it is not there, or in the event already. */
export const addEventProblem = guarded<{ body: string | null; has_problem: boolean }>('add_event_problem', {
  ctes: `event as (
      select events.id from events where events.id = $4::integer and events.deleted_at is null
    ), problem as (
      select problems.id from problems where problems.id = $5::integer and ${problemIsVisible('problems')}
    ), added as (
      insert into event_problems (event_id, problem_id)
      select event.id, problem.id
      from event, problem
      where ${ACTOR_LIVES}
      on conflict do nothing
      returning event_problems.*
    )`,
  select: `select (select json_build_object(${identityFields})::text from added as event_problems) as body,
                  exists (select from problem) as has_problem
           from event`,
})
