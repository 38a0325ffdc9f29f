/** The actor of a guarded statement ($1, $2) sees everything of an event: an admin, a judge, or its owner (D33). */
export const seesAllOf = (event: string) => `($2::integer > 0 or ${event}.user_id = $1::uuid)`

/** The actor of a guarded statement takes part in the event. */
export const takesPartIn = (event: string) => `exists (
        select from event_participants
        where event_participants.event_id = ${event}.id and event_participants.user_id = $1::uuid)`

/** Half-open, as every range of time here. */
export const isRunning = (event: string) => `(${event}.start_time <= now() and now() < ${event}.end_time)`

/** The event has begun to show its problems; one that was ended before its start never does (D19, D33). */
export const hasStarted = (event: string) =>
  `(${event}.start_time <= now() and ${event}.start_time < ${event}.end_time)`

/** For lists of $4 event that differ only by the problems that are hidden: whether the actor sees those. */
export const AUDIENCE_OF_HIDDEN = `(
      select case when ${seesAllOf('events')} then 'all' else 'shown' end from events where events.id = $4::integer)`

/** For lists: no list where there is no such event ($4). */
export const EVENT_EXISTS = `exists (select from events where events.id = $4::integer and events.deleted_at is null)`
