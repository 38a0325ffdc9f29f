import type { Params } from '../../../db/statement.ts'
import type { ListOwner } from '../../../lists/definition.ts'
import { defineDocument } from '../../../lists/document.ts'
import { changesOfStandings } from '../../../lists/version.ts'
import { contestState } from '../../shared/access/contest-times.ts'
import { headText, rowText, STANDINGS_ROWS, STANDINGS_TABLES, TAIL } from './rows-sql.ts'
import { IS_LIVE, type RankedBy, standingsOwner } from './shown.ts'
import { ROW_ORDER, standingsTable } from './table.ts'

/** The state of the contest changes with the time. */
const version = {
  changes: `concat_ws(' ', ${changesOfStandings(IS_LIVE, ...STANDINGS_TABLES)}, (
      select ${contestState('events')} from events where events.id = :event_id))`,
  audience: `case when ${IS_LIVE} then 'live' else 'shown' end`,
}

const rowsJson = (by: RankedBy) => `
        select string_agg(concat('{"rank":', ranked.rank, ${rowText(by, 'ranked')}), ',' order by ${ROW_ORDER})
        from contest
        cross join ranked`

interface StandingsDefinition<P extends Params> {
  readonly name: string
  /** With `event_id`. */
  readonly params: P
  readonly by: RankedBy
  readonly owner: ListOwner
}

/** The standings of a contest (P22), of 6,000 people in one text. */
export const standingsDocument = <P extends Params>({ name, params, by, owner }: StandingsDefinition<P>) =>
  defineDocument({
    name,
    params,
    body: `(
      with ${standingsTable(by)}
      select concat(${headText},
               (${rowsJson(by)}), '${TAIL}')
      from contest)`,
    owner,
    version,
    rows: STANDINGS_ROWS[by],
  })

const standingsOf = (by: RankedBy) =>
  standingsDocument({
    ...{ name: `read_standings_by_${by}`, params: { event_id: 'integer' } as const },
    ...{ by, owner: standingsOwner(by) },
  })

export const readStandingsByUser = standingsOf('user')
export const readStandingsByTeam = standingsOf('team')

/** SQL: a field of a CSV file (RFC 4180). A spreadsheet must not take a name for a formula. */
const csvText = (text: string) => `'"' || replace(
               case when ${text} ~ '^[-=+@\\t\\r]' then '''' || ${text} else ${text} end, '"', '""') || '"'`

/** The fields of all cells of a row, in the order of the columns. */
const CSV_FIELDS = `fields as materialized (
      select ranked.id,
             string_agg(concat_ws(',', coalesce(cells.attempts, 0), coalesce(cells.pending, 0),
               case when cells.accepted_time is not null
                 then contest_minutes(cells.accepted_time, contest.start_time)::text else '' end,
               case when contest.has_points then coalesce(trim_scale(cells.score)::text, '') end),
               ',' order by columns.number) as line
      from contest
      cross join ranked
      cross join columns
      left join cells on cells.id = ranked.id and cells.number = columns.number
      group by ranked.id
    )`

const CSV_ROWS = `
        select string_agg(concat_ws(',', ranked.rank, ranked.id, ${csvText('ranked.name')}, ranked.solved,
                 case when contest.has_points then trim_scale(ranked.points) end, ranked.penalty,
                 coalesce(utc(ranked.last_accepted), ''), fields.line), e'\\r\\n' order by ${ROW_ORDER})
        from contest
        cross join ranked
        left join fields on fields.id = ranked.id`

const csvHead = (by: RankedBy) => `
        select concat_ws(',', 'rank,${by}_id,name,solved', case when contest.has_points then 'points' end,
                 'penalty,last_accepted', (
                   select string_agg(concat_ws(',', ${csvText(`columns.label || ' tries'`)},
                            ${csvText(`columns.label || ' pending'`)}, ${csvText(`columns.label || ' minutes'`)},
                            case when contest.has_points then ${csvText(`columns.label || ' score'`)} end),
                            ',' order by columns.number)
                   from columns))
        from contest`

const standingsCsvOf = (by: RankedBy) =>
  defineDocument({
    name: `read_standings_csv_by_${by}`,
    params: { event_id: 'integer' },
    body: `(
      with ${standingsTable(by)}, ${CSV_FIELDS}
      select concat((${csvHead(by)}), e'\\r\\n', (${CSV_ROWS}) || e'\\r\\n'))`,
    owner: standingsOwner(by),
    version,
  })

export const readStandingsCsvByUser = standingsCsvOf('user')
export const readStandingsCsvByTeam = standingsCsvOf('team')
