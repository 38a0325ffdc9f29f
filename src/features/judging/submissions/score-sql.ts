/** Why a verdict's score is refused (400). */
export type ScoreRefusal = 'no_groups' | 'above_maximum' | 'not_full'

/** Part of a statement: the refusal of `:score` with this maximum (null: no scores), or null. */
export const scoreRefusal = (maximum: string) => `case
               when ${maximum} is null then case when :score is not null then 'no_groups' end
               when :score::numeric > ${maximum} then 'above_maximum'
               when :status = 'ACCEPTED' and :score::numeric is distinct from ${maximum} then 'not_full'
             end`

/**
 * The score to store: none for a program that was not judged. One below the maximum does not become
 * the maximum when it is rounded.
 */
export const roundedScore = (maximum: string) => `case
                       when :status in ('COMPILE_TIME_ERROR', 'INTERNAL_ERROR') then null
                       when :score::numeric < ${maximum} then least(round(:score::numeric, 2), ${maximum} - 0.01)
                       else :score::numeric
                     end`

/** The fields of a submission that are absent without a value (D5). */
export const shortFields = `'event_id', submissions.event_id,
      'memory_used', submissions.memory_used,
      'score', trim_scale(submissions.score),
      'max_score', trim_scale(problems.max_score)`
