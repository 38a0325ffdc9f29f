-- Participants whom lists and counts leave out. They are few, so counts subtract them.
create index event_participants_unlisted on event_participants (event_id, user_id)
where hidden or removed_at is not null;

-- Lists of contests count these participants only where there have been some.
alter table events add has_unlisted boolean not null default false;

create function note_unlisted() returns trigger
language plpgsql as $$
begin
  update events set has_unlisted = true where events.id = new.event_id and not events.has_unlisted;
  return null;
end
$$;

create trigger event_participants_unlisted
after insert or update on event_participants
for each row
when (new.hidden or new.removed_at is not null)
execute function note_unlisted();

-- How many participants of a contest a user does not see. Functions are not planned with the
-- lists of contests, which hardly ever call them.
create function count_unlisted(of_event integer, sees_hidden boolean, its_reader uuid) returns bigint
language plpgsql stable as $$
begin
  return (
    select count(*)
    from event_participants
    where event_participants.event_id = of_event
      and (event_participants.hidden or event_participants.removed_at is not null)
      and (event_participants.removed_at is not null
           or not (sees_hidden or event_participants.user_id is not distinct from its_reader)));
end
$$;

create function takes_part(of_event integer, of_user uuid) returns boolean
language plpgsql stable as $$
begin
  return exists (
    select from event_participants
    where event_participants.event_id = of_event and event_participants.user_id = of_user
      and event_participants.removed_at is null);
end
$$;

-- The participant as committed by now: a statement that waited for a lock has an older snapshot.
create function current_participant(of_event integer, of_user uuid) returns event_participants
language plpgsql as $$
declare
  found_one event_participants;
begin
  select event_participants.* into found_one
  from event_participants
  where event_participants.event_id = of_event and event_participants.user_id = of_user;
  return found_one;
end
$$;
