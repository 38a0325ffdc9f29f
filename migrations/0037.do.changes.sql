-- The log of changes (P25): which object of which contest has changed. Readers go on from a
-- snapshot: they read the rows that it did not see, so no commit can be overtaken, and none waits.
create table changes (
  xid        xid8        not null default pg_current_xact_id(),
  id         bigint      not null generated always as identity,
  kind       text        not null,
  -- Null: it concerns no contest, or several.
  event_id   integer,
  object_id  text,
  -- The users whom it concerns alone.
  user_ids   uuid[],
  -- Objects may have disappeared for some readers.
  is_reset   boolean     not null default false,
  -- Only staff, judges and the user whom it names may see anything of it.
  for_jury   boolean     not null default false,
  created_at timestamptz not null default now(),
  constraint changes_pkey primary key (xid, id)
);

-- Every write of a status, also of the same one: a later verdict replaces the earlier one.
create function log_submission() returns trigger
language plpgsql as $$
begin
  insert into changes (kind, event_id, object_id, user_ids)
  values (case tg_op when 'INSERT' then 'submission' else 'judging' end, new.event_id, new.id, array[new.user_id]);
  return null;
end
$$;

create trigger submissions_changes_added
after insert on submissions
for each row execute function log_submission();

create trigger submissions_changes
after update of status on submissions
for each row execute function log_submission();

create function log_added_notifications() returns trigger
language plpgsql as $$
begin
  insert into changes (kind, event_id, object_id, user_ids)
  select 'notification', added.event_id, added.question_id, array_agg(added.user_id)
  from added
  group by added.event_id, added.question_id;
  return null;
end
$$;

create trigger notifications_changes_added
after insert on notifications
referencing new table as added
for each statement execute function log_added_notifications();

create function log_read_notifications() returns trigger
language plpgsql as $$
begin
  insert into changes (kind, user_ids)
  select distinct 'notification', array[changed.user_id]
  from changed;
  return null;
end
$$;

create trigger notifications_changes
after update on notifications
referencing new table as changed
for each statement execute function log_read_notifications();

create function log_question() returns trigger
language plpgsql as $$
begin
  insert into changes (kind, event_id, object_id, is_reset)
  values ('question', new.event_id, new.id, tg_op = 'UPDATE' and old.is_public <> new.is_public and (old.is_public or new.question = 'Announcement'));
  return null;
end
$$;

create trigger questions_changes
after insert or update on questions
for each row execute function log_question();

-- A reset where others may see the contest, its objects may become hidden or their times change.
create function log_contest() returns trigger
language plpgsql as $$
begin
  insert into changes (kind, event_id, is_reset)
  values ('contest', new.id, tg_op = 'UPDATE' and (
    (old.start_time, old.freeze_time, old.teams, old.admission, old.scoreboard, old.clarifications,
     old.scoring, old.enforce_languages, old.languages::text, old.start_time < old.end_time, old.staff, old.user_id, old.deleted_at)
      is distinct from
    (new.start_time, new.freeze_time, new.teams, new.admission, new.scoreboard, new.clarifications,
     new.scoring, new.enforce_languages, new.languages::text, new.start_time < new.end_time, new.staff, new.user_id, new.deleted_at)
    or (old.thawed_at is not null and new.thawed_at is null)));
  -- A thaw reveals all frozen cells.
  if tg_op = 'UPDATE' and old.thawed_at is null and new.thawed_at is not null then
    insert into changes (kind, event_id) values ('reveal', new.id);
  end if;
  return null;
end
$$;

create trigger events_changes_added
after insert on events
for each row execute function log_contest();

create trigger events_changes
after update on events
for each row
when (old::text is distinct from new::text)
execute function log_contest();

create function log_event_problem() returns trigger
language plpgsql as $$
begin
  insert into changes (kind, event_id, object_id, is_reset, for_jury)
  values ('problem', coalesce(new.event_id, old.event_id), coalesce(new.problem_id, old.problem_id),
          tg_op <> 'UPDATE' or old.hidden <> new.hidden,
          coalesce(old.hidden, true) and coalesce(new.hidden, true));
  return null;
end
$$;

create trigger event_problems_changes
after insert or update or delete on event_problems
for each row execute function log_event_problem();

-- The trigger problems_updated_at notes every change of a problem, its tests and its categories.
create function log_problem() returns trigger
language plpgsql as $$
begin
  insert into changes (kind, event_id, object_id, is_reset, for_jury)
  select case when old.tests_version = new.tests_version then 'problem' else 'tests' end,
         event_problems.event_id, new.id,
         (old.public, old.user_id, old.deleted_at) is distinct from (new.public, new.user_id, new.deleted_at),
         event_problems.hidden
  from event_problems
  where event_problems.problem_id = new.id;
  return null;
end
$$;

create trigger problems_changes
after update on problems
for each row
when (old.updated_at is distinct from new.updated_at or old.tests_version is distinct from new.tests_version)
execute function log_problem();

-- A user who leaves a team may leave it without members.
create function log_participant() returns trigger
language plpgsql as $$
begin
  -- Who has more time is not told: the contest may end later.
  if tg_op = 'UPDATE' and (old.hidden, old.removed_at, old.team_id) is not distinct from (new.hidden, new.removed_at, new.team_id) then
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

create trigger event_participants_changes_added
after insert on event_participants
for each row execute function log_participant();

create trigger event_participants_changes
after update on event_participants
for each row
when (old.* is distinct from new.*)
execute function log_participant();

create function log_team() returns trigger
language plpgsql as $$
begin
  insert into changes (kind, event_id, object_id, is_reset)
  values ('team', coalesce(new.event_id, old.event_id), coalesce(new.id, old.id), tg_op = 'DELETE');
  return null;
end
$$;

create trigger teams_changes
after insert or update or delete on teams
for each row execute function log_team();

-- A deleted user has no account in contests any more.
create function log_user() returns trigger
language plpgsql as $$
begin
  insert into changes (kind, object_id) values ('user', new.id);
  if old.deleted_at is null and new.deleted_at is not null then
    insert into changes (kind, event_id, object_id, is_reset)
    select 'participant', involved.event_id, new.id, true
    from (
      select event_participants.event_id from event_participants where event_participants.user_id = new.id
      union
      select events.id from events where events.user_id = new.id or events.staff @> array[new.id]
    ) as involved;
  end if;
  return null;
end
$$;

create trigger users_changes
after update on users
for each row
when ((old.name, old.email, old.is_admin, old.deleted_at) is distinct from (new.name, new.email, new.is_admin, new.deleted_at))
execute function log_user();

create function log_language() returns trigger
language plpgsql as $$
begin
  insert into changes (kind, object_id, is_reset)
  values ('language', coalesce(new.id, old.id), tg_op <> 'INSERT' and (new.id is null or new.retired_at is not null));
  return null;
end
$$;

create trigger languages_changes
after insert or update or delete on languages
for each row execute function log_language();

create function log_reveals() returns trigger
language plpgsql as $$
begin
  insert into changes (kind, event_id, object_id, is_reset)
  select distinct 'reveal', changed.event_id, changed.user_id, tg_op = 'DELETE'
  from changed;
  return null;
end
$$;

create trigger event_reveals_changes_added
after insert on event_reveals
referencing new table as changed
for each statement execute function log_reveals();

create trigger event_reveals_changes_removed
after delete on event_reveals
referencing old table as changed
for each statement execute function log_reveals();
