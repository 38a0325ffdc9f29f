-- The schema of the eight migrations before the baseline, as older releases created it.
create table public.schema_versions (version bigint primary key, name text, md5 text, run_at timestamptz);
insert into public.schema_versions (version) values (0);

-- migration 1
create function utc(moment timestamptz) returns text
language sql stable parallel safe
return regexp_replace(to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '(\.000)?000$', '') || 'Z';

create table users (
  id              uuid        constraint users_pkey primary key,
  name            text        not null,
  email           text        not null,
  image           text        not null default '',
  is_admin        boolean     not null default false,
  join_date       timestamptz not null default now(),
  password_hash   text,
  provider_id     text,
  session_version integer     not null default 1,
  deleted_at      timestamptz
);
create unique index users_name_key on users (lower(name)) where deleted_at is null;
create unique index users_email_key on users (lower(email)) where deleted_at is null;
create unique index users_provider_id_key on users (provider_id);
create index users_admins on users (id) where is_admin and deleted_at is null;

create table password_resets (
  user_id    uuid        constraint password_resets_pkey primary key
                         constraint password_resets_user_id_fkey references users (id),
  token_hash text        not null,
  expires_at timestamptz not null
);

create table categories (
  id   uuid constraint categories_pkey primary key,
  name text not null
);
create unique index categories_name_key on categories (lower(name));

create table problems (
  id                integer          generated always as identity constraint problems_pkey primary key,
  user_id           uuid             not null constraint problems_user_id_fkey references users (id),
  title             text             not null,
  identifier        text             not null,
  prompt            text             not null,
  source            text             not null,
  difficulty        text             not null,
  public            boolean          not null,
  timeout           double precision,
  accept_timeout    double precision not null,
  execution_timeout double precision not null,
  memory_limit      integer          not null,
  upload_date       timestamptz      not null default now(),
  deleted_at        timestamptz
);

create table problem_categories (
  problem_id  integer not null constraint problem_categories_problem_id_fkey references problems (id),
  category_id uuid    not null constraint problem_categories_category_id_fkey references categories (id) on delete cascade,
  constraint problem_categories_pkey primary key (problem_id, category_id)
);
create index problem_categories_category_id on problem_categories (category_id);

create table test_cases (
  id              uuid    constraint test_cases_pkey primary key,
  problem_id      integer not null constraint test_cases_problem_id_fkey references problems (id),
  position        integer not null,
  input           text    not null,
  expected_output text    not null,
  hidden          boolean not null
);
create index test_cases_problem_id on test_cases (problem_id, position);

create table languages (
  id         uuid constraint languages_pkey primary key,
  name       text not null,
  extension  text not null,
  version    text not null,
  retired_at timestamptz
);
create unique index languages_name_version_key on languages (lower(name), version) where retired_at is null;

create table seeds (
  name       text        constraint seeds_pkey primary key,
  applied_at timestamptz not null default now()
);

create table submissions (
  id                  uuid             constraint submissions_pkey primary key,
  user_id             uuid             not null constraint submissions_user_id_fkey references users (id),
  problem_id          integer          not null constraint submissions_problem_id_fkey references problems (id),
  language_id         uuid             not null constraint submissions_language_id_fkey references languages (id),
  source_code         text             not null,
  status              text             not null default 'PENDING',
  submit_time         timestamptz      not null default now(),
  time_elapsed        double precision not null default 0,
  stdout              text             not null default '',
  stderr              text             not null default '',
  failed_test_case_id uuid,
  test_case_results   json
) with (fillfactor = 85);
create index submissions_user on submissions (user_id, submit_time desc, id desc);
create index submissions_user_problem on submissions (user_id, problem_id, submit_time desc, id desc);

create table runs (
  id          uuid             constraint runs_pkey primary key,
  channel     text             not null constraint runs_channel_check check (channel in ('user', 'public', 'bench')),
  user_id     uuid             constraint runs_user_id_fkey references users (id),
  language_id uuid             not null constraint runs_language_id_fkey references languages (id),
  source_code text             not null,
  stdin       text             not null,
  status      text             not null default 'PENDING',
  finished    boolean          not null default false,
  stdout      text             not null default '',
  stderr      text             not null default '',
  runtime     double precision not null default 0,
  created_at  timestamptz      not null default now()
) with (fillfactor = 85);

create table outbox (
  id            bigint      generated always as identity constraint outbox_pkey primary key,
  kind          text        not null constraint outbox_kind_check check (kind in ('submission', 'input')),
  subject_id    uuid        not null,
  attempt       integer     not null default 1,
  enqueued_at   timestamptz not null default now(),
  claimed_until timestamptz
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

insert into categories (id, name)
select gen_random_uuid(), category.name
from unnest(array[
  'Arrays', 'Backtracking', 'Binary Search', 'Bit Manipulation', 'Combinatorics', 'Data Structures', 'Divide and Conquer',
  'Dynamic Programming', 'Game Theory', 'Geometry', 'Graphs', 'Greedy', 'Implementation', 'Mathematics', 'Number Theory',
  'Probability', 'Recursion', 'Searching', 'Shortest Paths', 'Simulation', 'Sorting', 'Strings', 'Trees', 'Two Pointers'
]) as category (name);
insert into public.schema_versions (version, name, md5, run_at) values (1, 'accounts-problems-submissions-queue', '656eb5e488062ba5ba5b4859666eb7e5', now());

-- migration 2
create table events (
  id          integer     generated always as identity constraint events_pkey primary key,
  user_id     uuid        not null constraint events_user_id_fkey references users (id),
  title       text        not null,
  description text        not null,
  start_time  timestamptz not null,
  end_time    timestamptz not null,
  teams       boolean     not null,
  languages   json        not null,
  deleted_at  timestamptz
);
create index events_start on events (start_time desc, id desc) where deleted_at is null;
create index events_title on events (title, id desc);

create table event_problems (
  id                integer generated always as identity constraint event_problems_pkey primary key,
  event_id          integer not null constraint event_problems_event_id_fkey references events (id),
  problem_id        integer not null constraint event_problems_problem_id_fkey references problems (id),
  hidden            boolean not null default false,
  accept_timeout    double precision,
  execution_timeout double precision,
  memory_limit      integer,
  constraint event_problems_event_id_problem_id_key unique (event_id, problem_id)
);
create index event_problems_problem_id on event_problems (problem_id, event_id);

create table teams (
  id       uuid    constraint teams_pkey primary key,
  event_id integer not null constraint teams_event_id_fkey references events (id),
  name     text    not null,
  constraint teams_event_id_id_key unique (event_id, id)
);
create unique index teams_event_id_name_key on teams (event_id, lower(name));

create table event_participants (
  event_id  integer     not null constraint event_participants_event_id_fkey references events (id),
  user_id   uuid        not null constraint event_participants_user_id_fkey references users (id),
  team_id   uuid,
  joined_at timestamptz not null default now(),
  constraint event_participants_pkey primary key (event_id, user_id),
  constraint event_participants_team_fkey foreign key (event_id, team_id) references teams (event_id, id)
);
create index event_participants_joined on event_participants (event_id, joined_at, user_id);
create index event_participants_user_id on event_participants (user_id, event_id);
create index event_participants_team_id on event_participants (team_id) where team_id is not null;

alter table submissions add column event_id integer constraint submissions_event_id_fkey references events (id);
create index submissions_event on submissions (event_id, submit_time desc, id desc) where event_id is not null;
create index submissions_event_user on submissions (event_id, user_id, submit_time desc, id desc) where event_id is not null;

create function count_scored_attempts(outcomes jsonb) returns integer
language sql immutable parallel safe
return (
  select count(*)
  from jsonb_each(outcomes) as outcome (submission_id, value)
  where outcome.value ->> 1 not in ('PENDING', 'COMPILE_TIME_ERROR', 'INTERNAL_ERROR')
    and (outcome.value ->> 0)::bigint <= coalesce(
      (select min((accepted.value ->> 0)::bigint) from jsonb_each(outcomes) as accepted (submission_id, value)
       where accepted.value ->> 1 = 'ACCEPTED'),
      9223372036854775807)
);

create function count_attempts(outcomes jsonb) returns integer
language sql immutable parallel safe
return (select count(*) from jsonb_object_keys(outcomes));

create function first_accepted(outcomes jsonb) returns timestamptz
language sql immutable parallel safe
return (
  select timestamptz 'epoch' + min((outcome.value ->> 0)::bigint) * interval '1 microsecond'
  from jsonb_each(outcomes) as outcome (submission_id, value)
  where outcome.value ->> 1 = 'ACCEPTED'
);

create table event_scores (
  event_id            integer not null constraint event_scores_event_id_fkey references events (id),
  user_id             uuid    not null constraint event_scores_user_id_fkey references users (id),
  problem_id          integer not null constraint event_scores_problem_id_fkey references problems (id),
  outcomes            jsonb   not null,
  attempts            integer     generated always as (count_scored_attempts(outcomes)) stored,
  total_attempts      integer     generated always as (count_attempts(outcomes)) stored,
  first_accepted_time timestamptz generated always as (first_accepted(outcomes)) stored,
  constraint event_scores_pkey primary key (event_id, user_id, problem_id)
) with (fillfactor = 70);
create index event_scores_problem on event_scores (event_id, problem_id) include (first_accepted_time);

create table questions (
  id          uuid        constraint questions_pkey primary key,
  event_id    integer     not null constraint questions_event_id_fkey references events (id),
  user_id     uuid        not null constraint questions_user_id_fkey references users (id),
  problem_id  integer     constraint questions_problem_id_fkey references problems (id),
  question    text        not null,
  answer      text,
  answered_by uuid        constraint questions_answered_by_fkey references users (id),
  answered_at timestamptz,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now()
);
create index questions_event on questions (event_id, created_at desc, id desc);

create table notifications (
  id                uuid        not null default gen_random_uuid() constraint notifications_pkey primary key,
  user_id           uuid        not null constraint notifications_user_id_fkey references users (id),
  event_id          integer     not null constraint notifications_event_id_fkey references events (id),
  question_id       uuid        not null constraint notifications_question_id_fkey references questions (id),
  notification_type text        not null constraint notifications_type_check check (notification_type in ('question', 'answer')),
  created_at        timestamptz not null default now(),
  read_at           timestamptz
) with (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 10000);
create index notifications_unread on notifications (user_id) where read_at is null;
create index notifications_read on notifications (user_id, read_at) where read_at is not null;
insert into public.schema_versions (version, name, md5, run_at) values (2, 'contests', '51c9363442c1254a9e2ed2578726aba7', now());

-- migration 3
alter table submissions
  add column attempt         integer     not null default 1,
  add column verdict_attempt integer     not null default 1,
  add column queued_at       timestamptz not null default now(),
  add column judged_at       timestamptz;
create index submissions_pending on submissions (queued_at) where status = 'PENDING';
create index submissions_problem on submissions (problem_id, id);
create index submissions_language on submissions (language_id, id);

alter table runs
  add column attempt         integer     not null default 1,
  add column verdict_attempt integer     not null default 1,
  add column queued_at       timestamptz not null default now();
create index runs_pending on runs (queued_at) where not finished;

alter table outbox add column claims integer not null default 0;
update outbox set attempt = 1;

create table verdicts (
  id                  bigint           generated always as identity constraint verdicts_pkey primary key,
  submission_id       uuid             not null constraint verdicts_submission_id_fkey references submissions (id),
  attempt             integer          not null,
  status              text             not null,
  time_elapsed        double precision not null,
  stdout              text             not null,
  stderr              text             not null,
  failed_test_case_id uuid,
  test_case_results   json,
  judged_at           timestamptz
);
create index verdicts_submission_id on verdicts (submission_id, id);

create table idempotent_answers (
  caller       text        not null,
  key          text        not null,
  request_hash text        not null,
  answer       text,
  created_at   timestamptz not null default now(),
  constraint idempotent_answers_pkey primary key (caller, key)
);
create index idempotent_answers_created_at on idempotent_answers (created_at);
insert into public.schema_versions (version, name, md5, run_at) values (3, 'attempts-verdicts-idempotency', 'a994b0e3c1402352c3b3a5413b9200a1', now());

-- migration 4
lock table event_scores in access exclusive mode;

create table list_versions (
  name    text not null,
  slot    uuid not null default gen_random_uuid(),
  version uuid not null default gen_random_uuid(),
  constraint list_versions_pkey primary key (name, slot)
) with (fillfactor = 50);

insert into list_versions (name) values ('all');

create function change_list_version(changed text) returns void
language plpgsql as $$
declare
  free uuid;
begin
  select list_versions.slot into free
  from list_versions
  where list_versions.name = changed
  limit 1
  for no key update skip locked;
  if found then
    update list_versions set version = gen_random_uuid() where list_versions.name = changed and list_versions.slot = free;
  else
    insert into list_versions (name) values (changed);
  end if;
end
$$;

create function change_list_versions() returns trigger
language plpgsql as $$
begin
  perform change_list_version(changed.name) from unnest(tg_argv) as changed (name);
  return null;
end
$$;

create trigger problems_list_version
after insert or update or delete or truncate on problems
for each statement execute function change_list_versions('problems');
create trigger problem_categories_list_version
after insert or update or delete or truncate on problem_categories
for each statement execute function change_list_versions('problems');
create trigger categories_list_version
after insert or update or delete or truncate on categories
for each statement execute function change_list_versions('categories', 'problems');
create trigger languages_list_version
after insert or update or delete or truncate on languages
for each statement execute function change_list_versions('languages');
create trigger events_list_version
after insert or update or delete or truncate on events
for each statement execute function change_list_versions('events');
create trigger event_problems_list_version
after insert or update or delete or truncate on event_problems
for each statement execute function change_list_versions('events');

create function change_list_versions_for_rows() returns trigger
language plpgsql as $$
begin
  if exists (select from changed) then
    perform change_list_version(tg_argv[0]);
  end if;
  return null;
end
$$;
create trigger event_participants_list_version_added
after insert on event_participants
referencing new table as changed
for each statement execute function change_list_versions_for_rows('participants');
create trigger event_participants_list_version_changed
after update on event_participants
referencing new table as changed
for each statement execute function change_list_versions_for_rows('participants');
create trigger event_participants_list_version_removed
after delete on event_participants
referencing old table as changed
for each statement execute function change_list_versions_for_rows('participants');

create function change_standings_versions() returns trigger
language plpgsql as $$
begin
  perform change_list_version('standings ' || scored.event_id)
  from (select distinct changed.event_id from changed) as scored;
  return null;
end
$$;
create trigger event_scores_list_version_added
after insert on event_scores
referencing new table as changed
for each statement execute function change_standings_versions();
create trigger event_scores_list_version_changed
after update on event_scores
referencing new table as changed
for each statement execute function change_standings_versions();
create trigger event_scores_list_version_removed
after delete on event_scores
referencing old table as changed
for each statement execute function change_standings_versions();

create trigger event_participants_list_version_emptied
after truncate on event_participants
for each statement execute function change_list_versions('all');
create trigger event_scores_list_version_emptied
after truncate on event_scores
for each statement execute function change_list_versions('all');

create trigger schema_versions_list_version
after insert on schema_versions
for each statement execute function change_list_versions('all');
insert into public.schema_versions (version, name, md5, run_at) values (4, 'list-versions', '7a8377d9d93d5c2dca636c59934f859c', now());

-- migration 5
alter table event_scores
  alter column attempts drop expression,
  alter column total_attempts drop expression,
  alter column first_accepted_time drop expression;

create function count_outcomes() returns trigger language plpgsql as $$
begin
  select count(*),
         count(*) filter (
           where outcome.status not in ('PENDING', 'COMPILE_TIME_ERROR', 'INTERNAL_ERROR')
             and (outcome.first_accepted is null or outcome.submitted <= outcome.first_accepted)),
         timestamptz 'epoch' + min(outcome.first_accepted) * interval '1 microsecond'
  into new.total_attempts, new.attempts, new.first_accepted_time
  from (
    select (entry.value ->> 0)::bigint as submitted,
           entry.value ->> 1 as status,
           min((entry.value ->> 0)::bigint) filter (where entry.value ->> 1 = 'ACCEPTED') over () as first_accepted
    from jsonb_each(new.outcomes) as entry (submission_id, value)
  ) as outcome;
  return new;
end
$$;

create trigger event_scores_count_outcomes
before insert or update on event_scores
for each row execute function count_outcomes();
alter table event_scores enable always trigger event_scores_count_outcomes;
insert into public.schema_versions (version, name, md5, run_at) values (5, 'scores-by-trigger', 'e5e997f0f5c01f9d0f58d47def367c36', now());

-- migration 6
lock table event_scores in access exclusive mode;

create index problems_private_user_id on problems (user_id) where not public and deleted_at is null;

create or replace function utc(moment timestamptz) returns text
language sql stable parallel safe
return to_char(
  moment at time zone 'UTC',
  case
    when date_trunc('second', moment) = moment then 'YYYY-MM-DD"T"HH24:MI:SS"Z"'
    when date_trunc('milliseconds', moment) = moment then 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
    else 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'
  end);
insert into public.schema_versions (version, name, md5, run_at) values (6, 'faster-lists', 'f39d299af3c7988664d6f2cc0cf94ae0', now());

-- migration 7
create function cell_text(
  user_id uuid, problem_id integer, attempts integer, total_attempts integer, first_accepted_time timestamptz
) returns text
language sql stable parallel safe
return concat(
  '{"user_id":"', user_id, '","problem_id":', problem_id, ',"attempts":', attempts, ',"total_attempts":', total_attempts,
  case when first_accepted_time is not null then concat(',"first_accepted_time":"', utc(first_accepted_time), '"') end);

alter table event_scores add column cell text;

create or replace function count_outcomes() returns trigger language plpgsql as $$
begin
  select count(*),
         count(*) filter (
           where outcome.status not in ('PENDING', 'COMPILE_TIME_ERROR', 'INTERNAL_ERROR')
             and (outcome.first_accepted is null or outcome.submitted <= outcome.first_accepted)),
         timestamptz 'epoch' + min(outcome.first_accepted) * interval '1 microsecond'
  into new.total_attempts, new.attempts, new.first_accepted_time
  from (
    select (entry.value ->> 0)::bigint as submitted,
           entry.value ->> 1 as status,
           min((entry.value ->> 0)::bigint) filter (where entry.value ->> 1 = 'ACCEPTED') over () as first_accepted
    from jsonb_each(new.outcomes) as entry (submission_id, value)
  ) as outcome;
  new.cell := cell_text(new.user_id, new.problem_id, new.attempts, new.total_attempts, new.first_accepted_time);
  return new;
end
$$;
insert into public.schema_versions (version, name, md5, run_at) values (7, 'cell-texts', '44878dbaf3210cd556d23543035a34fb', now());

-- migration 8
alter table problems
  add column tests_version uuid   not null default gen_random_uuid(),
  add column tests_bytes   bigint not null default 0;

create function count_tests_bytes(counted_problem_id integer) returns bigint
language sql stable
return (
  select coalesce(sum(octet_length(test_cases.input)::bigint + octet_length(test_cases.expected_output)), 0)::bigint
  from test_cases
  where test_cases.problem_id = counted_problem_id);

update problems set tests_bytes = count_tests_bytes(problems.id);

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
      or old.memory_limit is distinct from new.memory_limit)
execute function change_tests_version_with_limits();
insert into public.schema_versions (version, name, md5, run_at) values (8, 'tests-version', 'f5f5731c810697d09892f1c7db3ac7d0', now());
