-- Changes the schema of the first eight migrations to the baseline.
-- Locks first, in the order in which a submission to a contest locks: no deadlock.
lock table event_participants, event_scores in access exclusive mode;

drop function count_scored_attempts(jsonb), count_attempts(jsonb), first_accepted(jsonb);

-- The next migration adds the column and the function again, for instances of the previous release.
alter table event_scores
  drop column cell,
  add column item            json,
  add column item_start_time timestamptz;
drop function cell_text(uuid, integer, integer, integer, timestamptz);

create function score_item(
  user_id uuid, problem_id integer, attempts integer, total_attempts integer,
  first_accepted_time timestamptz, start_time timestamptz
) returns json
language sql stable parallel safe
return json_strip_nulls(json_build_object(
  'user_id', user_id,
  'problem_id', problem_id,
  'attempts', attempts,
  'total_attempts', total_attempts,
  'first_accepted_time', utc(first_accepted_time),
  'minutes_to_solve', case when first_accepted_time is not null then
    greatest(0, floor(date_part('epoch', first_accepted_time - start_time) / 60))::integer end));

create or replace function count_outcomes() returns trigger
language plpgsql as $$
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
  select events.start_time into new.item_start_time from events where events.id = new.event_id;
  new.item := score_item(
    new.user_id, new.problem_id, new.attempts, new.total_attempts, new.first_accepted_time, new.item_start_time);
  return new;
end
$$;

create or replace function change_list_version(changed text) returns void
language plpgsql as $$
declare
  free record;
begin
  select list_versions.slot, list_versions.xmin = pg_current_xact_id()::xid as is_changed into free
  from list_versions
  where list_versions.name = changed
  limit 1
  for no key update skip locked;
  if not found then
    insert into list_versions (name) values (changed);
  elsif not free.is_changed then
    update list_versions set version = gen_random_uuid()
    where list_versions.name = changed and list_versions.slot = free.slot;
  end if;
end
$$;

create or replace function change_list_versions() returns trigger
language plpgsql as $$
declare
  changed text;
begin
  foreach changed in array tg_argv loop
    if changed = 'standings' then
      changed := 'standings ' || coalesce(new.event_id, old.event_id);
    end if;
    perform change_list_version(changed);
  end loop;
  return null;
end
$$;

drop trigger event_participants_list_version_added on event_participants;
drop trigger event_participants_list_version_changed on event_participants;
drop trigger event_participants_list_version_removed on event_participants;
drop trigger event_participants_list_version_emptied on event_participants;
drop trigger event_scores_list_version_added on event_scores;
drop trigger event_scores_list_version_changed on event_scores;
drop trigger event_scores_list_version_removed on event_scores;
drop function change_list_versions_for_rows(), change_standings_versions();

create trigger event_participants_list_version
after insert or update or delete on event_participants
for each row execute function change_list_versions('participants');

create trigger event_participants_list_version_emptied
after truncate on event_participants
for each statement execute function change_list_versions('participants');

create trigger event_scores_list_version
after insert or update or delete on event_scores
for each row execute function change_list_versions('standings');
