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
        '00000000-0000-4000-9000-000000000001', 1, 'main', 'ACCEPTED', '[{"status":"ACCEPTED"}]');
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
