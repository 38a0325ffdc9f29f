import { actorStatement } from '../../../db/actor-statement.ts'
import { contestState, endFor, isInExtraTime } from '../../shared/access/contest-times.ts'
import { WATCHED_EVENT } from '../../shared/access/events.ts'

/** The times and the state of `events`, as fields of a JSON object. */
export const CLOCK_FIELDS = `'event_id', events.id,
               'now', utc(now()),
               'start_time', utc(events.start_time),
               'freeze_time', utc(events.freeze_time),
               'end_time', utc(events.end_time),
               'state', ${contestState('events')},
               'extra_time', nullif(${isInExtraTime('events')}, false)`

/** The clock of `events` for the actor; `own` is the actor's row of `event_participants` (P20). */
export const clockText = (own: string) => `json_strip_nulls(json_build_object(
               ${CLOCK_FIELDS},
               'own_end_time', utc(${endFor('events', own)})))::text`

/** No row: the actor may not see the event. */
export const readClock = actorStatement({
  name: 'read_event_clock',
  params: { event_id: 'integer' },
  columns: { body: 'text' },
  select: `
      select ${clockText('own')} as body
      from events
      left join event_participants as own
        on own.event_id = events.id and own.user_id = :actor and own.removed_at is null
      where events.id = :event_id and ${WATCHED_EVENT.exists}`,
})
