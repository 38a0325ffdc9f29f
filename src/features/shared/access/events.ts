import { fieldsOf } from '../../../db/json.ts'
import type { ListOwner } from '../../../lists/definition.ts'
import type { KeyPart } from '../../../lists/order.ts'

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

/** The contest is open to all, or the actor takes part in it, manages it or is a judge (P21). */
export const isOpenTo = (event: string, live = seesLive(event)) =>
  `(${event}.admission is distinct from 'invited' or ${live} or ${takesPartIn(event)})`

/** The actor may add participants: everybody may, in a closed contest only its staff (P21). */
export const admitsByActor = (event: string) =>
  `(${event}.admission is distinct from 'invited' or ${managesEvent(event)})`

/**
 * The actor sees the row of `event_participants`: nobody was removed, and only staff and the user
 * see a hidden one (P21). `manages` is the condition that the actor is staff.
 */
export const isListed = (manages: string) => `(event_participants.removed_at is null
        and (not event_participants.hidden or event_participants.user_id is not distinct from :actor or ${manages}))`

/** Staff has removed the user. With `exists` PostgreSQL may read all removed users. */
export const wasRemoved = (eventId: string, userId: string) => `coalesce((
        select event_participants.removed_at is not null
        from event_participants
        where event_participants.event_id = ${eventId} and event_participants.user_id = ${userId}), false)`

/** Problems without a position follow those that have one. */
export const POSITION = 'coalesce(event_problems.position, 2147483647)'

/** The order of an event's problems, for `ascending` (P20). */
export const PROBLEM_ORDER: readonly KeyPart[] = [
  { column: POSITION, type: 'integer' },
  { column: 'event_problems.id', type: 'integer' },
]

/** The same for `order by`. */
export const IN_PROBLEM_ORDER = `${POSITION}, event_problems.id`

/** The event exists, and is open to the actor (P21). */
export const EVENT: ListOwner = {
  name: 'event',
  exists: `exists (
      select from events where events.id = :event_id and events.deleted_at is null and ${isOpenTo('events')})`,
}

/**
 * The CTE `event`: the event if it is open to the actor (P21). Whether the actor is staff and sees
 * it live is computed once.
 */
export const OPEN_EVENT = `event as materialized (
      select events.id, events.user_id, events.staff, events.admission, events.clarifications,
             events.freeze_time, events.thawed_at, viewer.is_staff, live.sees_live
      from events
      cross join lateral (select ${managesEvent('events')} as is_staff) as viewer
      cross join lateral (select :actor_role = 1 or viewer.is_staff as sees_live) as live
      where events.id = :event_id and events.deleted_at is null and ${isOpenTo('events', 'live.sees_live')})`

/** An event whose clock and standings the actor may see: without a token only public ones (P20). */
export const WATCHED_EVENT: ListOwner = {
  name: 'event',
  exists: `exists (
        select from events
        where events.id = :event_id and events.deleted_at is null
          and (events.scoreboard = 'public' or (:actor is not null and ${EVENT.exists})))`,
}

/** The limits of a problem in an event: the event's own where it has them (D26). */
export const limitsInEvent = `
      'accept_timeout', coalesce(event_problems.accept_timeout, problems.accept_timeout),
      'execution_timeout', coalesce(event_problems.execution_timeout, problems.execution_timeout),
      'memory_limit', coalesce(event_problems.memory_limit, problems.memory_limit)`

/** How an event shows a problem; null where staff has set nothing (P20). */
export const problemSettings = `${fieldsOf('event_problems', 'label', 'color', 'position')},
      'points', trim_scale(event_problems.points)`
