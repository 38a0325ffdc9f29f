import { IN_PROBLEM_ORDER } from '../access/events.ts'
import { HAS_PLACE, hasPoints, IS_COLUMN, rankOrder, totalsIn } from './ranks.ts'
import { IS_LIVE, type RankedBy } from './shown.ts'

/**
 * CTEs of the standings of `:event_id` as the actor sees them (P22). `columns`: the problems that
 * are neither hidden nor deleted. `cells`: what each user or team did at a problem. `ranked`: a row
 * for each of them, with their cells as JSON text. `isLive`: SQL condition, frozen submissions
 * count.
 */
export const standingsTable = (by: RankedBy, isLive = IS_LIVE) => `contest as materialized (
      select events.*, ${hasPoints('events')} as has_points, coalesce(${isLive}, false) as is_live
      from events
      where events.id = :event_id
    ), columns as materialized (
      select listed.problem_id, listed.number, listed.color,
             coalesce(listed.label, ${letters('listed.number')}) as label
      from (
        select event_problems.*, (row_number() over (order by ${IN_PROBLEM_ORDER}))::integer as number
        from event_problems
        join problems on problems.id = event_problems.problem_id
        where event_problems.event_id = :event_id and ${IS_COLUMN}
      ) as listed
    ), cells as materialized (${by === 'user' ? CELLS_OF_USERS : CELLS_OF_TEAMS}
    ), firsts as materialized (
      select cells.number, min(cells.accepted_time) as accepted_time from cells group by cells.number
    ), totals as materialized (
      select cells.id,
             ${totalsIn('contest')},
             string_agg(cells.item
               || case when cells.accepted_time = firsts.accepted_time then ',"first": true}' else '}' end,
               ',' order by cells.number) as cells
      from contest
      cross join cells
      join firsts on firsts.number = cells.number
      group by cells.id
    ), ranked as materialized (
      select rank() over (
               order by ${rankOrder('row', 'contest.has_points')}) as rank,
             row.*
      from contest
      cross join (
        select people.id, people.name, coalesce(totals.solved, 0) as solved, coalesce(totals.points, 0) as points,
               coalesce(totals.penalty, 0) as penalty, totals.last_accepted, coalesce(totals.cells, '') as cells
        from (${by === 'user' ? USERS : TEAMS}) as people
        left join totals on totals.id = people.id
      ) as row
    )`

/** The order of the rows: those that share a rank are listed by name. */
export const ROW_ORDER = 'ranked.rank, lower(ranked.name) collate "C", ranked.id'

/** A, B, ..., Z, AA, AB, ... */
const letters = (number: string) => `case when ${number} > 26 then chr(64 + (${number} - 1) / 26) else '' end
               || chr(65 + (${number} - 1) % 26)`

const USERS = `
          select users.id, users.name
          from event_participants
          join users on users.id = event_participants.user_id
          where event_participants.event_id = :event_id and ${HAS_PLACE}`

const TEAMS = `
          select teams.id, teams.name
          from teams
          where teams.event_id = :event_id and exists (
            select from event_participants where event_participants.team_id = teams.id and ${HAS_PLACE})`

/** A cell's text is precomputed for one start of the contest; a release before P22 wrote none. */
const CELLS_OF_USERS = `
      select event_scores.user_id as id, columns.number, shown.attempts, shown.pending, shown.accepted_time, shown.score,
             case when event_scores.item_start_time = contest.start_time and shown.standing is not null
                    then shown.standing
                  else standing_text(
                    event_scores.problem_id, shown.attempts, shown.pending, shown.accepted_time,
                    case when contest.has_points then shown.score end, contest.start_time) end as item
      from contest
      join event_scores on event_scores.event_id = contest.id
      join columns on columns.problem_id = event_scores.problem_id
      cross join lateral (
        select event_scores.attempts,
               coalesce(event_scores.pending,
                 (count_cell(event_scores.outcomes, contest.end_time, null)).pending) as pending,
               event_scores.first_accepted_time as accepted_time, event_scores.score, event_scores.standing
        where event_scores.frozen_from is null or contest.is_live
        union all
        select event_scores.shown_attempts, event_scores.shown_pending, event_scores.shown_accepted_time,
               event_scores.shown_score, event_scores.shown_standing
        where not (event_scores.frozen_from is null or contest.is_live)
      ) as shown
      where event_scores.total_attempts > 0`

/** Counts the submissions of all members together, as `count_cell` counts those of one user. */
const CELLS_OF_TEAMS = `
      select counted.*, standing_text(
               counted.problem_id, counted.attempts, counted.pending, counted.accepted_time,
               case when contest.has_points then counted.score end, contest.start_time) as item
      from contest
      cross join (
        select outcome.team_id as id, outcome.number, outcome.problem_id,
               count(*) filter (
                 where outcome.status not in ('PENDING', 'COMPILE_TIME_ERROR', 'INTERNAL_ERROR')
                   and (outcome.first_accepted is null or outcome.submitted <= outcome.first_accepted))::integer as attempts,
               count(*) filter (where outcome.status = 'PENDING')::integer as pending,
               timestamptz 'epoch' + min(outcome.first_accepted) * interval '1 microsecond' as accepted_time,
               max(outcome.score) as score
        from (
          select entry.*, min(entry.submitted) filter (where entry.status = 'ACCEPTED')
                   over (partition by entry.team_id, entry.number) as first_accepted
          from (
            select event_participants.team_id, columns.number, columns.problem_id, pair.submitted,
                   case when not masked.is_frozen then pair.value ->> 1 else 'PENDING' end as status,
                   case when not masked.is_frozen then (pair.value ->> 2)::numeric end as score
            from contest
            join event_participants on event_participants.event_id = contest.id and event_participants.team_id is not null
            join event_scores on event_scores.event_id = contest.id and event_scores.user_id = event_participants.user_id
            join columns on columns.problem_id = event_scores.problem_id
            cross join lateral (
              select (entry.value ->> 0)::bigint as submitted, entry.value
              from jsonb_each(event_scores.outcomes) as entry (submission_id, value)) as pair
            cross join lateral (
              select not contest.is_live
                       and coalesce(pair.submitted >= microseconds(event_scores.frozen_from), false) as is_frozen) as masked
            where event_scores.total_attempts > 0
              and pair.submitted < microseconds(coalesce(event_scores.counted_until, contest.end_time))
          ) as entry
        ) as outcome
        group by outcome.team_id, outcome.number, outcome.problem_id
      ) as counted`
