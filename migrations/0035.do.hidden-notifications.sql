-- Notifications of deleted contests are hidden too.
drop index events_hiding_questions;
create index events_hiding_questions on events (id)
  where clarifications = 'staff' or admission = 'invited' or has_unlisted;
