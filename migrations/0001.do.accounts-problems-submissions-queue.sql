-- An instant as it leaves: RFC 3339 in UTC, the fraction only when it is not zero, in milliseconds where they suffice (D4).
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

-- What was filled in once and stays as operators leave it afterwards.
create table seeds (
  name       text        constraint seeds_pkey primary key,
  applied_at timestamptz not null default now()
);

-- A verdict is the row's own columns, results included: one row to write, one to read, and a later verdict replaces
-- it whole (D25). Results keep the ids of cases that are replaced later (D20), so nothing refers to test_cases.
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

-- Messages on their way to the queue. A row is written in the statement that makes its subject, claimed for a while by
-- one relay, and deleted once the broker answers for it.
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
