/**
 * SQL condition: a row of `event_participants` is in the standings (P22). Users who registered
 * after the present end only look back (D34).
 */
export const isRankedParticipant = (endTime: string) =>
  `event_participants.removed_at is null and not event_participants.hidden
        and coalesce(event_participants.registered_at < ${endTime}, true)`

/** SQL condition: rows of `event_problems` and `problems` are a problem of the standings. */
export const IS_RANKED_PROBLEM = 'not event_problems.hidden and problems.deleted_at is null'

/** SQL condition: the contest ranks by points. */
export const hasPoints = (event: string) => `coalesce(${event}.scoring = 'points', false)`

/** SQL: the full score of a problem in a contest with points, by these columns of the relation. */
export const fullScore = (problem: string) => `coalesce(${problem}.points, ${problem}.max_score, 100)`

/**
 * SQL: the score of a verdict in a contest with points, with two decimals; as `PointScale` counts.
 */
export const scoreInContest = (verdict: string, problem: string) => `case
            when ${problem}.max_score > 0 and ${verdict}.score is not null then
              div(200 * ${verdict}.score * ${fullScore(problem)} + ${problem}.max_score, 2 * ${problem}.max_score) / 100
            when ${verdict}.status = 'ACCEPTED' then ${fullScore(problem)}
            else coalesce(${verdict}.score, 0) end`

/** SQL: the label of a problem without one, by its number: A, B, ..., Z, AA, AB, ... */
export const letters = (
  number: string,
) => `case when ${number} > 26 then chr(64 + (${number} - 1) / 26) else '' end
               || chr(65 + (${number} - 1) % 26)`
