/**
 * SQL of the problems that match `:text`, by full text and by trigrams of their titles (D38).
 * Triggers keep the index up to date. The list adds who may see them: only those are ranked.
 */
export const foundProblems = `matching_problems(:text) as found (problem_id)
      join problems on problems.id = found.problem_id
      join problem_search on problem_search.problem_id = found.problem_id
      cross join lateral (
        select -(ts_rank(problem_search.document, plainto_tsquery('english', :text))
                 + word_similarity(:text, problem_search.title))::float8 as place
      ) as ranked`

/** The best problem has the lowest place. It depends on no other problem (D6). */
export const PLACE_OF_FOUND = 'ranked.place'
