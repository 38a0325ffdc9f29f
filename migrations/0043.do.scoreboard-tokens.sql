-- Tokens of pages that show the standings of one contest. Only the hash of a token is stored.
create table scoreboard_tokens (
  id         uuid        not null,
  event_id   integer     not null,
  token_hash text        not null,
  label      text,
  created_by uuid        not null,
  created_at timestamptz not null default now(),
  constraint scoreboard_tokens_pkey primary key (id),
  constraint scoreboard_tokens_event_id_fkey foreign key (event_id) references events (id) on delete cascade,
  constraint scoreboard_tokens_created_by_fkey foreign key (created_by) references users (id)
);

create unique index scoreboard_tokens_token_hash on scoreboard_tokens (token_hash);
create index scoreboard_tokens_event_id on scoreboard_tokens (event_id, created_at, id);
create index scoreboard_tokens_created_by on scoreboard_tokens (created_by);

create trigger scoreboard_tokens_list_version
after insert or update or delete or truncate on scoreboard_tokens
for each statement execute function change_list_versions('scoreboard tokens');
