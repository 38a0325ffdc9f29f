import { endFor } from '../access/events.ts'
import { HAS_PLACE, hasPoints, IS_COLUMN, rankOrder, totalsIn } from '../standings/ranks.ts'
import { outcomesOf } from '../standings/scores.ts'

/**
 * SQL of `event_id`, `user_id` and `rank` of all users in the standings of the CTE `contests`, from
 * a relation of cells: `event_id`, `user_id`, `attempts`, `accepted_time` and `score`.
 */
const ranksFrom = (cells: string) => `
      select totals.event_id, totals.user_id,
             rank() over (
               partition by totals.event_id
               order by ${rankOrder('totals', 'totals.has_points')}) as rank
      from (
        select event_participants.event_id, event_participants.user_id, ${hasPoints('events')} as has_points,
               ${totalsIn('events')}
        from contests
        join events on events.id = contests.event_id
        join event_participants on event_participants.event_id = events.id and ${HAS_PLACE}
        left join (${cells}) as cells
          on cells.event_id = event_participants.event_id and cells.user_id = event_participants.user_id
        group by events.id, event_participants.event_id, event_participants.user_id
      ) as totals`

const cellsOf = (attempts: string, acceptedTime: string, score: string) => `
          select cells.event_id, cells.user_id, cells.${attempts} as attempts,
                 cells.${acceptedTime} as accepted_time, cells.${score} as score
          from cells`

/**
 * CTEs of the ranks that would change with the verdicts of the CTE `changed`, which has `event_id`,
 * `user_id`, `problem_id`, `submission_id`, `submit_time`, `status` and `score`: `moved` has
 * `event_id`, `user_id`, `from_rank` and `to_rank`. Frozen standings count as they are.
 */
export const RANKS_MOVED = `contests as materialized (
      select distinct changed.event_id from changed where changed.event_id is not null
    ), overlays as materialized (
      select changed.event_id, changed.user_id, changed.problem_id,
             ${outcomesOf('changed', 'submission_id')} as outcomes
      from changed
      where changed.event_id is not null
      group by changed.event_id, changed.user_id, changed.problem_id
    ), cells as materialized (
      select event_scores.event_id, event_scores.user_id,
             event_scores.attempts, event_scores.first_accepted_time as accepted_time, event_scores.score,
             counted.attempts as new_attempts, counted.accepted_time as new_accepted_time, counted.score as new_score
      from contests
      join events on events.id = contests.event_id
      join event_problems on event_problems.event_id = contests.event_id
      join problems on problems.id = event_problems.problem_id and ${IS_COLUMN}
      join event_scores
        on event_scores.event_id = event_problems.event_id and event_scores.problem_id = event_problems.problem_id
      join event_participants
        on event_participants.event_id = event_scores.event_id and event_participants.user_id = event_scores.user_id
      left join overlays
        on overlays.event_id = event_scores.event_id and overlays.user_id = event_scores.user_id
        and overlays.problem_id = event_scores.problem_id
      cross join lateral (
        select event_scores.attempts, event_scores.first_accepted_time as accepted_time, event_scores.score
        where overlays.outcomes is null
        union all
        select new.attempts, new.first_accepted_time, new.score
        from count_cell(
          event_scores.outcomes || overlays.outcomes, ${endFor('events', 'event_participants')}, null) as new
        where overlays.outcomes is not null
      ) as counted
    ), moved as materialized (
      select before.event_id, before.user_id, before.rank as from_rank, after.rank as to_rank
      from (${ranksFrom(cellsOf('attempts', 'accepted_time', 'score'))}
      ) as before
      join (${ranksFrom(cellsOf('new_attempts', 'new_accepted_time', 'new_score'))}
      ) as after on after.event_id = before.event_id and after.user_id = before.user_id
      where after.rank <> before.rank
    )`

/** The rows of the CTE `moved` as the field `rank_changes`. */
export const ranksJson = `(
        select coalesce(json_agg(json_build_object(
                 'event_id', moved.event_id, 'user_id', moved.user_id,
                 'from_rank', moved.from_rank, 'to_rank', moved.to_rank)
                 order by moved.event_id, moved.from_rank, moved.user_id), '[]')
        from moved)`
