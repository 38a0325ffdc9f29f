import { defaultLanguagesFile, readLanguages } from '@judge-data-layer/languages'
import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { fillLanguages } from '../../src/features/languages/seed.ts'
import { createPasswords } from '../../src/http/routing/passwords.ts'
import { ask } from '../local-servers/database.ts'
import { fillEvent, fillSubmissions } from './fill-event.ts'
import {
  CASES_PER_PROBLEM,
  type EventSize,
  LAST_PRIVATE_PROBLEM,
  type Size,
  submissionsOutside,
} from './sizes.ts'
import { caseIdSql, PASSWORD, runIdSql, SOURCE_CODE, userIdSql } from './values.ts'

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`

/**
 * Migrates and fills an empty database. The last user is an admin and owns problems and contests.
 * Every submission of the first contest has test results, and every tenth other one.
 */
export async function fill(database: Database, size: Size): Promise<void> {
  await migrate(database)
  await fillLanguages(database, await readLanguages(defaultLanguagesFile))
  const passwordHash = await createPasswords().hash(PASSWORD)
  await database.transaction(async (tx) => {
    await tx.execute('set local statement_timeout = 0; set local synchronous_commit = off')
    await tx.execute(usersAndProblems(size, passwordHash))
    await tx.execute(RESULT_TEMPLATES)
    await tx.execute(outsideSubmissions(size))
    await tx.execute(runs(size.events[0]))
    for (const event of size.events) await tx.execute(fillEvent(size, event))
  })
  await ask(database, 'vacuum analyze')
}

/** Adds a contest, the last one of `size`, to a filled database. */
export async function addEvent(database: Database, size: Size, event: EventSize): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute('set local statement_timeout = 0; set local synchronous_commit = off')
    await tx.execute(RESULT_TEMPLATES)
    await tx.execute(fillEvent(size, event))
  })
  await ask(database, 'analyze')
}

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

/** A finished run of each person of a contest. */
const runs = ({ people, firstUser }: EventSize) => `
    insert into runs (id, channel, user_id, language_id, source_code, stdin, finished, status, stdout, runtime)
    select ${runIdSql('n')}, 'user', ${userIdSql('n')}, languages.id, '${SOURCE_CODE}', repeat('1 2 3 ', 20),
           true, 'ACCEPTED', repeat('6 ', 20), 0.05
    from generate_series(${firstUser}, ${firstUser + people - 1}) as made (n)
    cross join (select languages.id from languages order by languages.name limit 1) as languages;`
