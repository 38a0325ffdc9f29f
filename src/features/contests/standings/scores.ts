/** SQL: the outcomes of a cell, from a group of its submissions. */
const outcomesOf = (submissions: string) =>
  `jsonb_object_agg(${submissions}.id::text, case when ${submissions}.score is null
               then jsonb_build_array(microseconds(${submissions}.submit_time), ${submissions}.status)
               else jsonb_build_array(microseconds(${submissions}.submit_time), ${submissions}.status, ${submissions}.score) end)`

/**
 * Part of a statement: merges each submission of the CTE `submissions` into its cell of the
 * standings (D35), with its score if it has one. The merge works on the newest version of the row:
 * concurrent verdicts add up, and a repeated verdict counts once. Cells are locked in the order of
 * their keys: no deadlock.
 */
export function scoredFrom(submissions: string): string {
  return `insert into event_scores (event_id, user_id, problem_id, outcomes)
      select ${submissions}.event_id, ${submissions}.user_id, ${submissions}.problem_id,
             ${outcomesOf(submissions)}
      from ${submissions}
      where ${submissions}.event_id is not null
      group by ${submissions}.event_id, ${submissions}.user_id, ${submissions}.problem_id
      order by ${submissions}.event_id, ${submissions}.user_id, ${submissions}.problem_id
      on conflict (event_id, user_id, problem_id)
      do update set outcomes = event_scores.outcomes || excluded.outcomes`
}
