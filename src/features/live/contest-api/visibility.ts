import { letters } from '../../contests/standings/ranks.ts'
import { hasStarted } from '../../shared/access/contest-times.ts'
import {
  IN_PROBLEM_ORDER,
  isListed,
  isOpenTo,
  managesEvent,
  seesAllOf,
  seesLive,
  takesPartIn,
} from '../../shared/access/events.ts'
import { isListedIn, isReadableIn } from '../../shared/access/problems.ts'

/**
 * The actor may read a contest over the Contest API: it has a public scoreboard, or the actor has a
 * token and the contest is open to them (P26). Never null.
 */
export const readsContest = (event: string) => `(${event}.deleted_at is null and coalesce(
          ${event}.scoreboard = 'public' or (:actor is not null and ${isOpenTo(event)}), false))`

/**
 * CTE `contest`: the columns of the event `:event_id`, and what it is for the actor. No row where
 * the actor may not read it. `offset 0`: the facts behind other columns are computed once.
 *
 * `is_staff`: manages the contest (P20). `is_jury`: staff or a judge; sees problems before the
 * start, and results as they are during a freeze. `sees_all`: an admin, a judge or the owner; sees
 * hidden problems too, and reads problems before the start (D33). `takes_part`: a participant whom
 * staff has not removed. `has_started`: problems are shown (D33). `is_open`: has a token, and the
 * contest is open to them; reads clarifications (P21). `shows_results`: sees the submissions and
 * results of others, which `scoreboard: participants` closes to outsiders (P22). `is_frozen`: the
 * freeze has begun, is not thawed, and the actor is no jury (P23). None is null.
 */
export const CONTEST = `contest as materialized (
      select seen.*, opened.is_open,
             seen.scoreboard is distinct from 'participants' or seen.is_jury or seen.takes_part as shows_results,
             coalesce(seen.freeze_time <= now(), false) and seen.thawed_at is null and not seen.is_jury as is_frozen
      from (
        select events.*, ${managesEvent('events')} as is_staff, ${seesLive('events')} as is_jury,
               coalesce(${seesAllOf('events')}, false) as sees_all,
               ${takesPartIn('events')} as takes_part, ${hasStarted('events')} as has_started
        from events
        where events.id = :event_id and events.deleted_at is null
        offset 0) as seen
      cross join lateral (
        select :actor is not null
               and (seen.admission is distinct from 'invited' or seen.is_jury or seen.takes_part) as is_open
        ) as opened
      where seen.scoreboard = 'public' or opened.is_open
    )`

/**
 * CTE `shown_problems`, after `CONTEST`: the problems that the actor may see, with
 * `event_problem_id`, `problem_id`, `ordinal`, `label`, `hidden`, what gives their full score
 * (`points`, `max_score`), and `is_readable`: the actor may see title and text, by the rule of our
 * own routes (D33), and the jury from the start on. Other contests do not count: their changes do
 * not concern this one. Before the start only the jury sees problems. Numbers and labels are as in
 * the standings; hidden problems follow with higher numbers.
 */
export const SHOWN_PROBLEMS = `shown_problems as materialized (
      select listed.id as event_problem_id, listed.problem_id, listed.number as ordinal, listed.hidden,
             coalesce(listed.label, ${letters('listed.number')}) as label, listed.is_readable,
             listed.points, listed.max_score
      from (
        select event_problems.*, problems.max_score,
               (row_number() over (order by event_problems.hidden, ${IN_PROBLEM_ORDER}))::integer as number,
               coalesce(${isReadableIn('contest', 'problems', 'contest.takes_part or contest.is_jury')}, false) as is_readable,
               (contest.is_jury or contest.has_started) and ${isListedIn('contest')} as is_shown
        from contest
        join event_problems on event_problems.event_id = contest.id
        join problems on problems.id = event_problems.problem_id and problems.deleted_at is null
      ) as listed
      where listed.is_shown
    )`

/**
 * SQL condition on `contest` and a row of `event_participants`: the actor sees this person, and as
 * a team of one where the contest has no teams. Nobody was removed; only staff and the person see a
 * hidden one (P21).
 */
export const IS_LISTED_PERSON = isListed('contest.is_staff')

/** The same for the author of a submission: judges see hidden participants too (P21). */
export const IS_LISTED_AUTHOR = isListed('contest.is_jury')

/** SQL condition on `contest`: the actor sees results of this user: all, or their own (P22). */
export const resultsAreShownOf = (userId: string) =>
  `(contest.shows_results or coalesce(${userId} = :actor, false))`

/**
 * SQL condition: the freeze withholds verdicts of the submission `stored` from the actor, who is
 * neither its author nor jury, until staff reveals its cell or thaws the contest (P23). Needs
 * `contest`.
 */
export const isWithheld = (
  stored: string,
) => `(contest.is_frozen and contest.freeze_time <= ${stored}.submit_time
        and ${stored}.user_id is distinct from :actor and not coalesce((
          select true
          from event_reveals
          where event_reveals.event_id = ${stored}.event_id and event_reveals.user_id = ${stored}.user_id
            and event_reveals.problem_id = ${stored}.problem_id), false))`

/**
 * SQL condition on `contest` and a row of `questions`: the actor sees it. With clarifications by
 * staff these are their own and public ones; nobody without a token, and no outsider of an invited
 * contest, sees any (P20, P21).
 */
export const QUESTION_IS_SHOWN = `(contest.is_open and (contest.clarifications is distinct from 'staff'
        or questions.is_public or contest.is_jury or coalesce(questions.user_id = :actor, false)))`
