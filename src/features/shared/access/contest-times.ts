/** The event shows its problems; an event that ended before its start never does (D19, D33). */
export const hasStarted = (event: string) =>
  `(${event}.start_time <= now() and ${event}.start_time < ${event}.end_time)`

/** The event's end for a row of `event_participants`, exclusive; `end_time` for a null row. */
export const endFor = (event: string, participant: string) =>
  `(${event}.end_time + coalesce(${participant}.extra_minutes, 0) * interval '1 minute')`

/** The end of an event for the actor, who may have extra time (P21). */
export const ownEnd = (event: string) => `(${event}.end_time + coalesce((
        select event_participants.extra_minutes
        from event_participants
        where event_participants.event_id = ${event}.id and event_participants.user_id = :actor), 0) * interval '1 minute')`

/** The event has started, and is running for a row of `event_participants` (P21). */
export const isRunningFor = (event: string, participant: string) =>
  `(${hasStarted(event)} and now() < ${endFor(event, participant)})`

/** The first instant at which nobody may submit, not even those who have more time (P21). */
export const lastEnd = (event: string) => `(${event}.end_time + interval '1 minute' * coalesce((
          select max(event_participants.extra_minutes)
          from event_participants
          where event_participants.event_id = ${event}.id and event_participants.removed_at is null), 0))`

/** The event has ended, and somebody with extra time may still submit (P20). */
export const isInExtraTime = (event: string) =>
  `(${event}.start_time < ${event}.end_time and ${event}.end_time <= now() and now() < ${lastEnd(event)})`

/** The state of a contest (P20). A frozen contest stays so until staff thaws it. */
export const contestState = (event: string) => `case
        when ${event}.end_time <= ${event}.start_time then 'ended'
        when now() < ${event}.start_time then 'scheduled'
        when ${event}.freeze_time <= now() and ${event}.thawed_at is null then 'frozen'
        when now() < ${event}.end_time or ${isInExtraTime(event)} then 'running'
        else 'ended' end`

/** The values of `contestState`. */
export const CONTEST_STATES = ['scheduled', 'running', 'frozen', 'ended'] as const
