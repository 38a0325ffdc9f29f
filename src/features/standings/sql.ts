import { defineList } from '../../lists/definition.ts'
import { changesOfStandings } from '../../lists/version.ts'
import { AUDIENCE_OF_HIDDEN, EVENT_EXISTS, seesAllOf } from '../access/events.ts'

/**
 * $4 event: every cell of its standings but those of problems that are hidden from the actor (D33); no submission is read (D35). Minutes are
 * whole, from the start, and never negative. What is long about a cell was written with it (migration 0007): making it took most of the time.
 */
export const listAttempts = defineList('list_attempts', {
  item: `coalesce(event_scores.cell, cell_text(event_scores.user_id, event_scores.problem_id, event_scores.attempts,
        event_scores.total_attempts, event_scores.first_accepted_time))
      || case when event_scores.first_accepted_time is null then ''
         else ',"minutes_to_solve":' || greatest(0, floor(
           date_part('epoch', event_scores.first_accepted_time - events.start_time) / 60))::integer end
      || '}'`,
  from: `event_scores
         join events on events.id = event_scores.event_id
         where event_scores.event_id = $4::integer
           and event_scores.problem_id <> all (array(
             select event_problems.problem_id
             from event_problems
             join events as its on its.id = event_problems.event_id
             where its.id = $4::integer and event_problems.hidden and not ${seesAllOf('its')}))`,
  values: 1,
  key: [
    { column: 'event_scores.user_id', type: 'uuid' },
    { column: 'event_scores.problem_id', type: 'integer' },
  ],
  direction: 'asc',
  given: EVENT_EXISTS,
  version: { changes: changesOfStandings('events'), audience: AUDIENCE_OF_HIDDEN },
})

/** $4 event: the caller's own status of each problem that they tried, an accepted one before the latest (D35). */
export const listOwnProblemStatus = defineList('list_own_problem_status', {
  item: `json_build_object(
      'problem_id', event_scores.problem_id,
      'status', shown.status,
      'submit_time', utc(timestamptz 'epoch' + shown.submitted * interval '1 microsecond'))`,
  from: `event_scores
         cross join lateral (
           select outcome.value ->> 1 as status, (outcome.value ->> 0)::bigint as submitted
           from jsonb_each(event_scores.outcomes) as outcome (submission_id, value)
           order by outcome.value ->> 1 = 'ACCEPTED' desc, (outcome.value ->> 0)::bigint desc
           limit 1
         ) as shown
         where event_scores.event_id = $4::integer and event_scores.user_id = $1::uuid`,
  values: 1,
  key: [{ column: 'event_scores.problem_id', type: 'integer' }],
  direction: 'asc',
  given: EVENT_EXISTS,
})

/** $4 event: how many people tried and how many solved each of its problems (D35). */
export const listProblemStats = defineList('list_problem_stats', {
  item: `json_build_object(
      'problem_id', event_problems.problem_id,
      'accepted_count', counted.accepted,
      'attempted_count', counted.attempted)`,
  from: `event_problems
         join events on events.id = event_problems.event_id
         join problems on problems.id = event_problems.problem_id and problems.deleted_at is null
         cross join lateral (
           select count(event_scores.first_accepted_time) as accepted, count(*) as attempted
           from event_scores
           where event_scores.event_id = event_problems.event_id and event_scores.problem_id = event_problems.problem_id
         ) as counted
         where event_problems.event_id = $4::integer
           and (not event_problems.hidden or ${seesAllOf('events')})`,
  values: 1,
  key: [{ column: 'event_problems.id', type: 'integer' }],
  direction: 'asc',
  given: EVENT_EXISTS,
  version: { changes: changesOfStandings('events', 'problems'), audience: AUDIENCE_OF_HIDDEN },
})
