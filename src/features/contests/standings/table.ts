import { IN_PROBLEM_ORDER } from '../../shared/access/events.ts'
import { hasPoints, IS_RANKED_PARTICIPANT, IS_RANKED_PROBLEM, rankOrder, totalsIn } from './ranks.ts'
import { IS_LIVE, type RankedBy } from './shown.ts'

/**
 * CTEs of the standings of `:event_id` as the actor sees them (P22). `columns`: the problems that
 * are neither hidden nor deleted. `cells`: what each user or team did at a problem. `ranked`: a row
 * for each of them, with their cells as JSON text. `isLive`: SQL condition, frozen submissions
 * count. `more`: aggregates of the `cells` of a row, by the names of further columns of `ranked`.
 */
export const standingsTable = (
  by: RankedBy,
  isLive = IS_LIVE,
  more: Readonly<Record<string, string>> = {},
) => `${contestColumns(isLive)}, cells as materialized (${by === 'user' ? CELLS_OF_USERS : cellsOfTeams()}
    ), firsts as materialized (${firstsOf(by)}
    ), ${BOARD}, people as materialized (${by === 'user' ? usersIn() : teamsIn()}
    ), ranked as materialized (
      select rank() over (
               order by ${rankOrder('row', 'contest.has_points')}) as rank,
             row.*
      from contest
      cross join (${by === 'user' ? rowsOfUsers(more) : rowsOfTeams(more)}
      ) as row
    )`

/** The CTEs `contest` and `columns`. */
export const contestColumns = (isLive: string) => `contest as materialized (
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
        where event_problems.event_id = :event_id and ${IS_RANKED_PROBLEM}
      ) as listed
    )`

/** The CTE `board`: the problems and their first solutions, by the numbers of their columns. */
export const BOARD = `board as materialized (
      select array_agg(columns.problem_id order by columns.number) as problem_ids,
             array_agg(firsts.accepted_time order by columns.number) as first_times
      from columns
      left join firsts on firsts.number = columns.number
    )`

/** Columns of a query that groups `cells` of one user or team. */
const rowWith = (more: Readonly<Record<string, string>>) => `${totalsIn('contest')},${Object.entries(more)
  .map(
    ([name, aggregate]) => `
             ${aggregate} as ${name},`,
  )
  .join('')}
             coalesce(string_agg(cells.item || case
               when cells.accepted_time = board.first_times[cells.number] then ',"first": true}' else '}' end,
               ',' order by cells.number), '') as cells`

/** The order of the rows: those that share a rank are listed by name. */
export const ROW_ORDER = 'ranked.rank, lower(ranked.name) collate "C", ranked.id'

/** A, B, ..., Z, AA, AB, ... */
export const letters = (
  number: string,
) => `case when ${number} > 26 then chr(64 + (${number} - 1) / 26) else '' end
               || chr(65 + (${number} - 1) % 26)`

/** The ranked users; `and` is a further condition. */
export const usersIn = (and = '') => `
      select users.id, users.name
      from event_participants
      join users on users.id = event_participants.user_id
      where event_participants.event_id = :event_id and ${IS_RANKED_PARTICIPANT}${and}`

/** The ranked teams; `and` is a further condition. */
export const teamsIn = (and = '') => `
      select teams.id, teams.name
      from teams
      where teams.event_id = :event_id and exists (
        select from event_participants where event_participants.team_id = teams.id and ${IS_RANKED_PARTICIPANT})${and}`

/** A value of a cell as it is, or in a frozen contest as it is shown (P23). */
const asSeen = (live: string, shown: string) =>
  `case when event_scores.frozen_from is null or contest.is_live then ${live} else ${shown} end`

const SEEN = {
  attempts: asSeen('event_scores.attempts', 'event_scores.shown_attempts'),
  pending: asSeen('event_scores.pending', 'event_scores.shown_pending'),
  accepted_time: asSeen('event_scores.first_accepted_time', 'event_scores.shown_accepted_time'),
  score: asSeen('event_scores.score', 'event_scores.shown_score'),
  standing: asSeen('event_scores.standing', 'event_scores.shown_standing'),
}

/** A cell's text is precomputed for one start of the contest. */
const SEEN_CELL = `${SEEN.attempts} as attempts, ${SEEN.pending} as pending,
             ${SEEN.accepted_time} as accepted_time, ${SEEN.score} as score,
             case when event_scores.item_start_time = contest.start_time then ${SEEN.standing}
                  else standing_text(
                    event_scores.problem_id, ${SEEN.attempts}, ${SEEN.pending}, ${SEEN.accepted_time},
                    case when contest.has_points then ${SEEN.score} end, contest.start_time) end as item`

const CELLS_OF_USERS = `
      select event_scores.user_id as id, columns.number, ${SEEN_CELL}
      from contest
      join event_scores on event_scores.event_id = contest.id
      join columns on columns.problem_id = event_scores.problem_id
      where event_scores.total_attempts > 0`

/** Reads the cells by their primary key: grouping the cells of all users took 50 % longer. */
export const rowsOfUsers = (more: Readonly<Record<string, string>> = {}) => `
        select people.id, people.name, totals.*
        from contest
        cross join board
        cross join people
        cross join lateral (
          select ${rowWith(more)}
          from (
            select array_position(board.problem_ids, event_scores.problem_id) as number, ${SEEN_CELL}
            from event_scores
            where event_scores.event_id = contest.id and event_scores.user_id = people.id
              and event_scores.total_attempts > 0
            offset 0) as cells
          where cells.number is not null
        ) as totals`

/** Groups the `cells` of the teams in `people`. */
export const rowsOfTeams = (more: Readonly<Record<string, string>> = {}) => `
        select people.id, people.name, coalesce(totals.solved, 0) as solved, coalesce(totals.points, 0) as points,
               coalesce(totals.penalty, 0) as penalty, totals.last_accepted, coalesce(totals.cells, '') as cells${Object.keys(
                 more,
               )
                 .map((name) => `, totals.${name}`)
                 .join('')}
        from people
        left join (
          select cells.id, ${rowWith(more)}
          from contest
          cross join board
          cross join cells
          group by cells.id
        ) as totals on totals.id = people.id`

/**
 * A subquery, not a join: the least time is then still found in the order of an index, after a
 * look-up for each earlier user without a team.
 */
const HAS_TEAM = ` and (
                  select event_participants.team_id from event_participants
                  where event_participants.event_id = event_scores.event_id
                    and event_participants.user_id = event_scores.user_id) is not null`

/**
 * The first solutions, from an index. In a freeze, a solution is shown if it was sent before, or if
 * it was revealed.
 */
export const firstsOf = (by: RankedBy) => `
      select columns.number, least(
               (select min(event_scores.first_accepted_time)
                from event_scores
                where event_scores.event_id = contest.id and event_scores.problem_id = columns.problem_id
                  and event_scores.total_attempts > 0
                  and (event_scores.first_accepted_time < case
                    when contest.is_live or contest.thawed_at is not null then 'infinity'
                    else coalesce(contest.freeze_time, 'infinity') end)${by === 'team' ? HAS_TEAM : ''}),
               (select min(event_scores.first_accepted_time)
                from event_reveals
                join event_scores
                  on event_scores.event_id = event_reveals.event_id and event_scores.user_id = event_reveals.user_id
                  and event_scores.problem_id = event_reveals.problem_id
                where event_reveals.event_id = contest.id and event_reveals.problem_id = columns.problem_id
                  and event_scores.total_attempts > 0${by === 'team' ? HAS_TEAM : ''})) as accepted_time
      from contest
      cross join columns`

/**
 * Counts the submissions of all members together, as `count_cell` counts one user's. `and`
 * is a further condition.
 */
export const cellsOfTeams = (and = '') => `
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
              and pair.submitted < microseconds(event_scores.counted_until)${and}
          ) as entry
        ) as outcome
        group by outcome.team_id, outcome.number, outcome.problem_id
      ) as counted`
