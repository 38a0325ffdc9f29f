import type { Transaction } from '../../src/db/database.ts'

/** The large contest, with twelve problems (1 to 12) and 2,000 participants (users 1 to 2,000) in teams of four. */
export const LARGE = 1
export const LARGE_PROBLEMS = 12
export const LARGE_PARTICIPANTS = 2_000
export const LARGE_SUBMISSIONS = 60_000

/** As many contests as there are, each of the others with five problems, five participants, a team and two submissions. */
const EVENTS = 20_000

const id = (n: string) => `('00000000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`
const events = `generate_series(1, ${EVENTS}) as made (n)`
const five = 'generate_series(1, 5) as place (k)'

/** The team of the n-th user in the large contest. */
export const teamOf = (user: number) =>
  `00000000-0000-7000-9000-${Math.floor((user - 1) / 4)
    .toString(16)
    .padStart(12, '0')}`

/** The k-th submission of the n-th user to a problem of the large contest. */
export const submissionOf = (user: number, problem: number, k: number) =>
  `00000000-0000-7000-b000-${((user * 16 + problem) * 4 + k).toString(16).padStart(12, '0')}`

/**
 * Fills the tables of contests for as many users and problems as there are `rows`. Each participant of the large contest has tried
 * each of its problems two or three times; every fourth submission is accepted. The standings' cells are made from the submissions.
 */
export async function fillContests(tx: Transaction, rows: number): Promise<void> {
  // The k-th problem of contest n: far from those of the next one, as they are where people choose them.
  const problem = `(n * 7919 + k * 13) % ${rows} + 1`
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
    select replace(${id('n - 1')}::text, '-8000-', '-9000-')::uuid, ${LARGE}, 'Team ' || n
    from generate_series(1, ${LARGE_PARTICIPANTS / 4}) as made (n);
    insert into teams (id, event_id, name)
    select replace(${id('n')}::text, '-8000-', '-a000-')::uuid, n, 'Team' from ${events} where n <> ${LARGE};
    insert into event_participants (event_id, user_id, team_id)
    select ${LARGE}, ${id('n')}, replace(${id('(n - 1) / 4')}::text, '-8000-', '-9000-')::uuid
    from generate_series(1, ${LARGE_PARTICIPANTS}) as made (n);
    insert into event_participants (event_id, user_id)
    select n, ${id(`(n * 5 + k) % ${rows} + 1`)} from ${events}, ${five} where n <> ${LARGE};`)
  await tx.execute(`
    insert into submissions (id, user_id, problem_id, language_id, source_code, status, submit_time, event_id)
    select replace(${id('(p * 16 + q) * 4 + k')}::text, '-8000-', '-b000-')::uuid, ${id('p')}, q, ${id('(p + q) % 20 + 1')}, 'print(3)',
           case when (p + q + k) % 4 = 0 then 'ACCEPTED' else 'WRONG_ANSWER' end,
           now() - interval '5 hours' + (p * 7 + q * 1501 + k * 4001) % 18000 * interval '1 second' + p * interval '1 microsecond',
           ${LARGE}
    from generate_series(1, ${LARGE_PARTICIPANTS}) as made (p), generate_series(1, ${LARGE_PROBLEMS}) as task (q),
         generate_series(1, 3) as turn (k)
    where k <= 2 + (p + q) % 2;
    insert into submissions (id, user_id, problem_id, language_id, source_code, submit_time, event_id)
    select gen_random_uuid(), ${id(`(n * 5 + k) % ${rows} + 1`)}, ${problem}, ${id('n % 20 + 1')}, 'print(3)',
           now() - n * interval '1 second', n
    from ${events}, generate_series(1, 2) as place (k)
    where n <> ${LARGE};
    insert into event_scores (event_id, user_id, problem_id, outcomes)
    select submissions.event_id, submissions.user_id, submissions.problem_id,
           jsonb_object_agg(submissions.id, jsonb_build_array(
             (extract(epoch from submissions.submit_time) * 1000000)::bigint, submissions.status))
    from submissions
    where submissions.event_id is not null
    group by submissions.event_id, submissions.user_id, submissions.problem_id;`)
}
