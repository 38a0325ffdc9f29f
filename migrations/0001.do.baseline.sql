-- The schema of release 0.2.0. Later migrations only add to it (P14).


-- TIMES

-- RFC 3339 in UTC, with milliseconds or microseconds only where they are not zero (D4).
create function utc(moment timestamptz) returns text
language sql stable parallel safe
return to_char(
  moment at time zone 'UTC',
  case
    when date_trunc('second', moment) = moment then 'YYYY-MM-DD"T"HH24:MI:SS"Z"'
    when date_trunc('milliseconds', moment) = moment then 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
    else 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'
  end);

-- Microseconds since 1970.
create function microseconds(moment timestamptz) returns bigint
language sql stable parallel safe
return (extract(epoch from moment) * 1000000)::bigint;

-- Whole minutes from the start of a contest, at least 0.
create function contest_minutes(moment timestamptz, start_time timestamptz) returns integer
language sql stable parallel safe
return greatest(0, floor(date_part('epoch', moment - start_time) / 60))::integer;


-- SEEDS

-- Seed data that was inserted once: operators may change it afterwards.
create table seeds (
  name       text        not null,
  applied_at timestamptz not null default now(),
  constraint seeds_pkey primary key (name)
);


-- LIST VERSIONS (P1)

-- A list that clients poll is unchanged while all rows of its names keep their versions.
-- A name has several rows, because concurrent transactions change different rows.
-- Versions are random: after a restore, a number would repeat.
create table list_versions (
  name       text        not null,
  slot       uuid        not null default gen_random_uuid(),
  version    uuid        not null default gen_random_uuid(),
  -- The standings tell their readers.
  changed_at timestamptz not null default now(),
  constraint list_versions_pkey primary key (name, slot)
) with (fillfactor = 50);

-- The name 'all' is part of every list. `select change_list_version('all')` changes every list.
insert into list_versions (name) values ('all');

-- Changes a row of the name that no other transaction has locked, or adds one: it never waits.
-- One change per transaction is enough. The update is a statement of its own to see the newest row.
create function change_list_version(changed text) returns void
language plpgsql as $$
declare
  free record;
begin
  select list_versions.slot, list_versions.xmin = pg_current_xact_id()::xid as is_changed into free
  from list_versions
  where list_versions.name = changed
  limit 1
  for no key update skip locked;
  if not found then
    insert into list_versions (name) values (changed);
  elsif not free.is_changed then
    update list_versions set version = gen_random_uuid(), changed_at = now()
    where list_versions.name = changed and list_versions.slot = free.slot;
  end if;
end
$$;

-- Changes the names in the trigger's arguments. Each event has its own name for 'standings'.
create function change_list_versions() returns trigger
language plpgsql as $$
declare
  changed text;
begin
  foreach changed in array tg_argv loop
    if changed = 'standings' then
      changed := 'standings ' || coalesce(new.event_id, old.event_id);
    end if;
    perform change_list_version(changed);
  end loop;
  return null;
end
$$;

-- A migration may change the contents of any list.
create trigger schema_versions_list_version
after insert on schema_versions
for each statement execute function change_list_versions('all');


-- CHANGES (P25)

-- The log of changes: which object of which contest has changed. Readers go on from a snapshot:
-- they read the rows that it did not see, so no commit can be overtaken, and none waits.
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


-- ACCOUNTS

create table users (
  id              uuid        not null,
  name            text        not null,
  email           text        not null,
  image           text        not null default '',
  is_admin        boolean     not null default false,
  join_date       timestamptz not null default now(),
  password_hash   text,
  provider_id     text,
  session_version integer     not null default 1,
  deleted_at      timestamptz,
  constraint users_pkey primary key (id)
);
create unique index users_provider_id_key on users (provider_id);
create index users_admins on users (id) where is_admin and deleted_at is null;

-- Two names or e-mails are the same if their NFKC forms are, ignoring case (D11). Text in ASCII is
-- its own NFKC form. Some characters have a long NFKC form, but an index entry has 2,700 bytes. A
-- client may send any text as an e-mail: sorting many combining characters takes quadratic time.
-- Joiners (ZWNJ, ZWJ) are allowed between letters, but most of them are invisible.
create function folded(sent text) returns text
language sql immutable parallel safe
return left(lower(case when octet_length(sent) = length(sent) then left(sent, 1000)
                       else translate(normalize(left(sent, 1000), NFKC), U&'\200C\200D', '') end),
            600);
create unique index users_name_folded_key on users (folded(name)) where deleted_at is null;
create unique index users_email_folded_key on users (folded(email)) where deleted_at is null;

-- The standings have the names of users.
create trigger users_list_version
after update on users
for each row
when (old.name is distinct from new.name)
execute function change_list_versions('users');

-- A deleted user has no account in contests any more.
create function log_user() returns trigger
language plpgsql as $$
begin
  insert into changes (kind, object_id) values ('user', new.id);
  if old.deleted_at is null and new.deleted_at is not null then
    insert into changes (kind, event_id, object_id, is_reset)
    select 'participant', involved.event_id, new.id, true
    from (
      select event_participants.event_id from event_participants
      where event_participants.user_id = new.id
      union
      select events.id from events
      where events.user_id = new.id or events.staff @> array[new.id]
    ) as involved;
  end if;
  return null;
end
$$;
create trigger users_changes
after update on users
for each row
when ((old.name, old.email, old.is_admin, old.deleted_at)
      is distinct from (new.name, new.email, new.is_admin, new.deleted_at))
execute function log_user();

create table password_resets (
  user_id    uuid        not null,
  token_hash text        not null,
  expires_at timestamptz not null,
  constraint password_resets_pkey primary key (user_id),
  constraint password_resets_user_id_fkey foreign key (user_id) references users (id)
);

-- A reset request for an unknown e-mail writes here what one for an account writes to
-- password_resets, so both take the same time (D13). The slot is a hash of the e-mail: the table
-- stays small.
create table unknown_resets (
  slot       integer     not null,
  token_hash text        not null,
  expires_at timestamptz not null,
  constraint unknown_resets_pkey primary key (slot),
  constraint unknown_resets_slot_check check (slot between 0 and 1023)
);


-- PROBLEMS

create table problems (
  id                     integer          not null generated always as identity,
  user_id                uuid             not null,
  title                  text             not null,
  identifier             text             not null,
  prompt                 text             not null,
  source                 text             not null,
  difficulty             text             not null,
  public                 boolean          not null,
  timeout                double precision,
  timeout_is_provisional boolean          not null default false,
  accept_timeout         double precision not null,
  execution_timeout      double precision not null,
  memory_limit           integer          not null,
  -- The fields validation, test_groups, max_score, run and limits that the problem has; null if it
  -- has none. max_score is the sum of the points of test_groups.
  judging_options        jsonb,
  -- From judging_options, which may have 4 MiB: tests and lists of submissions read these instead.
  -- The length of judging_options as text, the capabilities that a judge worker needs for them
  -- (D41), and the full score; null without test groups.
  judging_options_bytes  integer          not null default 0,
  needed_capabilities    text[]           not null default '{}',
  max_score              numeric,
  -- Judges cache the tests by it. It is random: after a restore, a number would repeat.
  tests_version          uuid             not null default gen_random_uuid(),
  tests_bytes            bigint           not null default 0,
  upload_date            timestamptz      not null default now(),
  -- The last change of the problem, its test cases or its categories (D18).
  updated_at             timestamptz      not null default now(),
  deleted_at             timestamptz,
  constraint problems_pkey primary key (id),
  constraint problems_user_id_fkey foreign key (user_id) references users (id)
);
create index problems_private_user_id on problems (user_id) where not public and deleted_at is null;

create trigger problems_list_version
after insert or update or delete or truncate on problems
for each statement execute function change_list_versions('problems');

-- Workers without case-flags/1 would give the flags of the problem to all test cases.
create function needed_capabilities(judging_options jsonb) returns text[]
language sql immutable
return array_remove(array[
  case when judging_options ? 'validation' then 'validation/1' end,
  case when (judging_options -> 'validation') ? 'case_flags' then 'case-flags/1' end,
  case when judging_options ? 'test_groups' then 'test-groups/1' end,
  case when judging_options ? 'limits' then 'limits/1' end], null);

-- No generated columns: a dump could not be restored, because the condition of problems_updated_at
-- names the whole row.
create function describe_judging_options() returns trigger
language plpgsql as $$
begin
  new.judging_options_bytes := coalesce(octet_length(new.judging_options::text), 0);
  new.needed_capabilities := needed_capabilities(new.judging_options);
  new.max_score := round((new.judging_options ->> 'max_score')::numeric, 2);
  return new;
end
$$;
create trigger problems_judging_options_added
before insert on problems
for each row
when (new.judging_options is not null)
execute function describe_judging_options();
create trigger problems_judging_options_changed
before update of judging_options on problems
for each row
when (old.judging_options is distinct from new.judging_options)
execute function describe_judging_options();

create function change_tests_version_with_limits() returns trigger
language plpgsql as $$
begin
  new.tests_version := gen_random_uuid();
  return new;
end
$$;
create trigger problems_tests_version
before update on problems
for each row
when (old.accept_timeout is distinct from new.accept_timeout
      or old.execution_timeout is distinct from new.execution_timeout
      or old.memory_limit is distinct from new.memory_limit
      or old.judging_options is distinct from new.judging_options)
execute function change_tests_version_with_limits();

-- clock_timestamp: a transaction that waited for another one must not set an earlier time.
-- The creation of a problem is no change of it: its test cases are inserted after its row.
create function change_problem_updated_at() returns trigger
language plpgsql as $$
begin
  new.updated_at :=
    case when old.upload_date = now() then old.updated_at else clock_timestamp() end;
  return new;
end
$$;
-- A write of test cases changes tests_version.
create trigger problems_updated_at
before update on problems
for each row
when (old.* is distinct from new.*)
execute function change_problem_updated_at();

-- problems_updated_at notes every change of a problem, its tests and its categories.
create function log_problem() returns trigger
language plpgsql as $$
begin
  insert into changes (kind, event_id, object_id, is_reset, for_jury)
  select case when old.tests_version = new.tests_version then 'problem' else 'tests' end,
         event_problems.event_id, new.id,
         (old.public, old.user_id, old.deleted_at)
           is distinct from (new.public, new.user_id, new.deleted_at),
         event_problems.hidden
  from event_problems
  where event_problems.problem_id = new.id;
  return null;
end
$$;
create trigger problems_changes
after update on problems
for each row
when (old.updated_at is distinct from new.updated_at
      or old.tests_version is distinct from new.tests_version)
execute function log_problem();


-- CATEGORIES

create table categories (
  id   uuid not null,
  name text not null,
  constraint categories_pkey primary key (id)
);
create unique index categories_name_key on categories (lower(name));

insert into categories (id, name)
select gen_random_uuid(), category.name
from unnest(array[
  'Arrays', 'Backtracking', 'Binary Search', 'Bit Manipulation', 'Combinatorics', 'Data Structures',
  'Divide and Conquer', 'Dynamic Programming', 'Game Theory', 'Geometry', 'Graphs', 'Greedy',
  'Implementation', 'Mathematics', 'Number Theory', 'Probability', 'Recursion', 'Searching',
  'Shortest Paths', 'Simulation', 'Sorting', 'Strings', 'Trees', 'Two Pointers'
]) as category (name);

create trigger categories_list_version
after insert or update or delete or truncate on categories
for each statement execute function change_list_versions('categories', 'problems');

create table problem_categories (
  problem_id  integer not null,
  category_id uuid    not null,
  constraint problem_categories_pkey primary key (problem_id, category_id),
  constraint problem_categories_problem_id_fkey foreign key (problem_id) references problems (id),
  constraint problem_categories_category_id_fkey foreign key (category_id)
    references categories (id) on delete cascade
);
create index problem_categories_category_id on problem_categories (category_id);

-- The update of the problem changes the versions of lists and adds to `changes`.
create function change_updated_at_with_categories() returns trigger
language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    update problems set updated_at = clock_timestamp();
  else
    update problems set updated_at = clock_timestamp()
    where problems.id in (select changed.problem_id from changed);
  end if;
  return null;
end
$$;
create trigger problem_categories_updated_at_added
after insert on problem_categories
referencing new table as changed
for each statement execute function change_updated_at_with_categories();
create trigger problem_categories_updated_at_changed
after update on problem_categories
referencing new table as changed
for each statement execute function change_updated_at_with_categories();
create trigger problem_categories_updated_at_removed
after delete on problem_categories
referencing old table as changed
for each statement execute function change_updated_at_with_categories();
create trigger problem_categories_updated_at_emptied
after truncate on problem_categories
for each statement execute function change_updated_at_with_categories();


-- TEST CASES

create table test_cases (
  id              uuid    not null,
  problem_id      integer not null,
  position        integer not null,
  input           text    not null,
  expected_output text    not null,
  hidden          boolean not null,
  name            text,
  hint            text,
  description     text,
  -- Changes with the texts, so that judges keep those that have not changed.
  version         integer not null default 1,
  constraint test_cases_pkey primary key (id),
  constraint test_cases_problem_id_fkey foreign key (problem_id) references problems (id)
);
comment on column test_cases.name is
  'its path below data/ in the package, such as secret/group1/01';
create index test_cases_problem_id on test_cases (problem_id, position);

-- A text of 60 MiB takes about a second instead of 5 to 10 with pglz. Servers without lz4 use pglz.
do $$
begin
  alter table test_cases
    alter column input           set compression lz4,
    alter column expected_output set compression lz4;
exception when feature_not_supported then
  raise notice 'this server has no lz4: tests are compressed by pglz';
end
$$;

-- It is random: after a restore, a number would repeat, and judges would keep other texts. It
-- always differs from the one before.
create function change_test_case_version() returns trigger
language plpgsql as $$
begin
  new.version := (old.version::bigint + 1 + floor(random() * 2147483646)::bigint) % 2147483648;
  return new;
end
$$;
create trigger test_cases_version
before update on test_cases
for each row
when (old.input is distinct from new.input
      or old.expected_output is distinct from new.expected_output)
execute function change_test_case_version();

-- octet_length reads only the size of a text that is stored out of line.
create function count_tests_bytes(counted_problem_id integer) returns bigint
language sql stable
return (
  select coalesce(
    sum(octet_length(test_cases.input)::bigint + octet_length(test_cases.expected_output)),
    0)::bigint
  from test_cases
  where test_cases.problem_id = counted_problem_id);

create function change_tests_version() returns trigger
language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    update problems set tests_version = gen_random_uuid(), tests_bytes = 0;
  else
    update problems
    set tests_version = gen_random_uuid(),
        tests_bytes   = count_tests_bytes(problems.id)
    where problems.id in (select changed.problem_id from changed);
  end if;
  return null;
end
$$;
create trigger test_cases_tests_version_added
after insert on test_cases
referencing new table as changed
for each statement execute function change_tests_version();
create trigger test_cases_tests_version_changed
after update on test_cases
referencing new table as changed
for each statement execute function change_tests_version();
create trigger test_cases_tests_version_removed
after delete on test_cases
referencing old table as changed
for each statement execute function change_tests_version();
create trigger test_cases_tests_version_emptied
after truncate on test_cases
for each statement execute function change_tests_version();

-- The limits of a problem's tests. Texts are counted in bytes: all of them together, those of the
-- public test cases, which users read in one response, and those of one test case.
create function test_limits(
  out test_cases integer, out bytes bigint, out public_bytes bigint, out one_bytes bigint)
language sql immutable
return (10000, 256 * 1048576::bigint, 64 * 1048576::bigint, 64 * 1048576::bigint);

-- Runs after change_tests_version, which has locked the problem: it also counts the test cases of
-- other transactions.
create function check_test_limits() returns trigger
language plpgsql as $$
declare
  exceeded text;
begin
  select case
           when counted.test_cases > limits.test_cases then 'test_cases_count'
           when counted.bytes > limits.bytes then 'test_cases_bytes'
           when counted.public_bytes > limits.public_bytes then 'test_cases_public_bytes'
           when counted.one_bytes > limits.one_bytes then 'test_cases_one_bytes'
         end
  into exceeded
  from (select distinct written.problem_id from written) as changed
  cross join lateral (
    select count(*) as test_cases, sum(sizes.bytes) as bytes,
           sum(sizes.bytes) filter (where not sizes.hidden) as public_bytes,
           max(sizes.bytes) as one_bytes
    from (
      select test_cases.hidden,
             octet_length(test_cases.input)::bigint
               + octet_length(test_cases.expected_output) as bytes
      from test_cases
      where test_cases.problem_id = changed.problem_id
    ) as sizes
  ) as counted
  cross join test_limits() as limits
  where counted.test_cases > limits.test_cases or counted.bytes > limits.bytes
     or counted.public_bytes > limits.public_bytes or counted.one_bytes > limits.one_bytes
  limit 1;
  if exceeded is not null then
    raise exception 'the tests of a problem are too large'
      using errcode = 'check_violation', constraint = exceeded;
  end if;
  return null;
end
$$;
-- Triggers run in the order of their names.
create trigger test_cases_version_limits_added
after insert on test_cases
referencing new table as written
for each statement execute function check_test_limits();
create trigger test_cases_version_limits_changed
after update on test_cases
referencing new table as written
for each statement execute function check_test_limits();


-- PROBLEM PACKAGES (P16)

-- What a package has beside the problem itself.
create table problem_packages (
  problem_id integer not null,
  -- The settings of the package that the other tables do not have.
  metadata   jsonb   not null,
  -- Changes with each import.
  version    uuid    not null default gen_random_uuid(),
  constraint problem_packages_pkey primary key (problem_id),
  constraint problem_packages_problem_id_fkey foreign key (problem_id) references problems (id)
);
-- An import looks for another problem with the package's uuid. Without the index it would read all
-- packages: 50 ms for 10,000. A hash index, because a uuid may be any text, also one that is too
-- long for a B-tree.
create index problem_packages_uuid on problem_packages using hash (lower(metadata ->> 'uuid'));

create table problem_files (
  id         uuid    not null,
  problem_id integer not null,
  path       text    not null,
  -- Null: only admins see the file.
  name       text,
  bytes      integer not null,
  constraint problem_files_pkey primary key (id),
  constraint problem_files_problem_id_path_key unique (problem_id, path),
  constraint problem_files_problem_id_name_key unique (problem_id, name),
  constraint problem_files_problem_id_fkey foreign key (problem_id) references problems (id)
);

-- The content in parts, so that no statement handles much at once.
create table problem_file_parts (
  file_id uuid    not null,
  number  integer not null,
  content bytea   not null,
  constraint problem_file_parts_pkey primary key (file_id, number),
  constraint problem_file_parts_file_id_fkey foreign key (file_id) references problem_files (id)
    on delete cascade,
  constraint problem_file_parts_content_check check (octet_length(content) between 1 and 1048576)
);

-- Files that show a sample in another form belong to its texts: they go with them.
create function delete_shown_files() returns trigger
language plpgsql as $$
begin
  delete from problem_files
  where problem_files.problem_id = old.problem_id
    and problem_files.name is not null
    and problem_files.path = any (array(
      select concat('data/', old.name, extensions.extension)
      from unnest(array['.in', '.ans', '.in.statement', '.ans.statement', '.in.download',
                        '.ans.download', '.interaction', '.out']) as extensions (extension)));
  return null;
end
$$;
create trigger test_cases_shown_files_changed
after update of input, expected_output on test_cases
for each row
when (old.name like 'sample/%'
      and (old.input is distinct from new.input
           or old.expected_output is distinct from new.expected_output))
execute function delete_shown_files();
create trigger test_cases_shown_files_removed
after delete on test_cases
for each row
when (old.name like 'sample/%')
execute function delete_shown_files();


-- LANGUAGES (D22)

create table languages (
  id         uuid   not null,
  name       text   not null,
  extension  text   not null,
  version    text   not null,
  -- The order in lists: as in the language file, then as they were added.
  position   bigint not null generated by default as identity,
  retired_at timestamptz,
  constraint languages_pkey primary key (id)
);
create unique index languages_name_version_key on languages (lower(name), version)
  where retired_at is null;

create trigger languages_list_version
after insert or update or delete or truncate on languages
for each statement execute function change_list_versions('languages');

create function log_language() returns trigger
language plpgsql as $$
begin
  insert into changes (kind, object_id, is_reset)
  values ('language', coalesce(new.id, old.id),
          tg_op <> 'INSERT' and (new.id is null or new.retired_at is not null));
  return null;
end
$$;
create trigger languages_changes
after insert or update or delete on languages
for each row execute function log_language();


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
  -- Why a worker that the service's parent has started ended by itself; null once it registers.
  failure        text,
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

create trigger available_languages_list_version
after insert or update or delete on available_languages
for each row execute function change_list_versions('languages');
create trigger available_languages_list_version_emptied
after truncate on available_languages
for each statement execute function change_list_versions('languages');

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


-- EVENTS (contests: D31, D32)

-- The rules of a contest (P20) are null as specified. Deleting an event sets deleted_at, because
-- submissions refer to it.
create table events (
  id                integer     not null generated always as identity,
  user_id           uuid        not null,
  -- Users who manage the contest, besides admins and its owner.
  staff             uuid[]      not null default '{}',
  title             text        not null,
  description       text        not null,
  start_time        timestamptz not null,
  end_time          timestamptz not null,
  freeze_time       timestamptz,
  -- Since when everybody sees the standings as they are, after a freeze.
  thawed_at         timestamptz,
  teams             boolean     not null,
  languages         json        not null,
  enforce_languages boolean,
  admission         text,
  scoreboard        text,
  clarifications    text,
  scoring           text,
  penalty_minutes   integer,
  -- How many medals of each kind the contest gives.
  medals            json,
  -- There have been participants whom lists and counts leave out.
  has_unlisted      boolean     not null default false,
  deleted_at        timestamptz,
  constraint events_pkey primary key (id),
  constraint events_user_id_fkey foreign key (user_id) references users (id),
  constraint events_admission_check check (admission in ('open', 'invited')),
  constraint events_scoreboard_check check (scoreboard in ('participants', 'users', 'public')),
  constraint events_clarifications_check check (clarifications in ('any', 'staff')),
  constraint events_scoring_check check (scoring in ('icpc', 'points')),
  constraint events_penalty_minutes_check check (penalty_minutes >= 0)
);
create index events_start on events (start_time desc, id desc) where deleted_at is null;
create index events_title on events (title, id desc);
-- Contests of a user, and contests with an instant in a short time.
create index events_owner on events (user_id);
create index events_staff on events using gin (staff);
create index events_end on events (end_time);
create index events_freeze on events (freeze_time) where freeze_time is not null;
-- The unread count of a user looks at questions only if a contest may hide any. Notifications of
-- deleted contests are hidden too.
create index events_hiding_questions on events (id)
  where clarifications = 'staff' or admission = 'invited' or has_unlisted;

-- For each row: a refused change, which changes no row, keeps the entity tags of all contests.
-- A truncation of events truncates event_scores too, whose trigger changes every list.
create trigger events_list_version
after insert or update or delete on events
for each row execute function change_list_versions('events');

-- A reset where others may see the contest, its objects may become hidden or their times change.
create function log_contest() returns trigger
language plpgsql as $$
begin
  insert into changes (kind, event_id, is_reset)
  values ('contest', new.id, tg_op = 'UPDATE' and (
    (old.start_time, old.freeze_time, old.teams, old.admission, old.scoreboard, old.clarifications,
     old.scoring, old.enforce_languages, old.languages::text, old.start_time < old.end_time,
     old.staff, old.user_id, old.deleted_at)
      is distinct from
    (new.start_time, new.freeze_time, new.teams, new.admission, new.scoreboard, new.clarifications,
     new.scoring, new.enforce_languages, new.languages::text, new.start_time < new.end_time,
     new.staff, new.user_id, new.deleted_at)
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


-- PROBLEMS OF EVENTS

create table event_problems (
  id                integer          not null generated always as identity,
  event_id          integer          not null,
  problem_id        integer          not null,
  -- Problems are listed by their position; those without one follow, in the order of their ids.
  position          integer,
  label             text,
  color             text,
  hidden            boolean          not null default false,
  -- A limit that is not null overrides the problem's (D33).
  accept_timeout    double precision,
  execution_timeout double precision,
  memory_limit      integer,
  constraint event_problems_pkey primary key (id),
  constraint event_problems_event_id_problem_id_key unique (event_id, problem_id),
  constraint event_problems_event_id_fkey foreign key (event_id) references events (id),
  constraint event_problems_problem_id_fkey foreign key (problem_id) references problems (id)
);
create index event_problems_problem_id on event_problems (problem_id, event_id);

create trigger event_problems_list_version
after insert or update or delete on event_problems
for each row execute function change_list_versions('events');
create trigger event_problems_list_version_emptied
after truncate on event_problems
for each statement execute function change_list_versions('events');

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

-- The record of an event has the prompts and public test cases of all its problems. A client of the
-- database cannot read a text of 512 MiB, and JSON may double the length of a text.
-- octet_length reads only the size of a text that is stored out of line.
create function event_text_bytes(
  measured_event_id integer, out prompts bigint, out public_tests bigint)
language sql stable as $$
  select coalesce(sum(octet_length(problems.prompt)), 0)::bigint,
         coalesce(sum((
           select sum(octet_length(test_cases.input)::bigint
                      + octet_length(test_cases.expected_output))
           from test_cases
           where test_cases.problem_id = problems.id and not test_cases.hidden)), 0)::bigint
  from event_problems
  join problems on problems.id = event_problems.problem_id and problems.deleted_at is null
  where event_problems.event_id = measured_event_id
$$;

-- One write of an event's texts after the other: each sees those before it. The limit that the
-- write cannot exceed is not checked.
create function check_event_texts(
  changed_event_id integer, checks_prompts boolean, checks_tests boolean) returns void
language plpgsql as $$
declare
  mebibyte constant bigint := 1048576;
  bytes    record;
begin
  perform pg_advisory_xact_lock(7231903, changed_event_id);
  select texts.prompts, texts.public_tests into bytes
  from event_text_bytes(changed_event_id) as texts;
  if checks_prompts and bytes.prompts > 64 * mebibyte then
    raise exception 'the prompts of event % are too long', changed_event_id
      using errcode = 'check_violation', constraint = 'event_problems_prompts_bytes';
  elsif checks_tests and bytes.public_tests > 128 * mebibyte then
    raise exception 'the public test cases of event % are too long', changed_event_id
      using errcode = 'check_violation', constraint = 'event_problems_public_tests_bytes';
  end if;
end
$$;

create function check_texts_of_event_problems() returns trigger
language plpgsql as $$
begin
  perform check_event_texts(changed.event_id, true, true)
  from (select distinct added.event_id from added order by added.event_id) as changed;
  return null;
end
$$;
create trigger event_problems_texts
after insert on event_problems
referencing new table as added
for each statement execute function check_texts_of_event_problems();

create function check_prompt_of_problem() returns trigger
language plpgsql as $$
begin
  perform check_event_texts(changed.event_id, true, false)
  from (
    select event_problems.event_id
    from event_problems
    where event_problems.problem_id = new.id
    order by event_problems.event_id
  ) as changed;
  return null;
end
$$;
create trigger problems_texts
after update of prompt on problems
for each row
when (octet_length(new.prompt) > octet_length(old.prompt))
execute function check_prompt_of_problem();

create function check_public_test_cases() returns trigger
language plpgsql as $$
begin
  perform check_event_texts(changed.event_id, false, true)
  from (
    select distinct event_problems.event_id
    from event_problems
    where event_problems.problem_id in (select written.problem_id
                                        from written
                                        where not written.hidden)
    order by event_problems.event_id
  ) as changed;
  return null;
end
$$;
create trigger test_cases_texts_added
after insert on test_cases
referencing new table as written
for each statement execute function check_public_test_cases();
create trigger test_cases_texts_changed
after update on test_cases
referencing new table as written
for each statement execute function check_public_test_cases();


-- TEAMS AND PARTICIPANTS

create table teams (
  id       uuid    not null,
  event_id integer not null,
  name     text    not null,
  constraint teams_pkey primary key (id),
  constraint teams_event_id_id_key unique (event_id, id),
  constraint teams_event_id_fkey foreign key (event_id) references events (id)
);
create unique index teams_event_id_name_key on teams (event_id, lower(name));

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

-- One row per event and user, so a user is in at most one team of an event.
create table event_participants (
  event_id      integer     not null,
  user_id       uuid        not null,
  team_id       uuid,
  joined_at     timestamptz not null default now(),
  -- The user may submit that much longer than the others.
  extra_minutes integer,
  -- Judged, but not in the standings.
  hidden        boolean     not null default false,
  -- The user no longer takes part; the submissions are kept.
  removed_at    timestamptz,
  constraint event_participants_pkey primary key (event_id, user_id),
  constraint event_participants_event_id_fkey foreign key (event_id) references events (id),
  constraint event_participants_user_id_fkey foreign key (user_id) references users (id),
  constraint event_participants_team_fkey foreign key (event_id, team_id)
    references teams (event_id, id),
  constraint event_participants_extra_minutes_check check (extra_minutes > 0)
);
create index event_participants_joined on event_participants (event_id, joined_at, user_id);
create index event_participants_user_id on event_participants (user_id, event_id);
create index event_participants_team_id on event_participants (team_id) where team_id is not null;
-- A contest runs until the end of the participant who has the most time.
create index event_participants_extra_minutes on event_participants (event_id, extra_minutes)
  where extra_minutes is not null and removed_at is null;
-- Participants whom lists and counts leave out. They are few, so counts subtract them.
create index event_participants_unlisted on event_participants (event_id, user_id)
  where hidden or removed_at is not null;

-- For each row: each submission in an event also inserts its participant, usually without effect.
create trigger event_participants_list_version
after insert or update or delete on event_participants
for each row execute function change_list_versions('participants');
create trigger event_participants_list_version_emptied
after truncate on event_participants
for each statement execute function change_list_versions('participants');

-- A user who leaves a team may leave it without members.
create function log_participant() returns trigger
language plpgsql as $$
begin
  -- Who has more time is not told: the contest may end later.
  if tg_op = 'UPDATE'
     and (old.hidden, old.removed_at, old.team_id)
         is not distinct from (new.hidden, new.removed_at, new.team_id) then
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

-- Lists of contests count these participants only where there have been some.
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
create function count_unlisted(of_event integer, sees_hidden boolean, its_reader uuid)
returns bigint
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


-- SUBMISSIONS AND VERDICTS

-- The newest verdict is part of the row, with its results (D25). Results keep the ids of replaced
-- test cases (D20), so no foreign key refers to test_cases.
create table submissions (
  id                  uuid             not null,
  user_id             uuid             not null,
  problem_id          integer          not null,
  language_id         uuid             not null,
  event_id            integer,
  source_code         text             not null,
  submit_time         timestamptz      not null default now(),
  -- The number of the newest judging, and when a worker last said that it is in progress.
  attempt             integer          not null default 1,
  queued_at           timestamptz      not null default now(),
  renewed_at          timestamptz,
  -- The number of the stored verdict's judging. Older verdicts are refused.
  verdict_attempt     integer          not null default 1,
  judged_at           timestamptz,
  status              text             not null default 'PENDING',
  time_elapsed        double precision not null default 0,
  -- In KiB.
  memory_used         integer,
  score               numeric(12, 2),
  stdout              text             not null default '',
  stderr              text             not null default '',
  failed_test_case_id uuid,
  test_case_results   json,
  -- The name that the judge worker gave.
  worker              text,
  -- For judges and admins; case_details has an object for each judged test case.
  judge_message       text,
  case_details        json,
  constraint submissions_pkey primary key (id),
  constraint submissions_user_id_fkey foreign key (user_id) references users (id),
  constraint submissions_problem_id_fkey foreign key (problem_id) references problems (id),
  constraint submissions_language_id_fkey foreign key (language_id) references languages (id),
  constraint submissions_event_id_fkey foreign key (event_id) references events (id)
) with (fillfactor = 85);
create index submissions_user on submissions (user_id, submit_time desc, id desc);
create index submissions_user_problem
  on submissions (user_id, problem_id, submit_time desc, id desc);
create index submissions_event on submissions (event_id, submit_time desc, id desc)
  where event_id is not null;
create index submissions_event_user on submissions (event_id, user_id, submit_time desc, id desc)
  where event_id is not null;
create index submissions_pending on submissions (queued_at) where status = 'PENDING';
-- Rejudging reads the submissions of a problem or a language in the order of their ids.
create index submissions_problem on submissions (problem_id, id);
create index submissions_language on submissions (language_id, id);

-- A submission that waits again has no details of its earlier verdict.
create function clear_verdict_details() returns trigger
language plpgsql as $$
begin
  new.memory_used := null;
  new.score := null;
  new.worker := null;
  new.judge_message := null;
  new.case_details := null;
  new.renewed_at := null;
  return new;
end
$$;
create trigger submissions_verdict_details
before update of status on submissions
for each row
when (old.status <> 'PENDING' and new.status = 'PENDING')
execute function clear_verdict_details();

-- Every write of a status, also of the same one: a later verdict replaces the earlier one.
create function log_submission() returns trigger
language plpgsql as $$
begin
  insert into changes (kind, event_id, object_id, user_ids)
  values (case tg_op when 'INSERT' then 'submission' else 'judging' end,
          new.event_id, new.id, array[new.user_id]);
  return null;
end
$$;
create trigger submissions_changes_added
after insert on submissions
for each row execute function log_submission();
create trigger submissions_changes
after update of status on submissions
for each row execute function log_submission();

-- Verdicts that a later verdict or a rejudging has replaced.
create table verdicts (
  id                  bigint           not null generated always as identity,
  submission_id       uuid             not null,
  attempt             integer          not null,
  -- When its judging was queued.
  queued_at           timestamptz,
  judged_at           timestamptz,
  status              text             not null,
  time_elapsed        double precision not null,
  memory_used         integer,
  score               numeric(12, 2),
  stdout              text             not null,
  stderr              text             not null,
  failed_test_case_id uuid,
  test_case_results   json,
  worker              text,
  judge_message       text,
  case_details        json,
  constraint verdicts_pkey primary key (id),
  constraint verdicts_submission_id_fkey foreign key (submission_id) references submissions (id)
);
create index verdicts_submission_id on verdicts (submission_id, id);


-- VERIFICATIONS AND SHADOW JUDGINGS

-- Verifications of problem packages: each judges the programs and the validators of a problem, as
-- shadow judgings.
create table verifications (
  id              uuid        not null,
  problem_id      integer     not null,
  requested_by    uuid        not null,
  created_at      timestamptz not null default now(),
  -- The import whose files are judged.
  package_version uuid        not null,
  -- The programs and validators with what is expected of them, and the limits and test cases at
  -- that time.
  plan            jsonb       not null,
  -- When no judging was pending any more and the time limit was computed.
  settled_at      timestamptz,
  -- The problem changed before that.
  is_outdated     boolean     not null default false,
  constraint verifications_pkey primary key (id),
  constraint verifications_problem_id_fkey foreign key (problem_id) references problems (id),
  constraint verifications_requested_by_fkey foreign key (requested_by) references users (id)
);
create index verifications_unsettled on verifications (created_at) where settled_at is null;

-- Programs that are judged like submissions, but are in no list, statistic, standings or
-- notification. Their columns mean what those of submissions do.
create table shadow_judgings (
  id                  uuid             not null,
  requested_by        uuid             not null,
  -- The submission whose program it is, if any.
  submission_id       uuid,
  verification_id     uuid,
  problem_id          integer          not null,
  language_id         uuid             not null,
  event_id            integer,
  source_code         text             not null,
  -- Limits and test cases that replace the problem's, or a validator that is judged.
  task                jsonb,
  -- Beside those of the problem.
  needed_capabilities text[]           not null default '{}',
  submit_time         timestamptz      not null default now(),
  attempt             integer          not null default 1,
  queued_at           timestamptz      not null default now(),
  renewed_at          timestamptz,
  -- The relay has claimed its message, and it was not queued again since.
  published           boolean          not null default false,
  verdict_attempt     integer          not null default 1,
  judged_at           timestamptz,
  status              text             not null default 'PENDING',
  time_elapsed        double precision not null default 0,
  memory_used         integer,
  score               numeric(12, 2),
  stdout              text             not null default '',
  stderr              text             not null default '',
  failed_test_case_id uuid,
  test_case_results   json,
  worker              text,
  judge_message       text,
  case_details        json,
  constraint shadow_judgings_pkey primary key (id),
  constraint shadow_judgings_requested_by_fkey foreign key (requested_by) references users (id),
  constraint shadow_judgings_submission_id_fkey foreign key (submission_id)
    references submissions (id),
  constraint shadow_judgings_verification_id_fkey foreign key (verification_id)
    references verifications (id),
  constraint shadow_judgings_problem_id_fkey foreign key (problem_id) references problems (id),
  constraint shadow_judgings_language_id_fkey foreign key (language_id) references languages (id),
  constraint shadow_judgings_event_id_fkey foreign key (event_id) references events (id)
);
create index shadow_judgings_pending on shadow_judgings (queued_at) where status = 'PENDING';
create index shadow_judgings_published on shadow_judgings (id)
  where published and status = 'PENDING';
create index shadow_judgings_problem_pending on shadow_judgings (problem_id)
  where status = 'PENDING';
create index shadow_judgings_submission on shadow_judgings (submission_id)
  where submission_id is not null;
create index shadow_judgings_verification on shadow_judgings (verification_id)
  where verification_id is not null;

-- The unfinished shadow judgings that are published. No other transaction publishes one until this
-- one ends. The function must be volatile: its query then sees all claims that were committed
-- before the lock.
create function lock_published_shadow_judgings() returns uuid[]
language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(7231905648);
  return array(
    select shadow_judgings.id
    from shadow_judgings
    where shadow_judgings.published and shadow_judgings.status = 'PENDING');
end
$$;


-- REJUDGINGS

-- A request to judge again all submissions that match its ids and were submitted before it. A
-- process queues them in batches, in the order of their ids, and stores how far it has come.
create table rejudgings (
  id             uuid        not null,
  requested_by   uuid        not null,
  requested_at   timestamptz not null default now(),
  submission_id  uuid,
  problem_id     integer,
  event_id       integer,
  language_id    uuid,
  user_id        uuid,
  status         text        not null default 'QUEUEING',
  total          integer     not null,
  queued         integer     not null default 0,
  skipped        integer     not null default 0,
  last_queued_id uuid        not null default '00000000-0000-0000-0000-000000000000',
  finished_at    timestamptz,
  constraint rejudgings_pkey primary key (id),
  constraint rejudgings_requested_by_fkey foreign key (requested_by) references users (id),
  constraint rejudgings_submission_id_fkey foreign key (submission_id) references submissions (id),
  constraint rejudgings_problem_id_fkey foreign key (problem_id) references problems (id),
  constraint rejudgings_event_id_fkey foreign key (event_id) references events (id),
  constraint rejudgings_language_id_fkey foreign key (language_id) references languages (id),
  constraint rejudgings_user_id_fkey foreign key (user_id) references users (id),
  constraint rejudgings_status_check check (status in ('QUEUEING', 'QUEUED'))
);
create index rejudgings_requested on rejudgings (requested_at desc, id desc);
-- A repeated request finds the one that is not finished.
create unique index rejudgings_queueing
  on rejudgings (submission_id, problem_id, event_id, language_id, user_id) nulls not distinct
  where status = 'QUEUEING';

-- Rejudgings as a decision (P24): submissions that were judged again as shadow judgings. Staff then
-- applies the new verdicts or cancels. The null filters chose nothing.
create table rejudging_decisions (
  id             uuid        not null,
  requested_by   uuid        not null,
  requested_at   timestamptz not null default now(),
  event_id       integer,
  problem_id     integer,
  language_id    uuid,
  status         text,
  user_id        uuid,
  submission_ids uuid[],
  reason         text,
  state          text        not null default 'OPEN',
  -- The submissions that are judged again, and the matching ones that are not.
  total          integer     not null,
  waiting        integer     not null,
  deleted        integer     not null,
  decided_by     uuid,
  decided_at     timestamptz,
  -- Once applied: counts, and the ranks that it has changed, as its response shows them.
  applied        integer,
  unchanged      integer,
  left_out       integer,
  rank_changes   json,
  constraint rejudging_decisions_pkey primary key (id),
  constraint rejudging_decisions_requested_by_fkey foreign key (requested_by) references users (id),
  constraint rejudging_decisions_event_id_fkey foreign key (event_id) references events (id),
  constraint rejudging_decisions_problem_id_fkey foreign key (problem_id) references problems (id),
  constraint rejudging_decisions_language_id_fkey foreign key (language_id)
    references languages (id),
  constraint rejudging_decisions_user_id_fkey foreign key (user_id) references users (id),
  constraint rejudging_decisions_decided_by_fkey foreign key (decided_by) references users (id),
  constraint rejudging_decisions_state_check check (state in ('OPEN', 'APPLIED', 'CANCELLED'))
);
create index rejudging_decisions_requested on rejudging_decisions (requested_at desc, id desc);
create index rejudging_decisions_event on rejudging_decisions (event_id, requested_at desc, id desc)
  where event_id is not null;

-- Each submission of a decision as it was at the request.
create table rejudging_items (
  decision_id       uuid           not null,
  submission_id     uuid           not null,
  -- Without a foreign key: admins may delete shadow judgings.
  shadow_judging_id uuid           not null,
  attempt           integer        not null,
  verdict_attempt   integer        not null,
  judged_at         timestamptz,
  status            text           not null,
  score             numeric(12, 2),
  -- Once applied: what became of the submission, and the verdict of its shadow judging.
  outcome           text,
  new_status        text,
  new_score         numeric(12, 2),
  constraint rejudging_items_pkey primary key (decision_id, submission_id),
  constraint rejudging_items_decision_id_fkey foreign key (decision_id)
    references rejudging_decisions (id),
  constraint rejudging_items_submission_id_fkey foreign key (submission_id)
    references submissions (id)
);


-- RUNS (custom input: D27)

create table runs (
  id              uuid             not null,
  channel         text             not null,
  user_id         uuid,
  -- The user or network that an unfinished run counts for, and its place there. Null for runs
  -- without a limit and for finished runs.
  owner_key       text,
  slot            integer,
  language_id     uuid             not null,
  source_code     text             not null,
  stdin           text             not null,
  created_at      timestamptz      not null default now(),
  attempt         integer          not null default 1,
  queued_at       timestamptz      not null default now(),
  -- The relay has claimed its message, and it was not queued again since.
  published       boolean          not null default false,
  verdict_attempt integer          not null default 1,
  finished        boolean          not null default false,
  status          text             not null default 'PENDING',
  stdout          text             not null default '',
  stderr          text             not null default '',
  runtime         double precision not null default 0,
  constraint runs_pkey primary key (id),
  constraint runs_user_id_fkey foreign key (user_id) references users (id),
  constraint runs_language_id_fkey foreign key (language_id) references languages (id),
  constraint runs_channel_check check (channel in ('user', 'public', 'bench'))
) with (fillfactor = 85);
create index runs_pending on runs (queued_at) where not finished;
create index runs_published on runs (id) where published and not finished;
-- The index makes the limit exact.
create unique index runs_owner_slot on runs (owner_key, slot)
  where not finished and owner_key is not null;
-- Old runs are deleted, those without an account first.
create index runs_anonymous_created_at on runs (created_at) where user_id is null;
create index runs_user_created_at on runs (created_at) where user_id is not null;

-- As for shadow judgings, the function must be volatile.
create function lock_published_runs() returns uuid[]
language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(7231905647);
  return array(select runs.id from runs where runs.published and not runs.finished);
end
$$;


-- QUEUE (P13)

-- Messages for the broker. The statement that creates or rejudges the subject inserts the row, one
-- relay claims it for a limited time, and the relay deletes it after the broker's confirm. Messages
-- of shadow judgings have the type "submission", and leave the outbox after all others.
create table outbox (
  id            bigint      not null generated always as identity,
  kind          text        not null,
  subject_id    uuid        not null,
  attempt       integer     not null default 1,
  enqueued_at   timestamptz not null default now(),
  claimed_until timestamptz,
  claims        integer     not null default 0,
  constraint outbox_pkey primary key (id),
  constraint outbox_kind_check check (kind in ('submission', 'input', 'shadow'))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
-- Messages of one kind in their order, however many of the other kinds wait.
create index outbox_submissions on outbox (id) where kind = 'submission';
create index outbox_runs on outbox (id) where kind = 'input';
create index outbox_shadows on outbox (id) where kind = 'shadow';
create index outbox_run on outbox (subject_id) where kind = 'input';
create index outbox_shadow on outbox (subject_id) where kind = 'shadow';


-- STANDINGS (D35, P22, P23)

-- Cells that staff has revealed since the contest was frozen, in the order of the steps.
create table event_reveals (
  event_id   integer not null,
  user_id    uuid    not null,
  problem_id integer not null,
  -- A step reveals one cell, or in standings by team the cells of the members at one problem.
  step       integer not null,
  constraint event_reveals_pkey primary key (event_id, user_id, problem_id),
  constraint event_reveals_event_id_fkey foreign key (event_id) references events (id),
  constraint event_reveals_user_id_fkey foreign key (user_id) references users (id),
  constraint event_reveals_problem_id_fkey foreign key (problem_id) references problems (id)
);

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

-- One cell: a user's result for one problem of an event. The statement that stores a submission or
-- a verdict merges its outcome into the newest version of the row. Triggers compute the other
-- columns.
create table event_scores (
  event_id            integer     not null,
  user_id             uuid        not null,
  problem_id          integer     not null,
  -- By the ids of submissions: [submit time in microseconds since 1970, status], and
  -- [..., score] for a verdict with points.
  outcomes            jsonb       not null,
  -- The end of the contest for this user: later submissions do not count. Null: none counts.
  counted_until       timestamptz,
  -- A cell without counted submissions has 0, and is in no list.
  total_attempts      integer,
  attempts            integer,
  pending             integer,
  first_accepted_time timestamptz,
  -- The best score.
  score               numeric(12, 2),
  -- The item in the list of attempts, and the fields of the cell in the standings. They are valid
  -- while the event starts at item_start_time.
  item_start_time     timestamptz,
  item                json,
  standing            text,
  -- Set if a counted submission is shown as pending because it was sent since then. The columns
  -- before have the cell as it is, and these the cell as it is shown.
  frozen_from         timestamptz,
  shown_attempts      integer,
  shown_pending       integer,
  shown_accepted_time timestamptz,
  shown_score         numeric(12, 2),
  shown_item          json,
  shown_standing      text,
  -- The transaction that last wrote the cell. Readers that keep the standings read the cells that
  -- their snapshot did not see, as those of `changes` do.
  changed_xid         xid8,
  constraint event_scores_pkey primary key (event_id, user_id, problem_id),
  constraint event_scores_event_id_fkey foreign key (event_id) references events (id),
  constraint event_scores_user_id_fkey foreign key (user_id) references users (id),
  constraint event_scores_problem_id_fkey foreign key (problem_id) references problems (id)
) with (fillfactor = 70);
create index event_scores_problem on event_scores (event_id, problem_id)
  include (first_accepted_time);
-- Finds the first solution of a problem without reading all of them.
create index event_scores_counted on event_scores (event_id, problem_id, first_accepted_time)
  where total_attempts > 0;
create index event_scores_changed on event_scores (event_id, changed_xid)
  where changed_xid is not null;

-- The counts of one cell; outcomes from `frozen_from` on are pending.
create function count_cell(
  outcomes jsonb, counted_until timestamptz, frozen_from timestamptz,
  out submissions integer, out attempts integer, out pending integer,
  out first_accepted_time timestamptz, out score numeric) returns record
language sql stable as $$
  select count(*)::integer,
         count(*) filter (
           where outcome.status not in ('PENDING', 'COMPILE_TIME_ERROR', 'INTERNAL_ERROR')
             and (outcome.first_accepted is null
                  or outcome.submitted <= outcome.first_accepted))::integer,
         count(*) filter (where outcome.status = 'PENDING')::integer,
         timestamptz 'epoch' + min(outcome.first_accepted) * interval '1 microsecond',
         max(outcome.score)
  from (
    select entry.submitted, entry.status, entry.score,
           min(entry.submitted) filter (where entry.status = 'ACCEPTED') over () as first_accepted
    from (
      select (pair.value ->> 0)::bigint as submitted,
             case when (pair.value ->> 0)::bigint >= microseconds(frozen_from) then 'PENDING'
                  else pair.value ->> 1 end as status,
             case when (pair.value ->> 0)::bigint >= microseconds(frozen_from) then null
                  else (pair.value ->> 2)::numeric end as score
      from jsonb_each(outcomes) as pair (submission_id, value)
      where (pair.value ->> 0)::bigint < microseconds(counted_until)
    ) as entry
  ) as outcome
$$;

-- The item of a cell in the list of attempts.
create function score_item(
  user_id uuid, problem_id integer, attempts integer, total_attempts integer,
  first_accepted_time timestamptz, start_time timestamptz) returns json
language sql stable parallel safe
return json_strip_nulls(json_build_object(
  'user_id', user_id,
  'problem_id', problem_id,
  'attempts', attempts,
  'total_attempts', total_attempts,
  'first_accepted_time', utc(first_accepted_time),
  'minutes_to_solve', case when first_accepted_time is not null then
    greatest(0, floor(date_part('epoch', first_accepted_time - start_time) / 60))::integer end));

-- The fields of a cell in the standings, without the closing brace.
create function standing_text(
  problem_id integer, attempts integer, pending integer, accepted_time timestamptz, score numeric,
  start_time timestamptz) returns text
language sql stable parallel safe
return concat(
  '{"problem_id":', problem_id, ',"tries":', attempts, ',"pending":', pending,
  case when accepted_time is not null
    then ',"minutes":' || contest_minutes(accepted_time, start_time) end,
  case when score is not null then ',"score":' || trim_scale(score) end);

-- Counts a cell of the standings as it is and, during a freeze, as it is shown. Cells of problems
-- that were removed from the contest, and of people who are hidden or were removed, count nothing.
-- Nor do submissions after the end: it may be moved to the past.
create function count_outcomes() returns trigger
language plpgsql as $$
declare
  its record;
  live record;
  shown record;
begin
  select events.start_time, events.scoring = 'points' as has_points,
         case when event_problems.id is not null and not coalesce(participant.hidden, false)
                and participant.removed_at is null
              then events.end_time + coalesce(participant.extra_minutes, 0) * interval '1 minute'
         end as counted_until,
         case when events.thawed_at is null and event_reveals.step is null then events.freeze_time
         end as frozen_from
  into its
  from events
  left join event_problems
    on event_problems.event_id = events.id and event_problems.problem_id = new.problem_id
  left join event_participants as participant
    on participant.event_id = events.id and participant.user_id = new.user_id
  left join event_reveals
    on event_reveals.event_id = events.id and event_reveals.user_id = new.user_id
    and event_reveals.problem_id = new.problem_id
  where events.id = new.event_id;
  live := count_cell(new.outcomes, its.counted_until, null);
  new.total_attempts := live.submissions;
  new.attempts := live.attempts;
  new.pending := live.pending;
  new.first_accepted_time := live.first_accepted_time;
  new.score := live.score;
  new.counted_until := its.counted_until;
  new.item_start_time := its.start_time;
  new.item := score_item(
    new.user_id, new.problem_id, new.attempts, new.total_attempts, new.first_accepted_time,
    its.start_time);
  new.standing := standing_text(
    new.problem_id, new.attempts, new.pending, new.first_accepted_time,
    case when its.has_points then new.score end, its.start_time);
  new.frozen_from := case when exists (
    select from jsonb_each(new.outcomes) as pair (submission_id, value)
    where (pair.value ->> 0)::bigint >= microseconds(its.frozen_from)
      and (pair.value ->> 0)::bigint < microseconds(its.counted_until)) then its.frozen_from end;
  if new.frozen_from is null then
    new.shown_attempts := null;
    new.shown_pending := null;
    new.shown_accepted_time := null;
    new.shown_score := null;
    new.shown_item := null;
    new.shown_standing := null;
  else
    shown := count_cell(new.outcomes, its.counted_until, new.frozen_from);
    new.shown_attempts := shown.attempts;
    new.shown_pending := shown.pending;
    new.shown_accepted_time := shown.first_accepted_time;
    new.shown_score := shown.score;
    new.shown_item := score_item(
      new.user_id, new.problem_id, shown.attempts, new.total_attempts, shown.first_accepted_time,
      its.start_time);
    new.shown_standing := standing_text(
      new.problem_id, shown.attempts, shown.pending, shown.first_accepted_time,
      case when its.has_points then shown.score end, its.start_time);
  end if;
  return new;
end
$$;
create trigger event_scores_count_outcomes
before insert or update on event_scores
for each row execute function count_outcomes();
-- Replicated changes run the trigger too.
alter table event_scores enable always trigger event_scores_count_outcomes;

create function note_changed_cell() returns trigger
language plpgsql as $$
begin
  new.changed_xid := pg_current_xact_id();
  return new;
end
$$;
create trigger event_scores_note_change
before insert or update on event_scores
for each row execute function note_changed_cell();
-- Replicated changes and loaded rows run the trigger too.
alter table event_scores enable always trigger event_scores_note_change;

-- The counted outcomes of a cell as they are shown: those since `frozen_from` tell only when they
-- were sent.
create function shown_outcomes(outcomes jsonb, counted_until timestamptz, frozen_from timestamptz)
returns jsonb
language sql stable as $$
  select coalesce(jsonb_object_agg(pair.submission_id,
    case when (pair.value ->> 0)::bigint >= microseconds(frozen_from) then pair.value -> 0
         else pair.value end), '{}')
  from jsonb_each(outcomes) as pair (submission_id, value)
  where (pair.value ->> 0)::bigint < microseconds(counted_until)
$$;

-- A write to cells changes the version of the standings. If it changes nothing that is shown, such
-- as a frozen verdict or a new cell of a tester, it changes only the version that staff and judges
-- compare.
create function change_standings_version() returns trigger
language plpgsql as $$
begin
  if tg_op = 'INSERT' and new.total_attempts = 0
     or tg_op = 'UPDATE'
     and (new.total_attempts, coalesce(new.shown_standing, new.standing),
          coalesce(new.shown_item, new.item)::text)
         is not distinct from
         (old.total_attempts, coalesce(old.shown_standing, old.standing),
          coalesce(old.shown_item, old.item)::text)
     and shown_outcomes(new.outcomes, new.counted_until, new.frozen_from)
         = shown_outcomes(old.outcomes, old.counted_until, old.frozen_from) then
    perform change_list_version('frozen standings ' || new.event_id);
  else
    perform change_list_version('standings ' || coalesce(new.event_id, old.event_id));
  end if;
  return null;
end
$$;
create trigger event_scores_list_version
after insert or update on event_scores
for each row execute function change_standings_version();
-- The service deletes no cell and changes no key. After somebody does so by hand, everything is
-- read again: no cell is left that tells of the change.
create trigger event_scores_list_version_moved
after update of event_id, user_id, problem_id on event_scores
for each row execute function change_list_versions('all');
create trigger event_scores_list_version_removed
after delete on event_scores
for each row execute function change_list_versions('all');
create trigger event_scores_list_version_emptied
after truncate on event_scores
for each statement execute function change_list_versions('all');

-- Counts the cells again of a participant or a problem whose place in the contest has changed.
create function recount_cells() returns trigger
language plpgsql as $$
declare
  changed record := coalesce(new, old);
begin
  if tg_table_name = 'event_participants' then
    perform from event_scores
    where event_scores.event_id = changed.event_id and event_scores.user_id = changed.user_id
    order by event_scores.user_id, event_scores.problem_id
    for update;
    update event_scores set outcomes = event_scores.outcomes
    where event_scores.event_id = changed.event_id and event_scores.user_id = changed.user_id;
  else
    perform from event_scores
    where event_scores.event_id = changed.event_id and event_scores.problem_id = changed.problem_id
    order by event_scores.user_id, event_scores.problem_id
    for update;
    update event_scores set outcomes = event_scores.outcomes
    where event_scores.event_id = changed.event_id and event_scores.problem_id = changed.problem_id;
  end if;
  return null;
end
$$;
create trigger event_participants_recount
after update on event_participants
for each row
when ((old.extra_minutes, old.hidden, old.removed_at)
      is distinct from (new.extra_minutes, new.hidden, new.removed_at))
execute function recount_cells();
create trigger event_problems_recount
after insert or delete on event_problems
for each row execute function recount_cells();

-- Tokens of pages that show the standings of one contest (P29). Only the hash of a token is stored.
create table scoreboard_tokens (
  id         uuid        not null,
  event_id   integer     not null,
  token_hash text        not null,
  label      text,
  created_by uuid        not null,
  created_at timestamptz not null default now(),
  constraint scoreboard_tokens_pkey primary key (id),
  constraint scoreboard_tokens_event_id_fkey foreign key (event_id) references events (id)
    on delete cascade,
  constraint scoreboard_tokens_created_by_fkey foreign key (created_by) references users (id)
);
create unique index scoreboard_tokens_token_hash on scoreboard_tokens (token_hash);
create index scoreboard_tokens_event_id on scoreboard_tokens (event_id, created_at, id);
create index scoreboard_tokens_created_by on scoreboard_tokens (created_by);

create trigger scoreboard_tokens_list_version
after insert or update or delete or truncate on scoreboard_tokens
for each statement execute function change_list_versions('scoreboard tokens');


-- CLARIFICATIONS AND NOTIFICATIONS

create table questions (
  id          uuid        not null,
  event_id    integer     not null,
  user_id     uuid        not null,
  problem_id  integer,
  question    text        not null,
  answer      text,
  answered_by uuid,
  answered_at timestamptz,
  -- With clarifications by staff: everybody sees it. Else the author and the staff do.
  is_public   boolean     not null default false,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  constraint questions_pkey primary key (id),
  constraint questions_event_id_fkey foreign key (event_id) references events (id),
  constraint questions_user_id_fkey foreign key (user_id) references users (id),
  constraint questions_problem_id_fkey foreign key (problem_id) references problems (id),
  constraint questions_answered_by_fkey foreign key (answered_by) references users (id)
);
create index questions_event on questions (event_id, created_at desc, id desc);

create function log_question() returns trigger
language plpgsql as $$
begin
  insert into changes (kind, event_id, object_id, is_reset)
  values ('question', new.event_id, new.id, tg_op = 'UPDATE' and old.is_public <> new.is_public
          and (old.is_public or new.question = 'Announcement'));
  return null;
end
$$;
create trigger questions_changes
after insert or update on questions
for each row execute function log_question();

-- Frequent vacuums let the count of unread notifications read the index only.
create table notifications (
  id                uuid        not null default gen_random_uuid(),
  user_id           uuid        not null,
  event_id          integer     not null,
  question_id       uuid        not null,
  notification_type text        not null,
  created_at        timestamptz not null default now(),
  read_at           timestamptz,
  constraint notifications_pkey primary key (id),
  constraint notifications_user_id_fkey foreign key (user_id) references users (id),
  constraint notifications_event_id_fkey foreign key (event_id) references events (id),
  constraint notifications_question_id_fkey foreign key (question_id) references questions (id),
  constraint notifications_type_check check (notification_type in ('question', 'answer'))
) with (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 10000);
create index notifications_unread on notifications (user_id) where read_at is null;
create index notifications_read on notifications (user_id, read_at) where read_at is not null;

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
  constraint webhook_positions_webhook_id_fkey foreign key (webhook_id) references webhooks (id)
    on delete cascade,
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


-- IDEMPOTENCY

-- The response to a request with an Idempotency-Key, kept for a day.
create table idempotent_answers (
  -- Identifies the client.
  caller         text        not null,
  key            text        not null,
  -- The hash of the request without regard to the order of its fields.
  canonical_hash text        not null,
  answer         text,
  created_at     timestamptz not null default now(),
  constraint idempotent_answers_pkey primary key (caller, key)
);
create index idempotent_answers_created_at on idempotent_answers (created_at);
