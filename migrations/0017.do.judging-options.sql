-- PROBLEMS: how their submissions are judged

-- judging_options: the fields validation, test_groups, max_score, run and limits that a problem
-- has; null if it has none. max_score is the sum of the points of test_groups.
alter table problems add column judging_options jsonb;

-- The capabilities that a judge worker needs for these options (D41).
create function needed_capabilities(judging_options jsonb) returns text[]
language sql immutable
return array_remove(array[
  case when judging_options ? 'validation' then 'validation/1' end,
  case when judging_options ? 'test_groups' then 'test-groups/1' end,
  case when judging_options ? 'limits' then 'limits/1' end], null);

drop trigger problems_tests_version on problems;
create trigger problems_tests_version
before update on problems
for each row
when (old.accept_timeout is distinct from new.accept_timeout
      or old.execution_timeout is distinct from new.execution_timeout
      or old.memory_limit is distinct from new.memory_limit
      or old.judging_options is distinct from new.judging_options)
execute function change_tests_version_with_limits();

-- Changes with the texts of a test case, so that judges keep those that have not changed. It is
-- random: after a restore, a number would repeat, and judges would keep other texts. It always
-- differs from the one before.
alter table test_cases add column version integer not null default 1;
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
when (old.input is distinct from new.input or old.expected_output is distinct from new.expected_output)
execute function change_test_case_version();


-- VERDICTS

-- memory_used is in KiB. worker: the name that the judge worker gave. judge_message and
-- case_details are for judges and admins; case_details has an object for each judged test case.
-- renewed_at: when a worker last said that the newest judging is in progress.
alter table submissions
  add column memory_used   integer,
  add column score         numeric(12, 2),
  add column worker        text,
  add column judge_message text,
  add column case_details  json,
  add column renewed_at    timestamptz;
alter table verdicts
  add column memory_used   integer,
  add column score         numeric(12, 2),
  add column worker        text,
  add column judge_message text,
  add column case_details  json;

-- Instances of the previous release queue a submission again without clearing these columns. The
-- next release drops this trigger.
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


-- SHADOW JUDGINGS

-- Programs that are judged like submissions, but are in no list, statistic, standings or
-- notification. submission_id: the submission whose program it is, if any.
-- published: the relay has claimed its message, and it was not queued again since.
create table shadow_judgings (
  id                  uuid             constraint shadow_judgings_pkey primary key,
  requested_by        uuid             not null constraint shadow_judgings_requested_by_fkey references users (id),
  submission_id       uuid             constraint shadow_judgings_submission_id_fkey references submissions (id),
  problem_id          integer          not null constraint shadow_judgings_problem_id_fkey references problems (id),
  language_id         uuid             not null constraint shadow_judgings_language_id_fkey references languages (id),
  event_id            integer          constraint shadow_judgings_event_id_fkey references events (id),
  source_code         text             not null,
  submit_time         timestamptz      not null default now(),
  attempt             integer          not null default 1,
  queued_at           timestamptz      not null default now(),
  renewed_at          timestamptz,
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
  case_details        json
);
create index shadow_judgings_pending on shadow_judgings (queued_at) where status = 'PENDING';
create index shadow_judgings_published on shadow_judgings (id) where published and status = 'PENDING';
create index shadow_judgings_submission on shadow_judgings (submission_id) where submission_id is not null;
create index shadow_judgings_problem_pending on shadow_judgings (problem_id) where status = 'PENDING';

-- Their messages have the type "submission", and leave the outbox after all others.
alter table outbox drop constraint outbox_kind_check;
alter table outbox add constraint outbox_kind_check check (kind in ('submission', 'input', 'shadow'));
create index outbox_shadows on outbox (id) where kind = 'shadow';
