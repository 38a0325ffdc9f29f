import { changesOfStandings } from '../../../lists/version.ts'
import { type ContestFacts, defineReading, SHOWN_CHANGES } from '../../contests/standings/read-sql.ts'
import { IS_LIVE, type RankedBy } from '../../contests/standings/shown.ts'
import { hasStarted } from '../../shared/access/contest-times.ts'
import { stateJson } from './contest-sql.ts'

/** What scoreboard and awards show of a contest besides its standings. */
export interface BoardFacts extends ContestFacts {
  /** The state as the Contest API has it; nulls are left out. */
  readonly api_state: object
  readonly medals: Partial<Record<'gold' | 'silver' | 'bronze', number>> | null
}

const more = { api_state: `json_strip_nulls(${stateJson})`, medals: 'contest.medals' }

/** The tables of scoreboard and awards: of teams in a contest with teams. */
export const boardReadings = {
  user: defineReading<BoardFacts>({ name: 'read_contest_board_by_user', by: 'user', more }),
  team: defineReading<BoardFacts>({ name: 'read_contest_board_by_team', by: 'team', more }),
}

/** Changes with the standings, and with the state as the Contest API has it. */
export const BOARD_CHANGES = `concat_ws(' ', ${changesOfStandings(IS_LIVE, ...SHOWN_CHANGES)}, (
      select json_strip_nulls(${stateJson})::text
      from (select events.*, ${hasStarted('events')} as has_started from events where events.id = :event_id) as contest))`

/** SQL: which table the actor sees, in two words: `live` or `shown`, and `team` or `user`. */
export const BOARD_AUDIENCE = `concat_ws(' ', case when ${IS_LIVE} then 'live' else 'shown' end, (
      select case when events.teams then 'team' else 'user' end from events where events.id = :event_id))`

/** Reads the words of `BOARD_AUDIENCE`; `others` are the words after them. */
export function readAudience(audience: string) {
  const [view, by, ...others] = audience.split(' ')
  const rankedBy: RankedBy = by === 'team' ? 'team' : 'user'
  return { is_live: view === 'live', by: rankedBy, others }
}
