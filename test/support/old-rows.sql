-- Rows in every table of version 7.
insert into users (id, name, email) values
  ('00000000-0000-4000-8000-000000000001', 'one', 'one@example.org'),
  ('00000000-0000-4000-8000-000000000002', 'two', 'two@example.org');
insert into password_resets (user_id, token_hash, expires_at)
values ('00000000-0000-4000-8000-000000000001', 'hash', now());
insert into problems (user_id, title, identifier, prompt, source, difficulty, public, accept_timeout, execution_timeout, memory_limit)
select '00000000-0000-4000-8000-000000000001', 'Sum', 'sum', 'Add.', '', 'EASY', true, 1, 1, 256
from generate_series(1, 2);
insert into problem_categories (problem_id, category_id) select 1, categories.id from categories;
insert into test_cases (id, problem_id, position, input, expected_output, hidden) values
  (gen_random_uuid(), 1, 1, 'ä', '12', false),
  (gen_random_uuid(), 1, 2, '345', repeat('x', 100000), true);
insert into languages (id, name, extension, version)
values ('00000000-0000-4000-9000-000000000001', 'C', 'c', '17');
insert into seeds (name) values ('languages');
insert into events (user_id, title, description, start_time, end_time, teams, languages)
values ('00000000-0000-4000-8000-000000000001', 'Contest', '', now(), now() + interval '1 hour', true, '["C"]');
insert into event_problems (event_id, problem_id) values (1, 1);
insert into teams (id, event_id, name) values ('00000000-0000-4000-a000-000000000001', 1, 'Team');
insert into event_participants (event_id, user_id, team_id) values
  (1, '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-a000-000000000001'),
  (1, '00000000-0000-4000-8000-000000000002', null);
insert into submissions (id, user_id, problem_id, language_id, event_id, source_code, status, test_case_results)
values ('00000000-0000-4000-b000-000000000001', '00000000-0000-4000-8000-000000000001', 1,
        '00000000-0000-4000-9000-000000000001', 1, 'main', 'ACCEPTED',
        '[{"id":"00000000-0000-4000-e000-000000000001","test_case_id":"00000000-0000-4000-e000-000000000002",
           "submission_id":"00000000-0000-4000-b000-000000000001","stdout":"","stderr":"","passed":true}]');
insert into verdicts (submission_id, attempt, status, time_elapsed, stdout, stderr)
values ('00000000-0000-4000-b000-000000000001', 1, 'WRONG_ANSWER', 0.5, 'out', 'err');
insert into runs (id, channel, language_id, source_code, stdin)
values ('00000000-0000-4000-c000-000000000001', 'public', '00000000-0000-4000-9000-000000000001', 'main', '');
insert into outbox (kind, subject_id) values ('submission', '00000000-0000-4000-b000-000000000001');
insert into event_scores (event_id, user_id, problem_id, outcomes) values
  (1, '00000000-0000-4000-8000-000000000001', 1, '{"right": [9000000, "ACCEPTED"]}'),
  (1, '00000000-0000-4000-8000-000000000002', 1, '{"wrong": [1000000, "WRONG_ANSWER"]}');
insert into questions (id, event_id, user_id, question, answer)
values ('00000000-0000-4000-d000-000000000001', 1, '00000000-0000-4000-8000-000000000002', 'Why?', 'So.');
insert into notifications (user_id, event_id, question_id, notification_type)
values ('00000000-0000-4000-8000-000000000002', 1, '00000000-0000-4000-d000-000000000001', 'answer');
insert into idempotent_answers (caller, key, request_hash) values ('one', 'key', 'hash');

-- A contest that goes on, with rows as the previous release wrote them. The password of the user
-- "one" is "an old password". "two" has reset the password once; "root" is an admin.
update users
set password_hash = '$argon2id$v=19$m=19456,t=2,p=1$Vr0ZjeJY2Cg5CuHSyCHTzw$aUt8AKEzWB5FI8bYUyxrcVNiaStGAKIOQz4pHT6I6RI'
where name = 'one';
update users set session_version = 2 where name = 'two';
insert into users (id, name, email, is_admin)
values ('00000000-0000-4000-8000-000000000003', 'root', 'root@example.org', true);
insert into events (user_id, title, description, start_time, end_time, teams, languages)
values ('00000000-0000-4000-8000-000000000003', 'Old contest', 'With teams', date_trunc('second', now()) - interval '1 hour',
        now() + interval '1 hour', true, '["C"]');
insert into event_problems (event_id, problem_id) values (2, 1), (2, 2);
insert into teams (id, event_id, name) values ('00000000-0000-4000-a000-000000000002', 2, 'Old team');
insert into event_participants (event_id, user_id, team_id) values
  (2, '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-a000-000000000002'),
  (2, '00000000-0000-4000-8000-000000000002', null);
insert into submissions (id, user_id, problem_id, language_id, event_id, source_code, submit_time, judged_at, status,
                         time_elapsed, stdout, failed_test_case_id, test_case_results)
select submitted.id::uuid, submitted.user_id::uuid, submitted.problem_id, '00000000-0000-4000-9000-000000000001', 2,
       'int main() {}', events.start_time + submitted.minute * interval '1 minute',
       case when submitted.status <> 'PENDING' then events.start_time + (submitted.minute + 1) * interval '1 minute' end,
       submitted.status, 0.25, 'out', submitted.failed, submitted.results
from events
cross join lateral (values
  ('00000000-0000-4000-b000-000000000002', '00000000-0000-4000-8000-000000000001', 1, 5, 'WRONG_ANSWER',
   (select test_cases.id from test_cases where test_cases.position = 2),
   (select json_agg(json_build_object('id', gen_random_uuid(), 'test_case_id', test_cases.id,
                                      'submission_id', '00000000-0000-4000-b000-000000000002',
                                      'stdout', 'out', 'stderr', '', 'passed', test_cases.position = 1) order by test_cases.position) from test_cases)),
  ('00000000-0000-4000-b000-000000000003', '00000000-0000-4000-8000-000000000001', 1, 20, 'ACCEPTED', null, null),
  ('00000000-0000-4000-b000-000000000004', '00000000-0000-4000-8000-000000000002', 2, 10, 'COMPILE_TIME_ERROR', null, null),
  ('00000000-0000-4000-b000-000000000005', '00000000-0000-4000-8000-000000000002', 1, 30, 'PENDING', null, null)
) as submitted (id, user_id, problem_id, minute, status, failed, results)
where events.id = 2;
insert into outbox (kind, subject_id) values ('submission', '00000000-0000-4000-b000-000000000005');
insert into event_scores (event_id, user_id, problem_id, outcomes)
select submissions.event_id, submissions.user_id, submissions.problem_id,
       jsonb_object_agg(submissions.id, jsonb_build_array(
         (extract(epoch from submissions.submit_time) * 1000000)::bigint, submissions.status))
from submissions
where submissions.event_id = 2
group by submissions.event_id, submissions.user_id, submissions.problem_id;
insert into questions (id, event_id, user_id, problem_id, question, answer, answered_by, answered_at)
values ('00000000-0000-4000-d000-000000000002', 2, '00000000-0000-4000-8000-000000000001', 1, 'How large?', 'Small.',
        '00000000-0000-4000-8000-000000000003', now());
insert into notifications (user_id, event_id, question_id, notification_type, created_at, read_at) values
  ('00000000-0000-4000-8000-000000000001', 2, '00000000-0000-4000-d000-000000000002', 'answer', now(), null),
  ('00000000-0000-4000-8000-000000000002', 2, '00000000-0000-4000-d000-000000000002', 'question', now() - interval '1 minute', now());
