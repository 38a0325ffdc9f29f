-- The unread count of a user looks at questions only if a contest hides any.
create index events_clarifications_by_staff on events (id) where clarifications = 'staff';

-- A contest runs until the end of the participant who has the most time.
create index event_participants_extra_minutes on event_participants (event_id, extra_minutes)
  where extra_minutes is not null and removed_at is null;
