-- The unread count of a user looks at questions only if a contest may hide any.
create index events_hiding_questions on events (id)
  where deleted_at is null and (clarifications = 'staff' or admission = 'invited' or has_unlisted);

-- A contest runs until the end of the participant who has the most time.
create index event_participants_extra_minutes on event_participants (event_id, extra_minutes)
  where extra_minutes is not null and removed_at is null;
