/** The microseconds since 1970 of a submission's time, as the outcomes of a cell keep them. */
const SUBMITTED = (submission: string) => `(extract(epoch from ${submission}.submit_time) * 1000000)::bigint`

/**
 * SQL that merges each submission of the CTE `submissions` into its cell of the standings, for the statement that stores it or its verdict
 * (D35). The merge works on the newest version of the row, so verdicts at the same instant add up, and one that comes twice
 * counts once. Cells are taken in the order of their keys, so that two such statements never wait for each other in a circle.
 */
export function scoredFrom(submissions: string): string {
  return `insert into event_scores (event_id, user_id, problem_id, outcomes)
      select ${submissions}.event_id, ${submissions}.user_id, ${submissions}.problem_id,
             jsonb_object_agg(${submissions}.id::text, jsonb_build_array(${SUBMITTED(submissions)}, ${submissions}.status))
      from ${submissions}
      where ${submissions}.event_id is not null
      group by ${submissions}.event_id, ${submissions}.user_id, ${submissions}.problem_id
      order by ${submissions}.event_id, ${submissions}.user_id, ${submissions}.problem_id
      on conflict (event_id, user_id, problem_id)
      do update set outcomes = event_scores.outcomes || excluded.outcomes`
}
