-- Problems that contain the words, or whose title is similar to the text. Ranks are computed later,
-- for the problems that the caller may see.
create function matching_problems(wanted text) returns setof integer
language sql stable
set pg_trgm.word_similarity_threshold = 0.4 as $$
  select problem_search.problem_id
  from problem_search
  where problem_search.document @@ plainto_tsquery('english', wanted)
     or wanted <% problem_search.title
$$;
