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

/** SQL: the label of a problem without one, by its number: A, B, ..., Z, AA, AB, ... */
export const letters = (
  number: string,
) => `case when ${number} > 26 then chr(64 + (${number} - 1) / 26) else '' end
               || chr(65 + (${number} - 1) % 26)`
