-- JUDGE WORKERS THAT HAVE REGISTERED

create table judges (
  name           text        not null,
  version        text,
  concurrency    integer     not null,
  -- The installed languages, and their names and aliases in lower case.
  languages      json        not null,
  language_names text[]      not null,
  -- The ids of what it judges, each with its start.
  judging        json        not null,
  first_seen_at  timestamptz not null default now(),
  started_at     timestamptz not null default now(),
  last_seen_at   timestamptz not null default now(),
  connected      boolean     not null,
  constraint judges_pkey primary key (name)
) with (fillfactor = 50);

-- The names of the languages that connected workers have: one row, or none without such a worker.
-- A repeated registration does not change it, so that the list of languages keeps its version.
create table available_languages (
  single boolean not null default true,
  names  text[]  not null,
  constraint available_languages_pkey primary key (single),
  constraint available_languages_single_check check (single)
);

create function note_available_languages() returns trigger
language plpgsql as $$
begin
  -- One transaction at a time: each sees the workers that the one before has committed.
  lock table available_languages in share row exclusive mode;
  if exists (select from judges where judges.connected) then
    insert into available_languages (names)
    select coalesce(array_agg(distinct named.name order by named.name), '{}')
    from judges cross join unnest(judges.language_names) as named (name)
    where judges.connected
    on conflict (single) do update set names = excluded.names
    where available_languages.names <> excluded.names;
  else
    delete from available_languages;
  end if;
  return null;
end
$$;

create trigger judges_languages_added
after insert or delete on judges
for each row execute function note_available_languages();

create trigger judges_languages_changed
after update on judges
for each row
when ((old.connected, old.language_names) is distinct from (new.connected, new.language_names))
execute function note_available_languages();

create trigger judges_languages_emptied
after truncate on judges
for each statement execute function note_available_languages();

create trigger available_languages_list_version
after insert or update or delete on available_languages
for each row execute function change_list_versions('languages');

create trigger available_languages_list_version_emptied
after truncate on available_languages
for each statement execute function change_list_versions('languages');
