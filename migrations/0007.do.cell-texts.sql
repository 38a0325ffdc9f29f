-- The JSON of a cell of the standings, all but its end, which depends on when its event starts. It is written with the cell: the standings of 5,000
-- people at 12 problems spent two thirds of their time on making it. Cells from before have it made as they are read, until they change.
create function cell_text(
  user_id uuid, problem_id integer, attempts integer, total_attempts integer, first_accepted_time timestamptz
) returns text
language sql stable parallel safe
return concat(
  '{"user_id":"', user_id, '","problem_id":', problem_id, ',"attempts":', attempts, ',"total_attempts":', total_attempts,
  case when first_accepted_time is not null then concat(',"first_accepted_time":"', utc(first_accepted_time), '"') end);

alter table event_scores add column cell text;

create or replace function count_outcomes() returns trigger language plpgsql as $$
begin
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
  ) as outcome;
  new.cell := cell_text(new.user_id, new.problem_id, new.attempts, new.total_attempts, new.first_accepted_time);
  return new;
end
$$;
