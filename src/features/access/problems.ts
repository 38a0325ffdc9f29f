import { hasStarted, isRunning, takesPartIn } from './events.ts'

/** The actor sees the problem by itself: it is public or their own, or they are admin or judge. */
export const problemIsVisible = (problem: string) =>
  `(${problem}.deleted_at is null and (${problem}.public or :actor_role > 0 or ${problem}.user_id = :actor))`

const isShownByEvent = (problem: string, condition: string) => `(${problem}.deleted_at is null and exists (
        select from event_problems
        join events on events.id = event_problems.event_id
        where event_problems.problem_id = ${problem}.id and not event_problems.hidden
          and events.deleted_at is null and ${hasStarted('events')} and ${condition} and ${takesPartIn('events')}))`

/** The actor takes part in a running event that has the problem, not hidden (D19, D24). */
export const isShownByRunningEvent = (problem: string) => isShownByEvent(problem, isRunning('events'))

/** The actor took part in an ended event that has the problem, not hidden. */
export const isShownByEndedEvent = (problem: string) => isShownByEvent(problem, 'events.end_time <= now()')

/** The actor sees a problem by itself, or through an event that has started (D19). */
export const problemIsVisibleAnywhere = (problem: string) =>
  `(${problemIsVisible(problem)} or ${isShownByEvent(problem, 'true')})`
