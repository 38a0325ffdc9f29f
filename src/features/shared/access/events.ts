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

/** The end of an event for the actor, who may have extra time (P21). */
export const ownEnd = (event: string) => `(${event}.end_time + coalesce((
        select event_participants.extra_minutes
        from event_participants
        where event_participants.event_id = ${event}.id and event_participants.user_id = :actor), 0) * interval '1 minute')`

/** The contest is open to all, or the actor takes part in it, manages it or is a judge (P21). */
export const isOpenTo = (event: string) =>
  `(${event}.admission is distinct from 'invited' or ${seesLive(event)} or ${takesPartIn(event)})`

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

/** The event’s end for a row of `event_participants`, exclusive; `end_time` for a null row. */
export const endFor = (event: string, participant: string) =>
  `(${event}.end_time + coalesce(${participant}.extra_minutes, 0) * interval '1 minute')`

/** The event has started, and is running for a row of `event_participants` (P21). */
export const isRunningFor = (event: string, participant: string) =>
  `(${hasStarted(event)} and now() < ${endFor(event, participant)})`

/** The event shows its problems; an event that ended before its start never does (D19, D33). */
export const hasStarted = (event: string) =>
  `(${event}.start_time <= now() and ${event}.start_time < ${event}.end_time)`

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

/** Problems without a position follow those that have one. */
const POSITION = 'coalesce(event_problems.position, 2147483647)'

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
export const problemSettings = fieldsOf('event_problems', 'label', 'color', 'position')
