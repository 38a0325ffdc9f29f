-- Running instances of the previous release read both. They compute the text if cell is null, so
-- nothing writes the column. A migration of the next release drops both.
alter table event_scores add column cell text;

create function cell_text(
  user_id uuid, problem_id integer, attempts integer, total_attempts integer, first_accepted_time timestamptz
) returns text
language sql stable parallel safe
return concat(
  '{"user_id":"', user_id, '","problem_id":', problem_id, ',"attempts":', attempts, ',"total_attempts":', total_attempts,
  case when first_accepted_time is not null then concat(',"first_accepted_time":"', utc(first_accepted_time), '"') end);
