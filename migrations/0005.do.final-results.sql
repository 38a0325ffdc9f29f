-- Results are final after the end of a contest: who has a row, and the order of equal ranks.

-- Who has registered before the end of the contest, or was added by staff, has a row in the
-- standings.
alter table event_participants
  -- When the user registered, joined a team or submitted. Null: staff has added the user, or the
  -- row is from before this migration.
  add column registered_at timestamptz,
  -- The name at the end of the contest, if the user was renamed since. It orders equal ranks.
  add column name_at_end text;
alter table teams add column name_at_end text;

-- A user who leaves a team may leave it without members. A name at the end is told by the rename.
create or replace function log_participant() returns trigger
language plpgsql as $$
begin
  -- Who has more time is not told: the contest may end later.
  if tg_op = 'UPDATE'
     and (old.hidden, old.removed_at, old.team_id, old.registered_at)
         is not distinct from (new.hidden, new.removed_at, new.team_id, new.registered_at) then
    insert into changes (kind, event_id) values ('contest', new.event_id);
    return null;
  end if;
  insert into changes (kind, event_id, object_id, is_reset, for_jury)
  values ('participant', new.event_id, new.user_id, tg_op = 'UPDATE' and (
    (old.hidden, old.removed_at) is distinct from (new.hidden, new.removed_at)
    or (old.team_id is not null and old.team_id is distinct from new.team_id)),
    new.hidden and coalesce(old.hidden, true));
  if new.team_id is not null then
    insert into changes (kind, event_id, object_id) values ('team', new.event_id, new.team_id);
  end if;
  return null;
end
$$;
drop trigger event_participants_changes on event_participants;
create trigger event_participants_changes
after update on event_participants
for each row
when ((old.team_id, old.extra_minutes, old.hidden, old.removed_at, old.registered_at)
      is distinct from (new.team_id, new.extra_minutes, new.hidden, new.removed_at, new.registered_at))
execute function log_participant();

-- Keeps the name of a user in contests that have ended. A deleted account keeps none.
create function keep_user_name() returns trigger
language plpgsql as $$
begin
  if new.deleted_at is not null then
    update event_participants
    set name_at_end = null
    where event_participants.user_id = new.id and event_participants.name_at_end is not null;
  else
    update event_participants
    set name_at_end = old.name
    from events
    where event_participants.user_id = new.id and event_participants.name_at_end is null
      and events.id = event_participants.event_id and events.end_time <= now();
  end if;
  return null;
end
$$;
create trigger users_name_at_end
after update on users
for each row
when (old.name is distinct from new.name)
execute function keep_user_name();

-- The same for the name of a team.
create function keep_team_name() returns trigger
language plpgsql as $$
begin
  if exists (select from events where events.id = new.event_id and events.end_time <= now()) then
    new.name_at_end := coalesce(old.name_at_end, old.name);
  end if;
  return new;
end
$$;
create trigger teams_name_at_end
before update on teams
for each row
when (old.name is distinct from new.name)
execute function keep_team_name();
create trigger teams_list_version_people
after update on teams
for each row
when (old.name is distinct from new.name)
execute function change_contest_version('people');

-- A contest that goes on has its end, and the names of it, before it. Those who registered between
-- the two ends gain or lose their rows: readers read everything again.
create function move_end() returns trigger
language plpgsql as $$
begin
  if new.end_time > now() then
    update event_participants
    set name_at_end = null
    where event_participants.event_id = new.id and event_participants.name_at_end is not null;
    update teams
    set name_at_end = null
    where teams.event_id = new.id and teams.name_at_end is not null;
  end if;
  if exists (
    select from event_participants
    where event_participants.event_id = new.id
      and event_participants.registered_at >= least(old.end_time, new.end_time)
      and event_participants.registered_at < greatest(old.end_time, new.end_time)) then
    insert into changes (kind, event_id, is_reset) values ('contest', new.id, true);
  end if;
  return null;
end
$$;
create trigger events_end_moved
after update on events
for each row
when (old.end_time is distinct from new.end_time)
execute function move_end();
