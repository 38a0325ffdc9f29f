-- The standings are counted by the service (src/standings), from the outcomes of the cells. The
-- database keeps the outcomes, what of them counts and what is frozen, and the versions.

-- The lists of one contest have versions of their own: 'contest <id>' changes with the row of the
-- contest and with its problems, and 'people <id>' with its participants and their names.
create function change_contest_version() returns trigger
language plpgsql as $$
declare
  event_ids integer[];
  concerned integer;
begin
  -- Waits for a concurrent rename or deletion, whose transaction does not see the new row.
  if tg_table_name = 'event_participants' and tg_op = 'INSERT' then
    perform from users where users.id = new.user_id for share;
  elsif tg_table_name = 'event_problems' and tg_op = 'INSERT' then
    perform from problems where problems.id = new.problem_id for share;
  end if;
  if tg_table_name = 'events' then
    event_ids := array[coalesce(new.id, old.id)];
  elsif tg_table_name = 'problems' then
    event_ids := array(
      select event_problems.event_id from event_problems where event_problems.problem_id = new.id);
  elsif tg_table_name = 'users' then
    event_ids := array(
      select event_participants.event_id from event_participants where event_participants.user_id = new.id);
  else
    event_ids := array[coalesce(new.event_id, old.event_id)];
  end if;
  foreach concerned in array event_ids loop
    perform change_list_version(tg_argv[0] || ' ' || concerned);
  end loop;
  return null;
end
$$;
create trigger events_list_version_contest
after insert or update or delete on events
for each row execute function change_contest_version('contest');
create trigger event_problems_list_version_contest
after insert or update or delete on event_problems
for each row execute function change_contest_version('contest');
create trigger problems_list_version_contest
after update on problems
for each row
when (old.deleted_at is distinct from new.deleted_at)
execute function change_contest_version('contest');
-- A team changes with its members.
create trigger event_participants_list_version_people
after insert or update or delete on event_participants
for each row execute function change_contest_version('people');
drop trigger users_list_version on users;
create trigger users_list_version
after update on users
for each row
when (old.name is distinct from new.name)
execute function change_contest_version('people');
-- After a truncation everything is read again.
drop trigger event_problems_list_version_emptied on event_problems;
create trigger event_problems_list_version_emptied
after truncate on event_problems
for each statement execute function change_list_versions('all');
drop trigger event_participants_list_version_emptied on event_participants;
create trigger event_participants_list_version_emptied
after truncate on event_participants
for each statement execute function change_list_versions('all');

-- Bounds a cell. Cells of problems that were removed from the contest, and of people who are hidden
-- or were removed, count nothing. Nor do submissions after the end: it may be moved to the past.
create function bound_cell() returns trigger
language plpgsql as $$
declare
  its record;
begin
  select case when event_problems.id is not null and not coalesce(participant.hidden, false)
                and participant.removed_at is null
              then events.end_time + coalesce(participant.extra_minutes, 0) * interval '1 minute'
         end as counted_until,
         case when events.thawed_at is null and event_reveals.step is null then events.freeze_time
         end as frozen_from
  into its
  from events
  left join event_problems
    on event_problems.event_id = events.id and event_problems.problem_id = new.problem_id
  left join event_participants as participant
    on participant.event_id = events.id and participant.user_id = new.user_id
  left join event_reveals
    on event_reveals.event_id = events.id and event_reveals.user_id = new.user_id
    and event_reveals.problem_id = new.problem_id
  where events.id = new.event_id;
  new.counted_until := its.counted_until;
  new.frozen_from := case when its.frozen_from is not null and exists (
    select from jsonb_each(new.outcomes) as pair (submission_id, value)
    where (pair.value ->> 0)::bigint >= microseconds(its.frozen_from)
      and (pair.value ->> 0)::bigint < microseconds(its.counted_until)) then its.frozen_from end;
  return new;
end
$$;
drop trigger event_scores_count_outcomes on event_scores;
create trigger event_scores_bound_cell
before insert or update on event_scores
for each row execute function bound_cell();
-- Replicated changes run the trigger too.
alter table event_scores enable always trigger event_scores_bound_cell;

-- A write to cells changes the version of the standings. If it changes nothing that is shown, such
-- as a frozen verdict or a new cell of a tester, it changes only the version that staff and judges
-- compare.
create or replace function change_standings_version() returns trigger
language plpgsql as $$
begin
  if shown_outcomes(new.outcomes, new.counted_until, new.frozen_from) = (case
       when tg_op = 'INSERT' then '{}'
       else shown_outcomes(old.outcomes, old.counted_until, old.frozen_from) end) then
    perform change_list_version('frozen standings ' || new.event_id);
  else
    perform change_list_version('standings ' || new.event_id);
  end if;
  return null;
end
$$;

drop function count_outcomes();
drop function count_cell(jsonb, timestamptz, timestamptz);
drop function score_item(uuid, integer, integer, integer, timestamptz, timestamptz);
drop function standing_text(integer, integer, integer, timestamptz, numeric, timestamptz);
drop function contest_minutes(timestamptz, timestamptz);
drop index event_scores_problem;
drop index event_scores_counted;
alter table event_scores
  drop column total_attempts,
  drop column attempts,
  drop column pending,
  drop column first_accepted_time,
  drop column score,
  drop column item_start_time,
  drop column item,
  drop column standing,
  drop column shown_attempts,
  drop column shown_pending,
  drop column shown_accepted_time,
  drop column shown_score,
  drop column shown_item,
  drop column shown_standing;
