import type { ListOwner } from '../../../lists/definition.ts'
import { endFor, hasStarted, isRunningFor } from './contest-times.ts'

/** The problem is public or the actor's own, or they are admin or judge. */
const isSeenByItself = (problem: string) =>
  `(${problem}.public or :actor_role > 0 or ${problem}.user_id = :actor)`

/** The actor sees the problem by itself. */
export const problemIsVisible = (problem: string) =>
  `(${problem}.deleted_at is null and ${isSeenByItself(problem)})`

const isShownByEvent = (problem: string, condition = '') => `exists (
        select from event_problems
        join events on events.id = event_problems.event_id
        join event_participants on event_participants.event_id = events.id
        where event_problems.problem_id = ${problem}.id and not event_problems.hidden
          and events.deleted_at is null and ${hasStarted('events')}${condition}
          and event_participants.user_id = :actor and event_participants.removed_at is null)`

/** The actor takes part in an event that runs for them and shows the problem (D19, D24). */
export const isShownByRunningEvent = (problem: string) =>
  isShownByEvent(problem, ` and ${isRunningFor('events', 'event_participants')}`)

/** The actor takes part in an event that has ended for them and shows the problem. */
export const isShownByEndedEvent = (problem: string) =>
  isShownByEvent(problem, ` and ${endFor('events', 'event_participants')} <= now()`)

/** The actor sees a problem by itself, or through an event that has started (D19). */
export const problemIsVisibleAnywhere = (problem: string) =>
  `(${problem}.deleted_at is null and (${isSeenByItself(problem)} or ${isShownByEvent(problem)}))`

/**
 * The actor may know of a row of `event_problems`: only those who see all of the event know its
 * hidden problems (D33).
 */
export const isListedIn = (event: string) => `(not event_problems.hidden or ${event}.sees_all)`

/**
 * The actor may read a problem that an event lists for them: those who see all of the event always,
 * others from the start on, if they see it by itself or take part (D33). The Contest API shows it
 * to `readers` then.
 */
export const isReadableIn = (event: string, problem: string, readers = `${event}.takes_part`) =>
  `(${event}.sees_all or (${event}.has_started and (${problemIsVisible(problem)} or ${readers})))`

/** The problem `:problem_id`, if the actor sees it. */
export const VISIBLE_PROBLEM: ListOwner = {
  name: 'problem',
  exists: `exists (
      select from problems where problems.id = :problem_id and ${problemIsVisibleAnywhere('problems')})`,
}
