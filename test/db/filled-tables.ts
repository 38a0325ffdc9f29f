import type { Database, Transaction } from '../../src/db/database.ts'
import { unprepared } from '../../src/db/statement.ts'

/** The number of rows of most tables, such as users, problems and submissions. */
export const ROWS = 100_000

const EVENTS = 20_000

/** The large event has the problems 1 to 12 and the users 1 to 2,000, in teams of four. */
export const LARGE = 1
const LARGE_PROBLEMS = 12
const LARGE_PARTICIPANTS = 2_000

/** Every 2,000th question belongs to the large event. */
export const STRIDE = LARGE_PARTICIPANTS
const LARGE_QUESTIONS = ROWS / STRIDE

const hex = (n: number) => n.toString(16).padStart(12, '0')

/** The id of the n-th user, submission, run, test case, language or question. */
export const idOf = (n: number) => `00000000-0000-7000-8000-${hex(n)}`

export const tokenHashOf = (event: number) => `hash ${event}`

/** The team of the n-th user in the large event. */
export const teamOf = (user: number) => `00000000-0000-7000-9000-${hex(Math.floor((user - 1) / 4))}`

/** The k-th submission of the n-th user to a problem of the large event. */
export const submissionOf = (user: number, problem: number, k: number) =>
  `00000000-0000-7000-b000-${hex((user * 16 + problem) * 4 + k)}`

const id = (n: string, group = '8000') =>
  `('00000000-0000-7000-${group}-' || lpad(to_hex(${n}), 12, '0'))::uuid`
const numbers = `generate_series(1, ${ROWS}) as made (n)`
const events = `generate_series(1, ${EVENTS}) as made (n)`
const five = 'generate_series(1, 5) as place (k)'

/** Fills every growing table, without checks of foreign keys, which would take most of the time. */
export async function fillTables(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute('set local statement_timeout = 0; set local session_replication_role = replica')
    await fillProblems(tx)
    await fillSubmissions(tx)
    await fillEvents(tx)
    await fillEventSubmissions(tx)
    await fillQuestions(tx)
    await fillChanges(tx)
    await tx.execute('analyze')
  })
  // As autovacuum does, for index-only scans that do not read the table.
  await database.query(unprepared('vacuum analyze notifications'))
}

/** Five users are admins. A problem with test cases has five, and as many files. */
async function fillProblems(tx: Transaction): Promise<void> {
  await tx.execute(`
    insert into users (id, name, email, is_admin, join_date, password_hash, provider_id, deleted_at)
    select ${id('n')}, 'User ' || n, 'user' || n || '@example.org', n <= 5, now() - n * interval '1 minute', 'hash',
           case when n % 2 = 0 then 'provider:' || n end, case when n % 50 = 0 then now() end
    from ${numbers};
    insert into password_resets (user_id, token_hash, expires_at)
    select ${id('n')}, md5(n::text), now() + interval '1 hour' from ${numbers};
    insert into problems (id, user_id, title, identifier, prompt, source, difficulty, public,
                          accept_timeout, execution_timeout, memory_limit)
    overriding system value
    select n, ${id('n % 5 + 1')}, 'Problem ' || n, 'problem-' || n, 'Add.', '', 'EASY', n % 10 > 0, 10, 5, 256
    from ${numbers};
    insert into problem_categories (problem_id, category_id)
    select n, categories.id
    from ${numbers}
    join (select id, row_number() over (order by name) as place from categories) as categories on place = n % 24 + 1;
    insert into test_cases (id, problem_id, position, input, expected_output, hidden)
    select ${id('n')}, (n - 1) / 5 + 1, (n - 1) % 5, '1 2', '3', n % 5 > 0 from ${numbers};
    insert into problem_packages (problem_id, metadata) select n, '{}' from ${numbers};
    insert into problem_files (id, problem_id, path, name, bytes)
    select ${id('n')}, (n - 1) / 5 + 1, 'attachments/' || n, n::text, 1 from ${numbers};
    insert into problem_file_parts (file_id, number, content) select ${id('n')}, 0, 'x' from ${numbers};`)
}

/**
 * Users 1 to 100 have 500 submissions each, all users with an odd number one more. There are
 * 100,000 finished runs and as many that wait for the relay. 2,000 of 100,000 shadow judgings are
 * pending, 20 of 100,000 verifications unsettled.
 */
async function fillSubmissions(tx: Transaction): Promise<void> {
  await tx.execute(`
    insert into languages (id, name, extension, version)
    select ${id('n')}, 'Language ' || n, 'l', '1' from generate_series(1, 20) as made (n);
    insert into submissions (id, user_id, problem_id, language_id, source_code, status, submit_time)
    select ${id('n')}, case when n % 2 = 0 then ${id('n / 2 % 100 + 1')} else ${id('n')} end, n % 1000 + 1,
           ${id('n % 20 + 1')}, 'print(3)', 'ACCEPTED', now() - n * interval '1 second'
    from ${numbers};
    insert into verdicts (submission_id, attempt, status, time_elapsed, stdout, stderr, judged_at)
    select ${id('(n - 1) / 2 + 1')}, n % 2 + 1, 'WRONG_ANSWER', 0, '', '', now() from ${numbers};
    insert into list_versions (name)
    select 'standings ' || n / 5 from ${numbers};
    insert into idempotent_answers (caller, key, canonical_hash, answer, created_at)
    select ${id('n % 100')}::text, n::text, md5(n::text), '{}', now() - n * interval '1 second' from ${numbers};
    insert into runs (id, channel, user_id, language_id, source_code, stdin, finished, published)
    select ${id('n')}, 'user', ${id('n')}, ${id('n % 20 + 1')}, 'print(3)', '', n % 5000 > 0, true from ${numbers};
    insert into runs (id, channel, language_id, source_code, stdin, owner_key, slot)
    select ${id('n', 'c000')}, 'public', ${id('n % 20 + 1')}, 'print(3)', '', 'address ' || n / 3, n % 3 + 1
    from ${numbers};
    insert into shadow_judgings (id, requested_by, problem_id, language_id, source_code, status, published)
    select ${id('n')}, ${id('1')}, n % 1000 + 1, ${id('n % 20 + 1')}, 'print(3)',
           case when n % 50 = 0 then 'PENDING' else 'ACCEPTED' end, n % 5000 = 0
    from ${numbers};
    insert into verifications (id, problem_id, requested_by, package_version, plan, settled_at)
    select ${id('n')}, n % 1000 + 1, ${id('1')}, ${id('n')}, '{}', case when n % 5000 > 0 then now() end from ${numbers};
    update shadow_judgings set verification_id = id where status = 'ACCEPTED';
    insert into outbox (kind, subject_id) select 'shadow', ${id('n * 50')} from generate_series(1, 2000) as made (n);
    insert into outbox (kind, subject_id) select 'input', ${id('n', 'c000')} from ${numbers};
    insert into outbox (kind, subject_id, claimed_until)
    select 'submission', ${id('n')}, case when n % 3 = 0 then now() + interval '1 minute' end from ${numbers};`)
}

/** The k-th problem of event n; neighbouring events have distant problems. */
const problem = `(n * 7919 + k * 13) % ${ROWS} + 1`

/** Each event but the large one has five problems, five participants and one team. */
async function fillEvents(tx: Transaction): Promise<void> {
  await tx.execute(`
    insert into events (id, user_id, title, description, start_time, end_time, teams, languages)
    overriding system value
    select n, ${id('n % 5 + 1')}, 'Contest ' || n, '', now() - interval '5 hours', now() + interval '1 hour', true, '[]'
    from ${events};
    insert into event_problems (event_id, problem_id)
    select ${LARGE}, n from generate_series(1, ${LARGE_PROBLEMS}) as made (n);
    insert into event_problems (event_id, problem_id)
    select n, ${problem} from ${events}, ${five} where n <> ${LARGE};
    insert into teams (id, event_id, name)
    select ${id('n - 1', '9000')}, ${LARGE}, 'Team ' || n
    from generate_series(1, ${LARGE_PARTICIPANTS / 4}) as made (n);
    insert into teams (id, event_id, name)
    select ${id('n', 'a000')}, n, 'Team' from ${events} where n <> ${LARGE};
    insert into event_participants (event_id, user_id, team_id)
    select ${LARGE}, ${id('n')}, ${id('(n - 1) / 4', '9000')}
    from generate_series(1, ${LARGE_PARTICIPANTS}) as made (n);
    insert into event_participants (event_id, user_id)
    select n, ${id(`(n * 5 + k) % ${ROWS} + 1`)} from ${events}, ${five} where n <> ${LARGE};
    insert into scoreboard_tokens (id, event_id, token_hash, created_by)
    select gen_random_uuid(), n, 'hash ' || n, ${id('n % 5 + 1')} from ${events};`)
}

/**
 * Each participant of the large event has tried each problem two or three times, with success in
 * every fourth submission. Each other event has two submissions.
 */
async function fillEventSubmissions(tx: Transaction): Promise<void> {
  await tx.execute(`
    insert into submissions (id, user_id, problem_id, language_id, source_code, status, submit_time, event_id)
    select ${id('(p * 16 + q) * 4 + k', 'b000')}, ${id('p')}, q, ${id('(p + q) % 20 + 1')}, 'print(3)',
           case when (p + q + k) % 4 = 0 then 'ACCEPTED' else 'WRONG_ANSWER' end,
           now() - interval '5 hours' + (p * 7 + q * 1501 + k * 4001) % 18000 * interval '1 second' + p * interval '1 microsecond',
           ${LARGE}
    from generate_series(1, ${LARGE_PARTICIPANTS}) as made (p), generate_series(1, ${LARGE_PROBLEMS}) as task (q),
         generate_series(1, 3) as turn (k)
    where k <= 2 + (p + q) % 2;
    insert into submissions (id, user_id, problem_id, language_id, source_code, submit_time, event_id)
    select gen_random_uuid(), ${id(`(n * 5 + k) % ${ROWS} + 1`)}, ${problem}, ${id('n % 20 + 1')}, 'print(3)',
           now() - n * interval '1 second', n
    from ${events}, generate_series(1, 2) as place (k)
    where n <> ${LARGE};
    insert into event_scores (event_id, user_id, problem_id, outcomes)
    select submissions.event_id, submissions.user_id, submissions.problem_id,
           jsonb_object_agg(submissions.id, jsonb_build_array(
             (extract(epoch from submissions.submit_time) * 1000000)::bigint, submissions.status))
    from submissions
    where submissions.event_id is not null
    group by submissions.event_id, submissions.user_id, submissions.problem_id;
    insert into rejudging_decisions (id, requested_by, requested_at, event_id, total, waiting, deleted)
    select ${id('n')}, ${id('n % 5 + 1')}, now() - n * interval '1 minute', n % 500 + 1, 200, 0, 0
    from generate_series(1, ${ROWS / 200}) as made (n);
    insert into rejudging_items (decision_id, submission_id, shadow_judging_id, attempt, verdict_attempt, status)
    select ${id('(n - 1) / 200 + 1')}, ${id('n')}, ${id('n')}, 1, 1, 'WRONG_ANSWER' from ${numbers};
    insert into event_reveals (event_id, user_id, problem_id, step)
    select event_scores.event_id, event_scores.user_id, event_scores.problem_id, 1
    from event_scores
    where event_scores.event_id <> ${LARGE};`)
}

/** Half of the notifications of each participant are unread, half were read long ago. */
async function fillQuestions(tx: Transaction): Promise<void> {
  await tx.execute(`
    insert into questions (id, event_id, user_id, problem_id, question, answer, answered_by, answered_at, created_at)
    select ${id('n')}, case when n % ${STRIDE} = 0 then ${LARGE} else n % ${EVENTS} + 1 end, ${id('n')},
           case when n % 2 = 0 then n end, 'Why?', case when n % 3 = 0 then 'So.' end,
           case when n % 3 = 0 then ${id('n')} end, case when n % 3 = 0 then now() end, now() - n * interval '1 minute'
    from ${numbers};
    insert into notifications (user_id, event_id, question_id, notification_type, created_at, read_at)
    select ${id('p')}, ${LARGE}, ${id(`q * ${STRIDE}`)}, 'question', now() - q * interval '1 minute',
           case when q > ${LARGE_QUESTIONS / 2} then now() - interval '2 days' end
    from generate_series(1, ${LARGE_PARTICIPANTS}) as reader (p), generate_series(1, ${LARGE_QUESTIONS}) as asked (q);`)
}

/** Each change in a transaction of its own. */
async function fillChanges(tx: Transaction): Promise<void> {
  await tx.execute(`
    insert into changes (xid, kind, event_id, object_id)
    select n::text::xid8, 'judging', ${LARGE}, ${id('n')} from ${numbers}`)
}
