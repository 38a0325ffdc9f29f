import type { ListOwner } from '../../lists/definition.ts'

/** The actor sees everything of an event: an admin, a judge, or its owner (D33). */
export const seesAllOf = (event: string) => `(:actor_role > 0 or ${event}.user_id = :actor)`

/** The actor is staff of a contest: an admin, its owner, or named in `staff` (P20). */
export const managesEvent = (event: string) =>
  `coalesce(:actor_role = 2 or ${event}.user_id = :actor or :actor = any (${event}.staff), false)`

/** The actor sees submissions as they are during a freeze: staff and judges (P22). */
export const seesLive = (event: string) => `(:actor_role = 1 or ${managesEvent(event)})`

/** The actor is a participant whom staff has not removed. */
export const takesPartIn = (event: string) => `exists (
        select from event_participants
        where event_participants.event_id = ${event}.id and event_participants.user_id = :actor
          and event_participants.removed_at is null)`

/** `end_time` is the first instant after the event. */
export const isRunning = (event: string) => `(${event}.start_time <= now() and now() < ${event}.end_time)`

/** The event shows its problems; an event that ended before its start never does (D19, D33). */
export const hasStarted = (event: string) =>
  `(${event}.start_time <= now() and ${event}.start_time < ${event}.end_time)`

/** The audiences of a list of `:event_id` that leaves out hidden problems. */
export const AUDIENCE_OF_HIDDEN = `(
      select case when ${seesAllOf('events')} then 'all' else 'shown' end from events where events.id = :event_id)`

export const EVENT: ListOwner = {
  name: 'event',
  exists: `exists (select from events where events.id = :event_id and events.deleted_at is null)`,
}

/** The limits of a problem in an event: the event's own where it has them (D26). */
export const limitsInEvent = `
      'accept_timeout', coalesce(event_problems.accept_timeout, problems.accept_timeout),
      'execution_timeout', coalesce(event_problems.execution_timeout, problems.execution_timeout),
      'memory_limit', coalesce(event_problems.memory_limit, problems.memory_limit)`
