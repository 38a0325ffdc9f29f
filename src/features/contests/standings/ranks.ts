/** SQL condition: a row of `event_participants` is in the standings (P22). */
export const IS_RANKED_PARTICIPANT = 'event_participants.removed_at is null and not event_participants.hidden'

/** SQL condition: rows of `event_problems` and `problems` are a problem of the standings. */
export const IS_RANKED_PROBLEM = 'not event_problems.hidden and problems.deleted_at is null'

/** SQL condition: the contest ranks by points. */
export const hasPoints = (event: string) => `coalesce(${event}.scoring = 'points', false)`

/**
 * Columns of a query that groups rows of `cells`: what a user or team has in the standings. The
 * columns of a cell are `attempts`, `accepted_time` and `score`.
 */
export const totalsIn = (event: string) => `count(cells.accepted_time) as solved,
             coalesce(sum(cells.score), 0) as points,
             coalesce(sum(contest_minutes(cells.accepted_time, ${event}.start_time)
               + (cells.attempts - 1) * coalesce(${event}.penalty_minutes, 20))
               filter (where cells.accepted_time is not null), 0) as penalty,
             max(cells.accepted_time) as last_accepted`

/** The order of ranks; `totals` has the columns of `totalsIn`. */
export const rankOrder = (totals: string, byPoints: string) =>
  `case when ${byPoints} then ${totals}.points else ${totals}.solved end desc,
                        ${totals}.penalty, ${totals}.last_accepted nulls first`
