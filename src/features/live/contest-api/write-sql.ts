import { actorStatement } from '../../../db/actor-statement.ts'
import { row } from '../../../db/statement.ts'
import { managesEvent } from '../../shared/access/events.ts'

/** Who writes to a contest. `team_id`: in a contest without teams the id of a participant. */
export type Writer = { is_staff: boolean; has_teams: boolean; team_id: string | null }

/** No row: there is no such contest. Contests that the actor may not read exist here (P20, P21). */
export const readWriter = actorStatement({
  name: 'read_contest_writer',
  params: { event_id: 'integer' },
  row: row<Writer>(),
  select: `
      select ${managesEvent('events')} as is_staff,
             events.teams as has_teams,
             case when events.teams then event_participants.team_id else event_participants.user_id end as team_id
      from events
      left join event_participants
        on event_participants.event_id = events.id and event_participants.user_id = :actor
        and event_participants.removed_at is null
      where events.id = :event_id and events.deleted_at is null`,
})

/** Why a start is not moved. */
export type StartRefusal = 'ended' | 'started' | 'too_soon' | 'too_late'

/** A contest with another start: the same difference moves its other times. */
export type MovedTimes = { start_time: string; end_time: string; freeze_time: string | null }

/** The form that validation gives to instants. */
const instant = (moment: string) => `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const FIRST_INSTANT = `timestamptz '0001-01-01 00:00:00Z'`
const LAST_YEAR_END = `timestamptz '10000-01-01 00:00:00Z'`

/** After `lockManagedEvent`. The moved times have meaning only without a refusal. */
export const readMovedTimes = actorStatement({
  name: 'read_moved_contest_times',
  params: { event_id: 'integer', start_time: 'timestamptz' },
  row: row<MovedTimes & { refusal: StartRefusal | null }>(),
  select: `
      select case
               when events.end_time <= events.start_time then 'ended'
               when events.start_time <= clock_timestamp() + interval '30 seconds' then 'started'
               when :start_time <= clock_timestamp() + interval '30 seconds' then 'too_soon'
               when ${LAST_YEAR_END} <= events.end_time + (:start_time - events.start_time) then 'too_late'
             end as refusal,
             ${instant(':start_time')} as start_time,
             ${instant('(events.end_time + (:start_time - events.start_time))')} as end_time,
             case when events.freeze_time is not null
                    then ${instant(`greatest(events.freeze_time + (:start_time - events.start_time), ${FIRST_INSTANT})`)}
             end as freeze_time
      from events
      where events.id = :event_id`,
})

/** Whether a time has passed by the clock of the database. */
export const hasPassed = actorStatement({
  name: 'has_passed',
  params: { moment: 'timestamptz' },
  row: row<{ has_passed: boolean }>(),
  select: `
      select :moment <= clock_timestamp() as has_passed`,
})
