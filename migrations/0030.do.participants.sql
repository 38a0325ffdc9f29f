-- Participants whom lists and counts leave out. They are few, so counts subtract them.
create index event_participants_unlisted on event_participants (event_id, user_id)
where hidden or removed_at is not null;

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
