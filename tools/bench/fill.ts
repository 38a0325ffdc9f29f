import { defaultLanguagesFile, readLanguages } from '@judge-data-layer/languages'
import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { fillLanguages } from '../../src/features/judging/languages/seed.ts'
import { createPasswords } from '../../src/http/routing/passwords.ts'
import { ask } from '../local-servers/database.ts'
import {
  CASES_PER_PROBLEM,
  type EventSize,
  firstSubmissionOf,
  LAST_PRIVATE_PROBLEM,
  type Size,
  submissionsOutside,
} from './sizes.ts'
import { caseIdSql, PASSWORD, runIdSql, SOURCE_CODE, submissionIdSql, userIdSql } from './values.ts'

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`

/** Fills an empty database. The last user is an admin, who owns problems and contests. */
export async function fill(database: Database, size: Size): Promise<void> {
  await migrate(database)
  await fillLanguages(database, await readLanguages(defaultLanguagesFile))
  const passwordHash = await createPasswords().hash(PASSWORD)
  await run(database, [
    ...[usersAndProblems(size, passwordHash), RESULT_TEMPLATES, outsideSubmissions(size)],
    ...[runs(size.events[0]), ...size.events.map((event) => fillEvent(size, event))],
  ])
  await ask(database, 'vacuum analyze')
}

/** Adds a contest, the last one of `size`, to a filled database. */
export async function addEvent(database: Database, size: Size, event: EventSize): Promise<void> {
  await run(database, [RESULT_TEMPLATES, fillEvent(size, event)])
  await ask(database, 'analyze')
}

/** Freezes the standings of a contest since the middle of what has passed of it. */
export const freezeEvent = (database: Database, { id }: EventSize): Promise<void> =>
  run(database, [
    `update events set freeze_time = start_time + (now() - start_time) / 2 where id = ${id};
     update event_scores set outcomes = outcomes where event_id = ${id}`,
  ])

const run = (database: Database, scripts: readonly string[]) =>
  database.transaction(async (tx) => {
    await tx.execute('set local statement_timeout = 0; set local synchronous_commit = off')
    for (const script of scripts) await tx.execute(script)
  })

function usersAndProblems(size: Size, passwordHash: string): string {
  const prompt = 'Given a sequence of numbers, print the sequence that the queries leave over. '.repeat(26)
  return `
    insert into users (id, name, email, image, is_admin, join_date, password_hash)
    select ${userIdSql('n')}, 'User ' || n, 'user-' || n || '@example.org', 'https://example.org/faces/' || n || '.png',
           n = ${size.users}, now() - interval '2 years' + n * interval '1 second', ${quote(passwordHash)}
    from generate_series(1, ${size.users}) as made (n);

    insert into problems (user_id, title, identifier, prompt, source, difficulty, public, accept_timeout, execution_timeout,
                          memory_limit, upload_date)
    select ${userIdSql(String(size.users))}, 'Problem ' || n, 'problem-' || n, ${quote(prompt)} || n, 'Contest of ' || 2000 + n % 25,
           (array['Easy', 'Medium', 'Hard'])[n % 3 + 1], n > ${LAST_PRIVATE_PROBLEM}, 10, 5, 256,
           now() - interval '2 years' + n * interval '1 minute'
    from generate_series(1, ${size.problems}) as made (n)
    order by n;

    insert into problem_categories (problem_id, category_id)
    select n, (array(select categories.id from categories order by categories.name))[(n * 5 + k * 7) % 24 + 1]
    from generate_series(1, ${size.problems}) as made (n), generate_series(1, 3) as turn (k);

    insert into test_cases (id, problem_id, position, input, expected_output, hidden)
    select ${caseIdSql('n', 'k')}, n, k, repeat(n || ' ' || k || ' ', 20), repeat(k || ' ', 20), k > 2
    from generate_series(1, ${size.problems}) as made (n), generate_series(1, ${CASES_PER_PROBLEM}) as turn (k);`
}

/** Test results for each problem; `#` stands for the number of the submission. */
const RESULT_TEMPLATES = `
    create temporary table result_templates on commit drop as
    select test_cases.problem_id,
           json_agg(json_build_object(
             'id', '000000' || (10 + test_cases.position) || '-0000-7000-c000-#',
             'submission_id', '00000000-0000-7000-b000-#',
             'test_case_id', test_cases.id,
             'stdout', test_cases.expected_output,
             'stderr', '',
             'passed', true) order by test_cases.position)::text as results
    from test_cases
    group by test_cases.problem_id;
    create unique index on result_templates (problem_id);
    analyze result_templates;`

function outsideSubmissions(size: Size): string {
  const { regulars, submissionsOfRegular, users, problems } = size
  const ofRegulars = regulars * submissionsOfRegular
  const user = `case when n <= ${ofRegulars} then (n - 1) % ${regulars} + 1
                     else ${regulars} + (n - ${ofRegulars} - 1) % ${users - regulars} + 1 end`
  return fillSubmissions({
    ...{ first: 1, count: submissionsOutside(size), user, eventId: 'null', hasAllResults: false },
    problem: `${LAST_PRIVATE_PROBLEM} + 1 + (n::bigint * 7919) % ${problems - LAST_PRIVATE_PROBLEM}`,
    at: `now() - interval '2 years' + n * interval '60 seconds'`,
  })
}

const runs = ({ people, firstUser }: EventSize) => `
    insert into runs (id, channel, user_id, language_id, source_code, stdin, finished, status, stdout, runtime)
    select ${runIdSql('n')}, 'user', ${userIdSql('n')}, languages.id, '${SOURCE_CODE}', repeat('1 2 3 ', 20),
           true, 'ACCEPTED', repeat('6 ', 20), 0.05
    from generate_series(${firstUser}, ${firstUser + people - 1}) as made (n)
    cross join (select languages.id from languages order by languages.name limit 1) as languages;`

/** SQL for a contest that began three hours ago and lasts for thirty days. People take turns. */
function fillEvent(size: Size, event: EventSize): string {
  const { id, people, problems, firstUser, firstProblem } = event
  const owner = userIdSql(String(size.users))
  return `
    insert into events (user_id, title, description, start_time, end_time, teams, languages)
    values (${owner}, 'Contest ${id}', 'A contest of ${people} people', now() - interval '3 hours', now() + interval '30 days', false, '[]');
    insert into event_problems (event_id, problem_id)
    select ${id}, n from generate_series(${firstProblem}, ${firstProblem + problems - 1}) as made (n);
    insert into event_participants (event_id, user_id)
    select ${id}, ${userIdSql('n')} from generate_series(${firstUser}, ${firstUser + people - 1}) as made (n);
    ${submissionsOf(size, event)}
    ${cells(event)}`
}

function submissionsOf(size: Size, event: EventSize): string {
  const { id, submissions, people, problems, firstUser, firstProblem } = event
  const first = firstSubmissionOf(size, event)
  return fillSubmissions({
    ...{ first, count: submissions, eventId: String(id), hasAllResults: id === 1 },
    user: `${firstUser} + (n - ${first}) % ${people}`,
    problem: `${firstProblem} + ((n - ${first}) / ${people}) % ${problems}`,
    at: `now() - interval '3 hours' + (n - ${first}) * interval '${10_000 / submissions} seconds'`,
  })
}

const VERDICTS = `(array['ACCEPTED', 'WRONG_ANSWER', 'WRONG_ANSWER', 'TIME_LIMIT_EXCEEDED', 'WRONG_ANSWER',
    'ACCEPTED', 'RUNTIME_ERROR', 'WRONG_ANSWER', 'COMPILE_TIME_ERROR', 'WRONG_ANSWER'])`

interface Submissions {
  readonly first: number
  readonly count: number
  readonly user: string
  readonly problem: string
  readonly eventId: string
  readonly at: string
  /** Otherwise every tenth submission has test results. */
  readonly hasAllResults: boolean
}

/** SQL for judged submissions in 20 languages, a fifth accepted; uses `result_templates`. */
function fillSubmissions(given: Submissions): string {
  const { first, count, user, problem, eventId, at, hasAllResults } = given
  return `
    insert into submissions (id, user_id, problem_id, language_id, source_code, status, submit_time, queued_at, judged_at, event_id,
                             time_elapsed, stdout, test_case_results)
    select ${submissionIdSql('n')}, made.user_id, made.problem_id,
           (array(select languages.id from languages order by languages.name, languages.id limit 20))[n % 20 + 1],
           '${SOURCE_CODE}' || n, ${VERDICTS}[(n::bigint * 7919 / 13) % 10 + 1], made.at, made.at, made.at + interval '2 seconds',
           ${eventId}, 0.25, 'ok', replace(result_templates.results, '#', (100000000000 + n::bigint)::text)::json
    from (select n, ${userIdSql(user)} as user_id, (${problem})::integer as problem_id, ${at} as at
          from generate_series(${first}, ${first + count - 1}) as numbers (n)) as made
    left join result_templates on result_templates.problem_id = made.problem_id ${hasAllResults ? '' : 'and made.n % 10 = 0'}
    order by made.n;`
}

/** The triggers of the cells count them; they need the contest, its problems and participants. */
const cells = (event: EventSize) => `
    insert into event_scores (event_id, user_id, problem_id, outcomes)
    select submissions.event_id, submissions.user_id, submissions.problem_id,
           jsonb_object_agg(submissions.id::text, jsonb_build_array(
             (extract(epoch from submissions.submit_time) * 1000000)::bigint, submissions.status))
    from submissions
    where submissions.event_id = ${event.id}
    group by submissions.event_id, submissions.user_id, submissions.problem_id
    order by submissions.user_id, submissions.problem_id;`
