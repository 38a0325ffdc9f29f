/** A participant who is in the standings (P22). */
const HAS_PLACE = 'event_participants.removed_at is null and not event_participants.hidden'

/**
 * SQL of `event_id`, `user_id` and `rank` of all users in the standings of the CTE `contests`, from
 * a relation of cells: `event_id`, `user_id`, `attempts`, `accepted_time` and `score`. The rules
 * are those of the standings: more solved problems or points, less penalty, an earlier last
 * solution.
 */
const ranksFrom = (cells: string) => `
      select totals.event_id, totals.user_id,
             rank() over (
               partition by totals.event_id
               order by totals.result desc, totals.penalty, totals.last_accepted nulls first) as rank
      from (
        select event_participants.event_id, event_participants.user_id,
               coalesce(case when events.scoring = 'points' then sum(cells.score)
                             else count(cells.accepted_time) end, 0) as result,
               coalesce(sum(contest_minutes(cells.accepted_time, events.start_time)
                 + (cells.attempts - 1) * coalesce(events.penalty_minutes, 20))
                 filter (where cells.accepted_time is not null), 0) as penalty,
               max(cells.accepted_time) as last_accepted
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
             jsonb_object_agg(changed.submission_id::text, case when changed.score is null
               then jsonb_build_array(microseconds(changed.submit_time), changed.status)
               else jsonb_build_array(microseconds(changed.submit_time), changed.status, changed.score) end) as outcomes
      from changed
      where changed.event_id is not null
      group by changed.event_id, changed.user_id, changed.problem_id
    ), cells as materialized (
      select event_scores.event_id, event_scores.user_id,
             event_scores.attempts, event_scores.first_accepted_time as accepted_time, event_scores.score,
             counted.attempts as new_attempts, counted.accepted_time as new_accepted_time, counted.score as new_score
      from contests
      join events on events.id = contests.event_id
      join event_problems on event_problems.event_id = contests.event_id and not event_problems.hidden
      join problems on problems.id = event_problems.problem_id and problems.deleted_at is null
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
          event_scores.outcomes || overlays.outcomes,
          events.end_time + coalesce(event_participants.extra_minutes, 0) * interval '1 minute', null) as new
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
