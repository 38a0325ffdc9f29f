import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { row } from '../../../db/statement.ts'
import { contestState, lastEnd } from '../../shared/access/contest-times.ts'
import { managesEvent } from '../../shared/access/events.ts'
import { IS_RANKED_PROBLEM } from './ranks.ts'
import type { RankedBy } from './shown.ts'
import { ROW_ORDER, standingsTable } from './table.ts'

export type ThawRefusal = 'not_staff' | 'not_frozen' | 'not_ended'

/** What staff may do with the standings; `freeze_time` is the first time of a frozen submission. */
export type ThawState = {
  refusal: ThawRefusal | null
  freeze_time: string
  is_thawed: boolean
  ranks_teams: boolean
}

/** After `lockManagedEvent`. */
export const readThawState = actorStatement({
  name: 'read_thaw_state',
  params: { event_id: 'integer' },
  row: row<ThawState>(),
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

/** The cells that were revealed or hidden again: of a user, or of a team's members. */
export type ChangedCell = { cell: string; problem_id: number; user_ids: string[] }

/** A frozen cell of a row, or of the members of a row that is a team. */
const frozenCells = (by: RankedBy) => `
        select columns.problem_id, columns.number, event_scores.user_id
        from event_scores
        join columns on columns.problem_id = event_scores.problem_id
        ${
          by === 'team'
            ? `join event_participants on event_participants.event_id = event_scores.event_id
          and event_participants.user_id = event_scores.user_id and event_participants.team_id = ranked.id`
            : ''
        }
        where event_scores.event_id = :event_id and event_scores.frozen_from is not null
          ${by === 'user' ? 'and event_scores.user_id = ranked.id' : ''}`

const REVERSED = ROW_ORDER.split(', ')
  .map((column) => `${column} desc`)
  .join(', ')

/** Reveals the first frozen cell of the last row that has one. No row: no cell is frozen. */
const revealNext = (by: RankedBy) =>
  actorStatement({
    name: `reveal_next_of_${by}`,
    params: { event_id: 'integer' },
    row: row<ChangedCell>(),
    with: `${standingsTable(by, 'false')}, last_row as (
      select ranked.*
      from ranked
      where exists (${frozenCells(by)})
      order by ${REVERSED}
      limit 1
    ), next_cell as (
      select ranked.id, ranked.name, frozen.problem_id
      from last_row as ranked
      cross join lateral (${frozenCells(by)}
        order by columns.number
        limit 1) as frozen
    ), revealed as (
      insert into event_reveals (event_id, user_id, problem_id, step)
      select :event_id, frozen.user_id, next_cell.problem_id, (
               select coalesce(max(event_reveals.step), 0) + 1
               from event_reveals
               where event_reveals.event_id = :event_id)
      from next_cell
      join last_row as ranked on true
      cross join lateral (${frozenCells(by)}) as frozen
      where frozen.problem_id = next_cell.problem_id and ${ACTOR_EXISTS}
      returning event_reveals.user_id
    )`,
    select: `
      select json_build_object('${by}', json_build_object('id', next_cell.id, 'name', next_cell.name),
               'problem_id', next_cell.problem_id)::text as cell,
             next_cell.problem_id, array(select revealed.user_id::text from revealed) as user_ids
      from next_cell`,
  })

export const revealNextOfUser = revealNext('user')
export const revealNextOfTeam = revealNext('team')

/** Hides again what the last step revealed. No row: there was no step. */
export const hideLast = actorStatement({
  name: 'hide_last',
  params: { event_id: 'integer' },
  row: row<ChangedCell>(),
  with: `hidden as (
      delete from event_reveals
      where event_reveals.event_id = :event_id and ${ACTOR_EXISTS} and event_reveals.step = (
        select max(last.step) from event_reveals as last where last.event_id = :event_id)
      returning event_reveals.*
    )`,
  select: `
      select case when teams.id is null
               then json_build_object('user', json_build_object('id', users.id, 'name', users.name),
                      'problem_id', hidden.problem_id)
               else json_build_object('team', json_build_object('id', teams.id, 'name', teams.name),
                      'problem_id', hidden.problem_id) end::text as cell,
             hidden.problem_id, array(select other.user_id::text from hidden as other) as user_ids
      from hidden
      join users on users.id = hidden.user_id
      left join event_participants
        on event_participants.event_id = hidden.event_id and event_participants.user_id = hidden.user_id
      join events on events.id = hidden.event_id
      left join teams on teams.id = event_participants.team_id and events.teams
      limit 1`,
})

/** Counts cells of one problem again; a trigger counts. Locked in the order of their keys. */
export const recountCellsOf = actorStatement({
  name: 'recount_cells_of',
  params: { event_id: 'integer', problem_id: 'integer', user_ids: 'uuid[]' },
  with: `locked as (
      select event_scores.user_id
      from event_scores
      where event_scores.event_id = :event_id and event_scores.problem_id = :problem_id
        and event_scores.user_id = any (:user_ids) and ${ACTOR_EXISTS}
      order by event_scores.user_id
      for update
    ), recounted as (
      update event_scores
      set outcomes = event_scores.outcomes
      from locked
      where event_scores.event_id = :event_id and event_scores.problem_id = :problem_id
        and event_scores.user_id = locked.user_id
    )`,
  select: 'select',
})

/**
 * The state of a contest, and how many steps thaw it: one for each frozen cell of a row, and one
 * more.
 */
export const readThaw = actorStatement({
  name: 'read_thaw',
  params: { event_id: 'integer' },
  row: row<{ state: string; steps_left: number }>(),
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
