-- Migrations that are due run in one transaction. Of this one and the next, the lock that anybody stands in the way of comes first: while
-- it waits, the other tables are free; when it gives up, nobody was held up but who needs the cells.
lock table event_scores in access exclusive mode;

-- What stands for the state of the tables that a polled list is made from: as long as all rows of its names are what they were, so is the list.
-- A write gives one row of the name a value that there never was, whichever row no other transaction has just then; where none is free it adds
-- one. So no write ever waits for another here, and there are as many rows of a name as there were writes of it at the same instant. Random
-- values, not numbers: after a restore of a backup a number would come a second time, for something else.
create table list_versions (
  name    text not null,
  slot    uuid not null default gen_random_uuid(),
  version uuid not null default gen_random_uuid(),
  constraint list_versions_pkey primary key (name, slot)
) with (fillfactor = 50);

-- Part of the version of every list. To give all of them a new one by hand: select change_list_version('all').
insert into list_versions (name) values ('all');

-- Two statements: the second sees the row as whoever had it last has left it.
create function change_list_version(changed text) returns void
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

create function change_list_versions() returns trigger
language plpgsql as $$
begin
  perform change_list_version(changed.name) from unnest(tg_argv) as changed (name);
  return null;
end
$$;

create trigger problems_list_version
after insert or update or delete or truncate on problems
for each statement execute function change_list_versions('problems');
create trigger problem_categories_list_version
after insert or update or delete or truncate on problem_categories
for each statement execute function change_list_versions('problems');
create trigger categories_list_version
after insert or update or delete or truncate on categories
for each statement execute function change_list_versions('categories', 'problems');
create trigger languages_list_version
after insert or update or delete or truncate on languages
for each statement execute function change_list_versions('languages');
create trigger events_list_version
after insert or update or delete or truncate on events
for each statement execute function change_list_versions('events');
create trigger event_problems_list_version
after insert or update or delete or truncate on event_problems
for each statement execute function change_list_versions('events');

-- Every submission in a contest lets its author take part, which mostly changes nothing.
create function change_list_versions_for_rows() returns trigger
language plpgsql as $$
begin
  if exists (select from changed) then
    perform change_list_version(tg_argv[0]);
  end if;
  return null;
end
$$;
create trigger event_participants_list_version_added
after insert on event_participants
referencing new table as changed
for each statement execute function change_list_versions_for_rows('participants');
create trigger event_participants_list_version_changed
after update on event_participants
referencing new table as changed
for each statement execute function change_list_versions_for_rows('participants');
create trigger event_participants_list_version_removed
after delete on event_participants
referencing old table as changed
for each statement execute function change_list_versions_for_rows('participants');

-- The standings of each event have a name of their own.
create function change_standings_versions() returns trigger
language plpgsql as $$
begin
  perform change_list_version('standings ' || scored.event_id)
  from (select distinct changed.event_id from changed) as scored;
  return null;
end
$$;
create trigger event_scores_list_version_added
after insert on event_scores
referencing new table as changed
for each statement execute function change_standings_versions();
create trigger event_scores_list_version_changed
after update on event_scores
referencing new table as changed
for each statement execute function change_standings_versions();
create trigger event_scores_list_version_removed
after delete on event_scores
referencing old table as changed
for each statement execute function change_standings_versions();

create trigger event_participants_list_version_emptied
after truncate on event_participants
for each statement execute function change_list_versions('all');
create trigger event_scores_list_version_emptied
after truncate on event_scores
for each statement execute function change_list_versions('all');

-- A later migration may change what a list is made by: all are new after it.
create trigger schema_versions_list_version
after insert on schema_versions
for each statement execute function change_list_versions('all');
