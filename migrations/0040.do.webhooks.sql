-- WEBHOOKS OF THE CONTEST API (P26)

create table webhooks (
  id              uuid        not null,
  user_id         uuid        not null,
  -- 1 to 20: a user has at most so many.
  slot            integer     not null,
  url             text        not null,
  -- Sent with each delivery. It is a secret of the receiver.
  token           text        not null,
  -- Empty: all.
  endpoints       text[]      not null,
  contest_ids     integer[]   not null,
  created_at      timestamptz not null default now(),
  active          boolean     not null default true,
  -- Everything before this place in the change log was considered for all contests.
  position        text        not null,
  position_at     timestamptz not null default now(),
  last_success_at timestamptz,
  last_error      text,
  last_error_at   timestamptz,
  -- Failures in a row, since the first of them, and the next try.
  failing_since   timestamptz,
  failures        integer     not null default 0,
  due_at          timestamptz not null default now(),
  -- The instance that delivers, by the number of its claim.
  lease           uuid,
  leased_until    timestamptz,
  constraint webhooks_pkey primary key (id),
  constraint webhooks_user_id_slot_key unique (user_id, slot),
  constraint webhooks_user_id_fkey foreign key (user_id) references users (id)
);
create index webhooks_active on webhooks (id) where active;

-- How far a contest was delivered, where that is further than the position of the webhook.
create table webhook_positions (
  webhook_id uuid        not null,
  event_id   integer     not null,
  position   text        not null,
  read_at    timestamptz not null,
  constraint webhook_positions_pkey primary key (webhook_id, event_id),
  constraint webhook_positions_webhook_id_fkey foreign key (webhook_id)
    references webhooks (id) on delete cascade,
  constraint webhook_positions_event_id_fkey foreign key (event_id) references events (id)
);
create index webhook_positions_event_id on webhook_positions (event_id);

create function delete_webhooks_of_user() returns trigger
language plpgsql as $$
begin
  delete from webhooks where webhooks.user_id = new.id;
  return null;
end
$$;

create trigger users_webhooks
after update on users
for each row
when (old.deleted_at is null and new.deleted_at is not null)
execute function delete_webhooks_of_user();

-- Somebody else may have known the old password and registered them.
create function deactivate_webhooks_of_user() returns trigger
language plpgsql as $$
begin
  update webhooks
  set active = false, lease = null,
      last_error = 'Deactivated: the owner got a new password.', last_error_at = now()
  where webhooks.user_id = new.id and webhooks.active;
  return null;
end
$$;

create trigger users_webhooks_sessions
after update on users
for each row
when (old.session_version is distinct from new.session_version)
execute function deactivate_webhooks_of_user();

-- Contests of a user, and contests with an instant in a short time.
create index events_owner on events (user_id);
create index events_staff on events using gin (staff);
create index events_end on events (end_time);
create index events_freeze on events (freeze_time) where freeze_time is not null;
