-- A request to judge again all submissions that match its ids and were submitted before it. A
-- process queues them in batches, in the order of their ids, and stores how far it has come.
create table rejudgings (
  id             uuid        constraint rejudgings_pkey primary key,
  requested_by   uuid        not null constraint rejudgings_requested_by_fkey references users (id),
  requested_at   timestamptz not null default now(),
  submission_id  uuid        constraint rejudgings_submission_id_fkey references submissions (id),
  problem_id     integer     constraint rejudgings_problem_id_fkey references problems (id),
  event_id       integer     constraint rejudgings_event_id_fkey references events (id),
  language_id    uuid        constraint rejudgings_language_id_fkey references languages (id),
  user_id        uuid        constraint rejudgings_user_id_fkey references users (id),
  status         text        not null default 'QUEUEING' constraint rejudgings_status_check
                             check (status in ('QUEUEING', 'QUEUED')),
  total          integer     not null,
  queued         integer     not null default 0,
  skipped        integer     not null default 0,
  last_queued_id uuid        not null default '00000000-0000-0000-0000-000000000000',
  finished_at    timestamptz
);
-- A repeated request finds the one that is not finished.
create unique index rejudgings_queueing
  on rejudgings (submission_id, problem_id, event_id, language_id, user_id) nulls not distinct
  where status = 'QUEUEING';
create index rejudgings_requested on rejudgings (requested_at desc, id desc);


-- IDEMPOTENCY
-- The hash of a request without regard to the order of its fields. The previous release compares
-- request_hash, which depends on it; a migration of the next release drops request_hash.
alter table idempotent_answers add column canonical_hash text;
