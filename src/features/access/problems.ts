import { hasStarted, isRunning, takesPartIn } from './events.ts'

/**
 * Whether the actor of a guarded statement ($1, $2) may see a problem by itself: an admin, a judge, its author, and everybody where it is
 * public (D19).
 */
export const problemIsVisible = (problem: string) =>
  `(${problem}.deleted_at is null and (${problem}.public or $2::integer > 0 or ${problem}.user_id = $1::uuid))`

const isShownByContest = (problem: string, condition: string) => `(${problem}.deleted_at is null and exists (
        select from event_problems
        join events on events.id = event_problems.event_id
        where event_problems.problem_id = ${problem}.id and not event_problems.hidden
          and events.deleted_at is null and ${hasStarted('events')} and ${condition} and ${takesPartIn('events')}))`

/** The actor takes part in a running contest that has the problem, not hidden (D19, D24). */
export const isShownByRunningContest = (problem: string) => isShownByContest(problem, isRunning('events'))

/** The same of a contest that has ended: its participants look back. */
export const isShownByEndedContest = (problem: string) =>
  isShownByContest(problem, 'events.end_time <= now()')

/** Whether the actor may see a problem at all: by itself, or through a contest that has started (D19). */
export const problemIsVisibleAnywhere = (problem: string) =>
  `(${problemIsVisible(problem)} or ${isShownByContest(problem, 'true')})`
