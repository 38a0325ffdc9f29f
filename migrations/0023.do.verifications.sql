-- Verifications of problem packages: each judges the programs and the validators of a problem, as
-- shadow judgings.
create table verifications (
  id              uuid        not null,
  problem_id      integer     not null,
  requested_by    uuid        not null,
  created_at      timestamptz not null default now(),
  -- The import whose files are judged.
  package_version uuid        not null,
  -- The programs and validators with what is expected of them, and the limits and test cases at that time.
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

alter table shadow_judgings
  add column verification_id     uuid constraint shadow_judgings_verification_id_fkey references verifications (id),
  -- Limits and test cases that replace the problem's, or a validator that is judged.
  add column task                jsonb,
  -- Beside those of the problem.
  add column needed_capabilities text[] not null default '{}';
create index shadow_judgings_verification on shadow_judgings (verification_id) where verification_id is not null;
