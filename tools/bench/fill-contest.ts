import { languageSql, resultsSql, SOURCE_CODE, statusSql } from './fill-values.ts'
import { submissionIdSql, userIdSql } from './ids.ts'
import {
  type Contest,
  firstSubmissionOf,
  QUESTIONS_PER_CONTEST,
  type Size,
  UNREAD_PER_PERSON,
} from './sizes.ts'

/** What a contest's submissions came to is counted from them, as the service's own statements would have counted it. */
const SCORES = (contest: Contest) => `
    insert into event_scores (event_id, user_id, problem_id, outcomes)
    select submissions.event_id, submissions.user_id, submissions.problem_id,
           jsonb_object_agg(submissions.id::text, jsonb_build_array(
             (extract(epoch from submissions.submit_time) * 1000000)::bigint, submissions.status))
    from submissions
    where submissions.event_id = ${contest.id}
    group by submissions.event_id, submissions.user_id, submissions.problem_id
    order by submissions.user_id, submissions.problem_id;`

/**
 * SQL that fills a contest in which people submit in turn, each to one problem after the other: it began three hours ago and goes on for thirty
 * days. Each of its people has twenty notifications, five of them unread.
 */
export function fillContest(size: Size, contest: Contest): string {
  const { id, people, problems, firstUser, firstProblem } = contest
  const owner = userIdSql(String(size.users))
  return `
    insert into events (user_id, title, description, start_time, end_time, teams, languages)
    values (${owner}, 'Contest ${id}', 'A contest of ${people} people', now() - interval '3 hours', now() + interval '30 days', false, '[]');
    insert into event_problems (event_id, problem_id)
    select ${id}, n from generate_series(${firstProblem}, ${firstProblem + problems - 1}) as made (n);
    insert into event_participants (event_id, user_id)
    select ${id}, ${userIdSql('n')} from generate_series(${firstUser}, ${firstUser + people - 1}) as made (n);
    ${submissions(size, contest)}
    ${SCORES(contest)}
    ${notifications(size, contest)}`
}

function submissions(size: Size, contest: Contest): string {
  const first = firstSubmissionOf(size, contest)
  const results = contest.id === 1 ? '' : 'and made.n % 10 = 0'
  return `
    insert into submissions (id, user_id, problem_id, language_id, source_code, status, submit_time, queued_at, judged_at, event_id,
                             time_elapsed, stdout, test_case_results)
    select ${submissionIdSql('made.n')}, ${userIdSql(`${contest.firstUser} + made.i % ${contest.people}`)}, made.problem_id,
           ${languageSql('made.n')}, '${SOURCE_CODE}' || made.n, ${statusSql('made.n')}, made.at, made.at, made.at + interval '2 seconds',
           ${contest.id}, 0.25, 'ok', ${resultsSql('made.n')}
    from (select i, i + ${first} as n, ${contest.firstProblem} + (i / ${contest.people}) % ${contest.problems} as problem_id,
                 now() - interval '3 hours' + i * interval '${10_000 / contest.submissions} seconds' as at
          from generate_series(0, ${contest.submissions - 1}) as numbers (i)) as made
    left join result_templates on result_templates.problem_id = made.problem_id ${results}
    order by made.n;`
}

/** One question in three is about a problem; all are answered by the owner. */
function notifications(size: Size, { id, people, firstUser, firstProblem }: Contest): string {
  const question = (n: string) =>
    `('00000000-0000-7000-9000-' || (100000000000 + ${id * 1000} + ${n})::text)::uuid`
  return `
    insert into questions (id, event_id, user_id, problem_id, question, answer, answered_by, answered_at, created_at)
    select ${question('n')}, ${id}, ${userIdSql(`${firstUser} + n`)}, case when n % 3 = 0 then ${firstProblem} end,
           'May the sequence of question ' || n || ' be empty?', 'Yes.', ${userIdSql(String(size.users))}, now(),
           now() - n * interval '1 minute'
    from generate_series(1, ${QUESTIONS_PER_CONTEST}) as made (n);
    insert into notifications (user_id, event_id, question_id, notification_type, read_at)
    select ${userIdSql('p')}, ${id}, ${question('n')}, 'answer', case when n > ${UNREAD_PER_PERSON} then now() end
    from generate_series(1, ${QUESTIONS_PER_CONTEST}) as made (n),
         generate_series(${firstUser}, ${firstUser + people - 1}) as person (p);`
}

/**
 * SQL that counts the cells of a contest anew from its submissions, and answers how many differ from what is stored, in either direction, and
 * how many there are.
 */
export const RECOUNT = `
    with told as (
      select submissions.user_id, submissions.problem_id, count(*)::integer as total,
             min(submissions.submit_time) filter (where submissions.status = 'ACCEPTED') as solved
      from submissions
      where submissions.event_id = $1
      group by submissions.user_id, submissions.problem_id
    ), counted as (
      select told.user_id, told.problem_id, told.total, told.solved,
             (select count(*)::integer from submissions
              where submissions.event_id = $1 and submissions.user_id = told.user_id and submissions.problem_id = told.problem_id
                and submissions.status not in ('PENDING', 'COMPILE_TIME_ERROR', 'INTERNAL_ERROR')
                and submissions.submit_time <= coalesce(told.solved, 'infinity')) as attempts
      from told
    )
    select count(*)::integer as cells,
           count(*) filter (where (counted.total, counted.attempts, counted.solved)
             is distinct from (event_scores.total_attempts, event_scores.attempts, event_scores.first_accepted_time))::integer as wrong
    from counted
    full join (select * from event_scores where event_scores.event_id = $1) as event_scores
      on event_scores.user_id = counted.user_id and event_scores.problem_id = counted.problem_id`
