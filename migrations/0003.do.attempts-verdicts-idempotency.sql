-- Every queueing of a submission or a run has a number, its attempt. `verdict_attempt` is that of the stored verdict, or of the queueing whose
-- verdict replaces it: a verdict of an older attempt comes too late and is not stored.
alter table submissions
  add column attempt         integer     not null default 1,
  add column verdict_attempt integer     not null default 1,
  add column queued_at       timestamptz not null default now(),
  add column judged_at       timestamptz;
create index submissions_pending on submissions (queued_at) where status = 'PENDING';
-- A rejudging goes through them by their ids, however many others there are.
create index submissions_problem on submissions (problem_id, id);
create index submissions_language on submissions (language_id, id);

alter table runs
  add column attempt         integer     not null default 1,
  add column verdict_attempt integer     not null default 1,
  add column queued_at       timestamptz not null default now();
create index runs_pending on runs (queued_at) where not finished;

-- A row's `attempt` is that of its subject from now on; how often a relay has claimed it is counted in `claims`.
alter table outbox add column claims integer not null default 0;
update outbox set attempt = 1;

-- The verdicts that later ones replaced, or a rejudging. The newest is the submission's own columns.
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

-- What a request with an Idempotency-Key was answered: the same again for a day. `caller` is who sent it.
create table idempotent_answers (
  caller       text        not null,
  key          text        not null,
  request_hash text        not null,
  answer       text,
  created_at   timestamptz not null default now(),
  constraint idempotent_answers_pkey primary key (caller, key)
);
create index idempotent_answers_created_at on idempotent_answers (created_at);
