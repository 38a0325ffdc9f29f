-- Changes the schema of version 10 back to version 8.
alter table event_scores drop column item, drop column item_start_time;
drop function score_item(uuid, integer, integer, integer, timestamptz, timestamptz);

create function count_scored_attempts(outcomes jsonb) returns integer
language sql immutable parallel safe
return (
  select count(*)
  from jsonb_each(outcomes) as outcome (submission_id, value)
  where outcome.value ->> 1 not in ('PENDING', 'COMPILE_TIME_ERROR', 'INTERNAL_ERROR')
    and (outcome.value ->> 0)::bigint <= coalesce(
      (select min((accepted.value ->> 0)::bigint) from jsonb_each(outcomes) as accepted (submission_id, value)
       where accepted.value ->> 1 = 'ACCEPTED'),
      9223372036854775807)
);

create function count_attempts(outcomes jsonb) returns integer
language sql immutable parallel safe
return (select count(*) from jsonb_object_keys(outcomes));

create function first_accepted(outcomes jsonb) returns timestamptz
language sql immutable parallel safe
return (
  select timestamptz 'epoch' + min((outcome.value ->> 0)::bigint) * interval '1 microsecond'
  from jsonb_each(outcomes) as outcome (submission_id, value)
  where outcome.value ->> 1 = 'ACCEPTED'
);

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

create or replace function change_list_version(changed text) returns void
language plpgsql as $$
declare
  free uuid;
begin
  select list_versions.slot into free
  from list_versions
  where list_versions.name = changed
  limit 1
  for no key update skip locked;
  if found then
    update list_versions set version = gen_random_uuid() where list_versions.name = changed and list_versions.slot = free;
  else
    insert into list_versions (name) values (changed);
  end if;
end
$$;

create or replace function change_list_versions() returns trigger
language plpgsql as $$
begin
  perform change_list_version(changed.name) from unnest(tg_argv) as changed (name);
  return null;
end
$$;

create function change_list_versions_for_rows() returns trigger
language plpgsql as $$
begin
  if exists (select from changed) then
    perform change_list_version(tg_argv[0]);
  end if;
  return null;
end
$$;

create function change_standings_versions() returns trigger
language plpgsql as $$
begin
  perform change_list_version('standings ' || scored.event_id)
  from (select distinct changed.event_id from changed) as scored;
  return null;
end
$$;

drop trigger event_participants_list_version on event_participants;
drop trigger event_participants_list_version_emptied on event_participants;
drop trigger event_scores_list_version on event_scores;

create trigger event_participants_list_version_added
after insert on event_participants referencing new table as changed
for each statement execute function change_list_versions_for_rows('participants');
create trigger event_participants_list_version_changed
after update on event_participants referencing new table as changed
for each statement execute function change_list_versions_for_rows('participants');
create trigger event_participants_list_version_removed
after delete on event_participants referencing old table as changed
for each statement execute function change_list_versions_for_rows('participants');
create trigger event_participants_list_version_emptied
after truncate on event_participants
for each statement execute function change_list_versions('all');
create trigger event_scores_list_version_added
after insert on event_scores referencing new table as changed
for each statement execute function change_standings_versions();
create trigger event_scores_list_version_changed
after update on event_scores referencing new table as changed
for each statement execute function change_standings_versions();
create trigger event_scores_list_version_removed
after delete on event_scores referencing old table as changed
for each statement execute function change_standings_versions();

-- Changes the schema of version 8 back to version 7.
drop trigger test_cases_tests_version_added on test_cases;
drop trigger test_cases_tests_version_changed on test_cases;
drop trigger test_cases_tests_version_removed on test_cases;
drop trigger test_cases_tests_version_emptied on test_cases;
drop trigger problems_tests_version on problems;
drop function change_tests_version(), change_tests_version_with_limits(), count_tests_bytes(integer);
alter table problems drop column tests_version, drop column tests_bytes;
