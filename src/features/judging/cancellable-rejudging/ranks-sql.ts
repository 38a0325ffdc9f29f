import {
  hasPoints,
  IS_RANKED_PARTICIPANT,
  IS_RANKED_PROBLEM,
  rankOrder,
  totalsIn,
} from '../../contests/standings/ranks.ts'
import { outcomesOf } from '../../contests/standings/scores.ts'
import { endFor } from '../../shared/access/contest-times.ts'

/**
 * SQL of the rank of each row of the CTE `ranked`, from a relation of cells: `event_id`, `kind`,
 * `id`, `attempts`, `accepted_time` and `score`.
 */
const ranksFrom = (cells: string) => `
      select totals.event_id, totals.kind, totals.id,
             rank() over (
               partition by totals.event_id, totals.kind
               order by ${rankOrder('totals', 'totals.has_points')}) as rank
      from (
        select ranked.event_id, ranked.kind, ranked.id, ${hasPoints('events')} as has_points,
               ${totalsIn('events')}
        from ranked
        join events on events.id = ranked.event_id
        left join (${cells}) as cells
          on cells.event_id = ranked.event_id and cells.kind = ranked.kind and cells.id = ranked.id
        group by events.id, ranked.event_id, ranked.kind, ranked.id
      ) as totals`

const cellsOf = (attempts: string, acceptedTime: string, score: string) => `
          select cells.event_id, cells.kind, cells.id, cells.${attempts} as attempts,
                 cells.${acceptedTime} as accepted_time, cells.${score} as score
          from cells`

/** The cells of the contests, with the new verdicts of each in `overlays`, if any. */
const CELLS_WITH_OVERLAYS = `from contests
      join events on events.id = contests.event_id
      join event_problems on event_problems.event_id = contests.event_id
      join problems on problems.id = event_problems.problem_id and ${IS_RANKED_PROBLEM}
      join event_scores
        on event_scores.event_id = event_problems.event_id and event_scores.problem_id = event_problems.problem_id
      join event_participants
        on event_participants.event_id = event_scores.event_id and event_participants.user_id = event_scores.user_id
      left join overlays
        on overlays.event_id = event_scores.event_id and overlays.user_id = event_scores.user_id
        and overlays.problem_id = event_scores.problem_id`

const CELLS_OF_USERS = `
      select event_scores.event_id, 'user' as kind, event_scores.user_id as id,
             event_scores.attempts, event_scores.first_accepted_time as accepted_time, event_scores.score,
             counted.attempts as new_attempts, counted.accepted_time as new_accepted_time, counted.score as new_score
      ${CELLS_WITH_OVERLAYS}
      cross join lateral (
        select event_scores.attempts, event_scores.first_accepted_time as accepted_time, event_scores.score
        where overlays.outcomes is null
        union all
        select new.attempts, new.first_accepted_time, new.score
        from count_cell(
          event_scores.outcomes || overlays.outcomes, ${endFor('events', 'event_participants')}, null) as new
        where overlays.outcomes is not null
      ) as counted`

/** A team's cell counts the submissions of all members, each until the member's own end. */
const CELLS_OF_TEAMS = `
      select teams.event_id, 'team' as kind, teams.id,
             before.attempts, before.first_accepted_time as accepted_time, before.score,
             after.attempts as new_attempts, after.first_accepted_time as new_accepted_time, after.score as new_score
      from (
        select event_scores.event_id, event_participants.team_id as id,
               max(${endFor('events', 'event_participants')}) as last_end,
               jsonb_object_agg(pair.submission_id, pair.value) as outcomes,
               jsonb_object_agg(
                 pair.submission_id, coalesce(overlays.outcomes -> pair.submission_id, pair.value)) as new_outcomes
        ${CELLS_WITH_OVERLAYS}
        cross join lateral jsonb_each(event_scores.outcomes) as pair (submission_id, value)
        where events.teams and event_participants.team_id is not null and event_scores.total_attempts > 0
          and (pair.value ->> 0)::bigint < microseconds(${endFor('events', 'event_participants')})
        group by event_scores.event_id, event_participants.team_id, event_scores.problem_id
      ) as teams
      cross join lateral count_cell(teams.outcomes, teams.last_end, null) as before
      cross join lateral count_cell(teams.new_outcomes, teams.last_end, null) as after`

/**
 * CTEs of the ranks that would change with the verdicts of the CTE `changed`, which has `event_id`,
 * `user_id`, `problem_id`, `submission_id`, `submit_time`, `status` and `score`: `moved` has
 * `event_id`, `kind` (`user` or `team`), `id`, `from_rank` and `to_rank`. Frozen standings count as
 * they are.
 */
export const RANKS_MOVED = `contests as materialized (
      select distinct changed.event_id from changed where changed.event_id is not null
    ), overlays as materialized (
      select changed.event_id, changed.user_id, changed.problem_id,
             ${outcomesOf('changed', 'submission_id')} as outcomes
      from changed
      where changed.event_id is not null
      group by changed.event_id, changed.user_id, changed.problem_id
    ), ranked as materialized (
      select event_participants.event_id, 'user' as kind, event_participants.user_id as id
      from contests
      join event_participants on event_participants.event_id = contests.event_id and ${IS_RANKED_PARTICIPANT}
      union all
      select distinct event_participants.event_id, 'team', event_participants.team_id
      from contests
      join events on events.id = contests.event_id and events.teams
      join event_participants on event_participants.event_id = contests.event_id and ${IS_RANKED_PARTICIPANT}
      where event_participants.team_id is not null
    ), cells as materialized (${CELLS_OF_USERS}
      union all${CELLS_OF_TEAMS}
    ), moved as materialized (
      select before.event_id, before.kind, before.id, before.rank as from_rank, after.rank as to_rank
      from (${ranksFrom(cellsOf('attempts', 'accepted_time', 'score'))}
      ) as before
      join (${ranksFrom(cellsOf('new_attempts', 'new_accepted_time', 'new_score'))}
      ) as after on after.event_id = before.event_id and after.kind = before.kind and after.id = before.id
      where after.rank <> before.rank
    )`

/** The rows of the CTE `moved` as the field `rank_changes`: of each contest users, then teams. */
export const ranksJson = `(
        select coalesce(json_agg(json_strip_nulls(json_build_object(
                 'event_id', moved.event_id,
                 'user_id', case when moved.kind = 'user' then moved.id end,
                 'team_id', case when moved.kind = 'team' then moved.id end,
                 'from_rank', moved.from_rank, 'to_rank', moved.to_rank))
                 order by moved.event_id, moved.kind desc, moved.from_rank, moved.id), '[]')
        from moved)`
