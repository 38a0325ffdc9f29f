import { languageSql, resultsSql, SOURCE_CODE, statusSql } from './fill-values.ts'
import { submissionIdSql, userIdSql } from './ids.ts'
import {
  type Contest,
  firstSubmissionOf,
  QUESTIONS_PER_CONTEST,
  type Size,
  UNREAD_PER_PERSON,
} from './sizes.ts'

/**
 * SQL for a contest that began three hours ago and lasts for thirty days. People submit in turn.
 * Everybody has twenty notifications, five of them unread.
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
    ${cells(contest)}
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

const cells = (contest: Contest) => `
    insert into event_scores (event_id, user_id, problem_id, outcomes)
    select submissions.event_id, submissions.user_id, submissions.problem_id,
           jsonb_object_agg(submissions.id::text, jsonb_build_array(
             (extract(epoch from submissions.submit_time) * 1000000)::bigint, submissions.status))
    from submissions
    where submissions.event_id = ${contest.id}
    group by submissions.event_id, submissions.user_id, submissions.problem_id
    order by submissions.user_id, submissions.problem_id;`

/** Answered questions; every third is about a problem. */
function notifications(size: Size, { id, people, firstUser, firstProblem }: Contest): string {
  const question = `('00000000-0000-7000-9000-' || (100000000000 + ${id * 1000} + n)::text)::uuid`
  return `
    insert into questions (id, event_id, user_id, problem_id, question, answer, answered_by, answered_at, created_at)
    select ${question}, ${id}, ${userIdSql(`${firstUser} + n`)}, case when n % 3 = 0 then ${firstProblem} end,
           'May the sequence of question ' || n || ' be empty?', 'Yes.', ${userIdSql(String(size.users))}, now(),
           now() - n * interval '1 minute'
    from generate_series(1, ${QUESTIONS_PER_CONTEST}) as made (n);
    insert into notifications (user_id, event_id, question_id, notification_type, read_at)
    select ${userIdSql('p')}, ${id}, ${question}, 'answer', case when n > ${UNREAD_PER_PERSON} then now() end
    from generate_series(1, ${QUESTIONS_PER_CONTEST}) as made (n),
         generate_series(${firstUser}, ${firstUser + people - 1}) as person (p);`
}
