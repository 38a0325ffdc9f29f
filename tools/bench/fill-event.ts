import { type EventSize, firstSubmissionOf, type Size } from './sizes.ts'
import { SOURCE_CODE, submissionIdSql, userIdSql } from './values.ts'

/**
 * SQL for a contest that began three hours ago and lasts for thirty days. People submit in turn.
 */
export function fillEvent(size: Size, event: EventSize): string {
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

/** SQL expressions of the submission with the number `n`. */
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
export function fillSubmissions(given: Submissions): string {
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

/**
 * The triggers of the cells count them, and need the contest, its problems and its participants.
 */
const cells = (event: EventSize) => `
    insert into event_scores (event_id, user_id, problem_id, outcomes)
    select submissions.event_id, submissions.user_id, submissions.problem_id,
           jsonb_object_agg(submissions.id::text, jsonb_build_array(
             (extract(epoch from submissions.submit_time) * 1000000)::bigint, submissions.status))
    from submissions
    where submissions.event_id = ${event.id}
    group by submissions.event_id, submissions.user_id, submissions.problem_id
    order by submissions.user_id, submissions.problem_id;`
