-- REJUDGINGS AS A DECISION

-- Submissions that were judged again as shadow judgings. Staff then applies the new verdicts or
-- cancels. The null filters chose nothing.
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
  -- Once applied.
  applied        integer,
  unchanged      integer,
  left_out       integer,
  constraint rejudging_decisions_pkey primary key (id),
  constraint rejudging_decisions_decided_by_fkey foreign key (decided_by) references users (id),
  constraint rejudging_decisions_event_id_fkey foreign key (event_id) references events (id),
  constraint rejudging_decisions_language_id_fkey foreign key (language_id) references languages (id),
  constraint rejudging_decisions_problem_id_fkey foreign key (problem_id) references problems (id),
  constraint rejudging_decisions_requested_by_fkey foreign key (requested_by) references users (id),
  constraint rejudging_decisions_user_id_fkey foreign key (user_id) references users (id),
  constraint rejudging_decisions_state_check check (state in ('OPEN', 'APPLIED', 'CANCELLED'))
);
create index rejudging_decisions_requested on rejudging_decisions (requested_at desc, id desc);
create index rejudging_decisions_event on rejudging_decisions (event_id, requested_at desc, id desc)
  where event_id is not null;

-- Each submission of a decision as it was at the request.
create table rejudging_items (
  decision_id       uuid    not null,
  submission_id     uuid    not null,
  -- Without a foreign key: admins may delete shadow judgings.
  shadow_judging_id uuid    not null,
  attempt           integer not null,
  verdict_attempt   integer not null,
  judged_at         timestamptz,
  status            text    not null,
  score             numeric(12, 2),
  -- Once applied: what became of the submission, and the verdict of its shadow judging.
  outcome           text,
  new_status        text,
  new_score         numeric(12, 2),
  constraint rejudging_items_pkey primary key (decision_id, submission_id),
  constraint rejudging_items_decision_id_fkey foreign key (decision_id) references rejudging_decisions (id),
  constraint rejudging_items_submission_id_fkey foreign key (submission_id) references submissions (id)
);
