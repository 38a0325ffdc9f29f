import { changedSince, IS_KEPT, type RowsDefinition } from '../../../lists/rows.ts'
import { changesOf, lastChangeOfStandings } from '../../../lists/version.ts'
import { contestState } from '../../shared/access/contest-times.ts'
import { IS_LIVE, type RankedBy } from './shown.ts'
import {
  BOARD,
  cellsOfTeams,
  contestColumns,
  firstsOf,
  rowsOfTeams,
  rowsOfUsers,
  teamsIn,
  usersIn,
} from './table.ts'

/** The tables behind the standings besides their cells. */
export const STANDINGS_TABLES = ['events', 'participants', 'problems', 'users'] as const

const problemsJson = `
        select json_agg(json_strip_nulls(json_build_object(
          'problem_id', columns.problem_id, 'label', columns.label, 'color', columns.color)) order by columns.number)
        from columns`

/** SQL: the values of the text before the rows, for `concat`. */
export const headText = `'{"event_id":', contest.id, ',"state":"', ${contestState('contest')},
               '","at":"', utc(${lastChangeOfStandings(IS_LIVE, ...STANDINGS_TABLES)}),
               '","problems":', coalesce((${problemsJson}), '[]'), ',"rows":['`

export const TAIL = ']}'

/** SQL: the values of the text of a row after its rank, for `concat`. */
export const rowText = (by: RankedBy, row: string) =>
  `',"${by}":', json_build_object('id', ${row}.id, 'name', ${row}.name),
                 ',"solved":', ${row}.solved,
                 case when contest.has_points then ',"points":' || trim_scale(${row}.points) end,
                 ',"penalty":', ${row}.penalty,
                 ',"last_accepted":"' || utc(${row}.last_accepted) || '"',
                 ',"cells":[', ${row}.cells, ']}'`

/** Users with cells that have changed. */
export const CHANGED_USERS = changedSince(
  'event_scores',
  'user_id',
  `${IS_KEPT} and event_scores.event_id = :event_id`,
)

/** A number below 10^20 that sorts as a text. Scores have two decimals. */
const sorted = (number: string) => `lpad((${number})::numeric(20)::text, 20, '0')`

/** Years from 1 on are positive. */
const INSTANT = sorted(`microseconds(row.last_accepted) + 100000000000000000`)

/** SQL: the order of `rankOrder` as a text. */
const RANK = `concat(
               ${sorted(`10000000000000000000 - case when contest.has_points then row.points * 100 else row.solved end`)},
               ${sorted('row.penalty')}, ${INSTANT})`

/** The names are in the order of their bytes, as with the collation `C`. */
const PLACE = `concat(encode(convert_to(lower(row.name), 'UTF8'), 'hex'), ' ', row.id)`

/** The users whose rows have changed, or all of them where no rows are kept. */
const PEOPLE = `changed as materialized (${CHANGED_USERS}
    ), people as materialized (${usersIn(` and not ${IS_KEPT}`)}
      union all${usersIn(' and event_participants.user_id = any (array(select changed.user_id from changed))')}
    )`

/** The teams of users with changed rows, or all where no rows are kept, and their cells. */
const TEAMS = `changed as materialized (
      select event_participants.team_id
      from (${CHANGED_USERS}) as scored
      join event_participants
        on event_participants.event_id = :event_id and event_participants.user_id = scored.user_id
    ), people as materialized (${teamsIn(` and (not ${IS_KEPT} or teams.id = any (array(select changed.team_id from changed)))`)}
    ), cells as materialized (${cellsOfTeams(' and event_participants.team_id = any (array(select people.id from people))')}
    )`

/** All rows are read again after a problem's first solution and after changes of other tables. */
const rowsOf = (by: RankedBy, people: string, rows: string): RowsDefinition => ({
  table: 'event_scores',
  with: `${contestColumns(IS_LIVE)}, firsts as materialized (${firstsOf(by)}
    ), ${BOARD}`,
  basis: `${changesOf(...STANDINGS_TABLES)}, (select contest.is_live from contest), (select board.first_times::text from board)`,
  listed: `${people}, listed as (
      select row.id, ${RANK} as rank, ${PLACE} as place, concat(${rowText(by, 'row')}) as text
      from contest
      cross join (${rows}
      ) as row
    )`,
  head: `(
             select concat(${headText}) from contest)`,
  tail: TAIL,
  prefix: (rank) => `{"rank":${rank}`,
})

/** The standings in rows. */
export const STANDINGS_ROWS: Readonly<Record<RankedBy, RowsDefinition>> = {
  user: rowsOf('user', PEOPLE, rowsOfUsers()),
  team: rowsOf('team', TEAMS, rowsOfTeams()),
}
