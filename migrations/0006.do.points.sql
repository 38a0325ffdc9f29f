-- What the full score of a problem is worth in a contest with points; null: it is not set (P22).
alter table event_problems
  add column points numeric(9, 2),
  add constraint event_problems_points_check check (points > 0 and points <= 1000000);

-- The standings of contests with points depend on the full scores of their problems too.
drop trigger problems_list_version_contest on problems;
create trigger problems_list_version_contest
after update on problems
for each row
when ((old.deleted_at, old.max_score) is distinct from (new.deleted_at, new.max_score))
execute function change_contest_version('contest');

-- In a contest with points, the full score of a problem changes the scores of all its judgements:
-- feeds send everything again.
create function log_full_score() returns trigger
language plpgsql as $$
begin
  insert into changes (kind, event_id, object_id, is_reset, for_jury)
  select 'problem', event_problems.event_id, event_problems.problem_id, true, event_problems.hidden
  from event_problems
  join events on events.id = event_problems.event_id and events.scoring = 'points'
  where case tg_table_name
          when 'problems' then event_problems.problem_id = new.id
          else event_problems.id = new.id end;
  return null;
end
$$;
create trigger event_problems_changes_points
after update on event_problems
for each row
when (old.points is distinct from new.points)
execute function log_full_score();
create trigger problems_changes_max_score
after update on problems
for each row
when (old.max_score is distinct from new.max_score)
execute function log_full_score();
