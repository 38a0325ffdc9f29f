-- A contest (D31, D32). `languages` is kept and returned as it was sent. The row stays when it is deleted: submissions refer to it.
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

-- A problem in a contest, with the contest's own limits where it has them (D33).
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

-- Who takes part, and in which team: one row a person and contest, so nobody is ever on two teams of one contest.
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

-- What the submissions of one cell came to so far: {submission id: [submit time in microseconds since 1970, status]}. From that follow
-- the numbers of D35, whatever order the verdicts come in and however often they change.
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

-- The standings' cells, kept by the statement that stores a submission or a verdict: it merges its own outcome into the newest version
-- of the row, so that verdicts at the same instant add up. Polls read these columns and no submission.
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
-- The unread ones are counted from the first index alone, once a vacuum has seen them: every few questions, however large the table is.
-- What was read is listed for a day.
create index notifications_unread on notifications (user_id) where read_at is null;
create index notifications_read on notifications (user_id, read_at) where read_at is not null;
