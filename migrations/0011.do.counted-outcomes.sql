-- A submission after the event's end does not count: the end of an event may be moved to the past.
-- A cell without counted submissions has total_attempts 0, and is in no list.
create or replace function count_outcomes() returns trigger
language plpgsql as $$
declare
  its record;
begin
  select events.start_time, (extract(epoch from events.end_time) * 1000000)::bigint as ends into its
  from events where events.id = new.event_id;
  select count(*),
         count(*) filter (
           where outcome.status not in ('PENDING', 'COMPILE_TIME_ERROR', 'INTERNAL_ERROR')
             and (outcome.first_accepted is null or outcome.submitted <= outcome.first_accepted)),
         timestamptz 'epoch' + min(outcome.first_accepted) * interval '1 microsecond'
  into new.total_attempts, new.attempts, new.first_accepted_time
  from (
    select (entry.value ->> 0)::bigint as submitted,
           entry.value ->> 1 as status,
           min((entry.value ->> 0)::bigint) filter (where entry.value ->> 1 = 'ACCEPTED') over () as first_accepted
    from jsonb_each(new.outcomes) as entry (submission_id, value)
    where (entry.value ->> 0)::bigint < its.ends
  ) as outcome;
  new.item_start_time := its.start_time;
  new.item := score_item(
    new.user_id, new.problem_id, new.attempts, new.total_attempts, new.first_accepted_time, new.item_start_time);
  return new;
end
$$;

create index event_scores_counted on event_scores (event_id, problem_id) include (first_accepted_time)
  where total_attempts > 0;
