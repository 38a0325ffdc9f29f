import { defineDocument } from '../../../lists/document.ts'
import { changesOfStandings, lastChangeOfStandings } from '../../../lists/version.ts'
import { STANDINGS_TABLES } from '../../contests/standings/rows-sql.ts'
import { IS_LIVE, type RankedBy, standingsOwner } from '../../contests/standings/shown.ts'
import { ROW_ORDER, standingsTable } from '../../contests/standings/table.ts'
import { hasStarted } from '../../shared/access/contest-times.ts'
import { stateJson } from './state-sql.ts'
import { contestTimeOf, minutesSpanOf, timeOf } from './times.ts'
import { CONTEST } from './visibility.ts'

const STATE = `(with ${CONTEST} select json_strip_nulls(${stateJson})::text from contest)`

/** The version of the standings, with the state as the Contest API has it. */
export const BOARD_VERSION = {
  changes: `concat_ws(' ', ${changesOfStandings(IS_LIVE, ...STANDINGS_TABLES)}, ${STATE})`,
  audience: `case when ${IS_LIVE} then 'live' else 'shown' end`,
}

/** SQL: the field of a cell's time in whole minutes; null for null. */
const timeField = (moment: string) => `case when ${moment} is not null
                 then ',"time":"' || ${minutesSpanOf(`contest_minutes(${moment}, contest.start_time)`)} || '"' end`

/** SQL: the fields of a cell after its problem. `solution`: SQL of the solution's time, or null. */
const fieldsOf = (attempts: string, pending: string, score: string, solution: string) => `concat(
               '","num_judged":', ${attempts}, ',"num_pending":', ${pending},
               case when contest.has_points then ',"score":' || trim_scale(${score})
                    when ${solution} is null then ',"solved": false'
                    else ',"solved": true' end,
               ${timeField(solution)})`

const EMPTY = fieldsOf('0', '0', '0', 'null')

/** The cells of a row: the numbers of their columns, and their fields. */
const CELLS = {
  numbers: 'array_agg(cells.number)',
  fields: `array_agg(${fieldsOf(
    'coalesce(cells.attempts, 0)',
    'coalesce(cells.pending, 0)',
    'coalesce(cells.score, 0)',
    'cells.accepted_time',
  )})`,
}

const MEMBERS = `
        join event_participants
          on event_participants.event_id = contest.id and event_participants.user_id = event_scores.user_id`

/**
 * With points, a cell without a solution has the time of its first submission with the best score.
 */
const bestOf = (by: RankedBy) => `
      select cells.id, cells.number, timestamptz 'epoch' + min(pair.submitted) * interval '1 microsecond' as moment
      from contest
      join event_scores on event_scores.event_id = contest.id and event_scores.total_attempts > 0
      join columns on columns.problem_id = event_scores.problem_id${by === 'team' ? MEMBERS : ''}
      join cells on cells.number = columns.number
        and cells.id = ${by === 'team' ? 'event_participants.team_id' : 'event_scores.user_id'}
        and cells.accepted_time is null and cells.score > 0
      cross join lateral (
        select (entry.value ->> 0)::bigint as submitted, (entry.value ->> 2)::numeric as score
        from jsonb_each(event_scores.outcomes) as entry (submission_id, value)) as pair
      where contest.has_points and pair.score = cells.score
        and pair.submitted < microseconds(event_scores.counted_until)
        and (contest.is_live or event_scores.frozen_from is null
             or pair.submitted < microseconds(event_scores.frozen_from))
      group by cells.id, cells.number`

/** The times of `best` by rows. */
const TIMES = `
      select best.id, array_agg(best.number) as numbers,
             array_agg(${timeField('best.moment')}) as fields
      from contest
      cross join best
      group by best.id`

/**
 * Of all problems, from the start on. To join the empty cells with the rows took three times as
 * long.
 */
const PROBLEMS = `(
                   select string_agg('{"problem_id":"' || columns.problem_id
                              || coalesce(ranked.fields[array_position(ranked.numbers, columns.number)], ${EMPTY})
                              || coalesce(times.fields[array_position(times.numbers, columns.number)], '') || '}',
                            ',' order by columns.number)
                   from columns
                   where ${hasStarted('contest')})`

const ROW = `concat('{"rank":', ranked.rank, ',"team_id":"', ranked.id, '","score":{',
                 case when contest.has_points then '"score":' || trim_scale(ranked.points)
                      else concat('"num_solved":', ranked.solved,
                        ',"total_time":"', ${minutesSpanOf('ranked.penalty')}, '"') end,
                 ',"time":"' || ${contestTimeOf('ranked.last_accepted')} || '"',
                 '},"problems":[', ${PROBLEMS}, ']}')`

const rowsOf = (by: RankedBy) => `(
        with ${standingsTable(by, IS_LIVE, CELLS)}, best as materialized (${bestOf(by)}
    ), times as materialized (${TIMES}
    )
        select string_agg(${ROW}, ',' order by ${ROW_ORDER})
        from contest
        cross join ranked
        left join times on times.id = ranked.id)`

/**
 * The scoreboard: the rows, ranks and cells of the standings (P22), of teams in a contest with
 * teams. Its time is the time of the last change.
 */
export const readScoreboard = defineDocument({
  name: 'read_contest_scoreboard',
  params: { event_id: 'integer' },
  body: `(
      select concat('{"time":"', ${timeOf('changed.moment')}, '","contest_time":"', ${contestTimeOf('changed.moment', 'events')},
               '","state":', ${STATE},
               ',"rows":[', case when events.teams then ${rowsOf('team')} else ${rowsOf('user')} end, ']}')
      from events
      cross join (select ${lastChangeOfStandings(IS_LIVE, ...STANDINGS_TABLES)} as moment) as changed
      where events.id = :event_id)`,
  owner: standingsOwner('user'),
  version: BOARD_VERSION,
})
