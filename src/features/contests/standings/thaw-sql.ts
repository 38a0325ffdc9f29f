import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { oneOf, type RowOf } from '../../../db/statement.ts'
import { contestState, lastEnd } from '../../shared/access/contest-times.ts'
import { managesEvent } from '../../shared/access/events.ts'
import { IS_RANKED_PROBLEM } from './ranks.ts'

const REFUSALS = ['not_staff', 'not_frozen', 'not_ended'] as const

export type ThawRefusal = (typeof REFUSALS)[number]

/** What staff may do with the standings; `freeze_time` is the first time of a frozen submission. */
const stateColumns = { freeze_time: 'text', is_thawed: 'boolean', ranks_teams: 'boolean' } as const

export type ThawState = RowOf<typeof stateColumns>

/** After `lockManagedEvent`. */
export const readThawState = actorStatement({
  name: 'read_thaw_state',
  params: { event_id: 'integer' },
  columns: [{ refusal: 'null', ...stateColumns }, { refusal: oneOf(...REFUSALS) }],
  select: `
      select case
               when not ${managesEvent('events')} then 'not_staff'
               when events.freeze_time is null then 'not_frozen'
               when clock_timestamp() < ${lastEnd('events')} then 'not_ended'
             end as refusal,
             events.freeze_time::text, events.thawed_at is not null as is_thawed, events.teams as ranks_teams
      from events
      where events.id = :event_id and events.deleted_at is null`,
})

/** Shows the standings to everybody as they are; with `thawed` false, hides them again. */
export const setThawed = actorStatement({
  name: 'set_thawed',
  params: { event_id: 'integer', thawed: 'boolean' },
  with: `changed as (
      update events
      set thawed_at = case when :thawed then clock_timestamp() end
      where events.id = :event_id and ${ACTOR_EXISTS}
    )`,
  select: 'select',
})

/** Reveals the frozen cell of a user, or of the members of a team, at a problem. */
export const revealCell = actorStatement({
  name: 'reveal_cell',
  params: { event_id: 'integer', owner_id: 'uuid', problem_id: 'integer' },
  columns: { user_ids: 'text[]' },
  with: `revealed as (
      insert into event_reveals (event_id, user_id, problem_id, step)
      select event_scores.event_id, event_scores.user_id, event_scores.problem_id, (
               select coalesce(max(event_reveals.step), 0) + 1
               from event_reveals
               where event_reveals.event_id = :event_id)
      from event_scores
      where event_scores.event_id = :event_id and event_scores.problem_id = :problem_id
        and event_scores.frozen_from is not null and ${ACTOR_EXISTS}
        and (event_scores.user_id = :owner_id or event_scores.user_id = any (array(
          select event_participants.user_id
          from event_participants
          where event_participants.event_id = :event_id and event_participants.team_id = :owner_id)))
      returning event_reveals.user_id
    )`,
  select: 'select array(select revealed.user_id::text from revealed) as user_ids',
})

/** Hides again what the last step revealed. No row: there was no step. */
export const hideLast = actorStatement({
  name: 'hide_last',
  params: { event_id: 'integer' },
  columns: { cell: 'text', problem_id: 'integer', user_ids: 'text[]' },
  with: `hidden as (
      delete from event_reveals
      where event_reveals.event_id = :event_id and ${ACTOR_EXISTS} and event_reveals.step = (
        select max(last.step) from event_reveals as last where last.event_id = :event_id)
      returning event_reveals.*
    )`,
  select: `
      select json_build_object(
               case when teams.id is null then 'user' else 'team' end,
               json_build_object('id', coalesce(teams.id, users.id), 'name', coalesce(teams.name, users.name)),
               'problem_id', hidden.problem_id)::text as cell,
             hidden.problem_id, array(select other.user_id::text from hidden as other) as user_ids
      from hidden
      join users on users.id = hidden.user_id
      left join event_participants
        on event_participants.event_id = hidden.event_id and event_participants.user_id = hidden.user_id
      join events on events.id = hidden.event_id
      left join teams on teams.id = event_participants.team_id and events.teams
      limit 1`,
})

/**
 * The state of a contest, and how many steps thaw it: one for each frozen cell of a row, and one
 * more.
 */
export const readThaw = actorStatement({
  name: 'read_thaw',
  params: { event_id: 'integer' },
  columns: { state: 'text', steps_left: 'integer' },
  select: `
      select ${contestState('events')} as state,
             case when events.thawed_at is not null then 0 else 1 + (
               select count(distinct (
                        case when events.teams then event_participants.team_id else event_scores.user_id end,
                        event_scores.problem_id))::integer
               from event_scores
               join event_problems
                 on event_problems.event_id = event_scores.event_id
                 and event_problems.problem_id = event_scores.problem_id
               join problems on problems.id = event_problems.problem_id and ${IS_RANKED_PROBLEM}
               join event_participants
                 on event_participants.event_id = event_scores.event_id
                 and event_participants.user_id = event_scores.user_id
                 and (not events.teams or event_participants.team_id is not null)
               where event_scores.event_id = events.id and event_scores.frozen_from is not null) end as steps_left
      from events
      where events.id = :event_id`,
})
