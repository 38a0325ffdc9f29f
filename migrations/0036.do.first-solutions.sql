-- Finds the first solution of a problem without reading all of them.
drop index event_scores_counted;
create index event_scores_counted on event_scores (event_id, problem_id, first_accepted_time)
  where total_attempts > 0;
