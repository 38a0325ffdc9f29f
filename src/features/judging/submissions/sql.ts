import { actorStatement } from '../../../db/actor-statement.ts'
import { fieldsOf, jsonOf, objectOf } from '../../../db/json.ts'
import { defineList } from '../../../lists/definition.ts'
import { newestFirst } from '../../../lists/order.ts'
import { SHORT_BYTES } from '../../../lists/read-by-size.ts'
import { limitsInEvent } from '../../shared/access/events.ts'
import { problemIsVisibleAnywhere } from '../../shared/access/problems.ts'
import { languageJson } from '../../shared/records/languages.ts'
import { userJson } from '../../shared/records/users.ts'

const createdFields = {
  ...jsonOf('submissions', 'id', 'user_id', 'problem_id', 'language_id', 'status'),
  submit_time: 'to_json(utc(submissions.submit_time))',
  ...jsonOf('submissions', 'time_elapsed'),
}

/** Lists have no programs and outputs of other users (D28), and no frozen scores: they are null. */
const listedFields = (email?: string, maxScore = 'problems.max_score') => ({
  ...createdFields,
  failed_test_case_id: `coalesce(to_json(submissions.failed_test_case_id), 'null')`,
  user: userJson('users', email),
  problem: `json_build_object(
        ${fieldsOf('problems', 'id', 'title', 'identifier', 'difficulty')},
        'updated_at', utc(problems.updated_at),${limitsInEvent})`,
  language: languageJson('languages'),
  ...jsonOf('submissions', 'reason', 'source_code', 'stdout', 'stderr', 'memory_used', 'event_id'),
  score: 'trim_scale(submissions.score)',
  max_score: `trim_scale(${maxScore})`,
})

/** A submission in lists. */
export const listedText = (email?: string, maxScore?: string) => objectOf(listedFields(email, maxScore))

/** The event's own limits. */
export const EVENT_PROBLEM = `event_problems
        on event_problems.event_id = submissions.event_id and event_problems.problem_id = submissions.problem_id`

/** Rows that are called `submissions`, with their related records and `limits` of their own. */
export const relatedTo = (submissions: string, limits = EVENT_PROBLEM) => `${submissions}
      join users on users.id = submissions.user_id
      join problems on problems.id = submissions.problem_id
      join languages on languages.id = submissions.language_id
      left join ${limits}`

const withRelated = relatedTo('submissions')

/** The bytes of a listed submission's program and outputs. */
export const submissionBytes = `octet_length(submissions.source_code)
      + octet_length(submissions.stdout) + octet_length(submissions.stderr)`

const MAY_READ = '(submissions.user_id = :actor or :actor_role > 0)'

/** The response of a stored submission (D24). */
export const createdText = objectOf({
  ...createdFields,
  ...jsonOf('submissions', 'source_code', 'event_id'),
})

const forJudges = (value: string) => `case when :actor_role > 0 then ${value} end`

/** The record (D26), with the judging for judges and admins, and `more` fields. */
export const recordText = (more = {}) =>
  objectOf({
    ...listedFields(),
    ...{ judging: forJudges('submissions.attempt'), attempt: forJudges('submissions.attempt') },
    requeue_after: forJudges(':requeue_after'),
    test_case_results: 'submissions.test_case_results',
    ...more,
  })

/** Of the results the compressed bytes count: their length is not known without reading them. */
const isShort = `(${submissionBytes} <= ${SHORT_BYTES}
        and coalesce(pg_column_size(submissions.test_case_results), 0) <= ${SHORT_BYTES / 16})`

const recordParams = { submission_id: 'uuid', requeue_after: 'integer' } as const

/** No body: the actor may not read it, or it `is_long`. */
export const readSubmission = actorStatement({
  name: 'read_submission',
  coalesced: 'reads',
  params: recordParams,
  columns: { body: 'text | null', is_long: 'boolean' },
  select: `
      select case when ${MAY_READ} and ${isShort} then ${recordText()} end as body,
             ${MAY_READ} and not ${isShort} as is_long
      from ${withRelated}
      where submissions.id = :submission_id`,
})

/** The same for a record that is too long for a batch. */
export const readLongSubmission = actorStatement({
  name: 'read_long_submission',
  params: recordParams,
  columns: { body: 'text | null' },
  select: `
      select case when ${MAY_READ} then ${recordText()} end as body
      from ${withRelated}
      where submissions.id = :submission_id`,
})

export const statusJson = `json_build_object('id', submissions.id, 'status', submissions.status)`

/** For clients that poll. No body: the actor may not read it. */
export const readStatus = actorStatement({
  name: 'read_status',
  coalesced: 'reads',
  params: { submission_id: 'uuid' },
  columns: { body: 'text | null' },
  select: `
      select case when ${MAY_READ} then ${statusJson}::text end as body
      from submissions
      where submissions.id = :submission_id`,
})

export const newestSubmissions = newestFirst('submissions.submit_time', 'submissions.id', 'uuid')

const userExists = 'exists (select from users where users.id = :user_id and users.deleted_at is null)'

export const listUserSubmissions = defineList({
  name: 'list_user_submissions',
  params: { user_id: 'uuid' },
  item: listedText(),
  bytes: submissionBytes,
  from: withRelated,
  where: 'submissions.user_id = :user_id',
  order: newestSubmissions,
  owner: { name: 'user', exists: userExists },
})

/** 404 also for a problem without a submission of the user that the actor may not see (D26). */
export const listUserProblemSubmissions = defineList({
  name: 'list_user_problem_submissions',
  params: { user_id: 'uuid', problem_id: 'integer' },
  item: listedText(),
  bytes: submissionBytes,
  from: withRelated,
  where: 'submissions.user_id = :user_id and submissions.problem_id = :problem_id',
  order: newestSubmissions,
  owner: {
    name: 'user or problem',
    exists: `${userExists} and (
      exists (
        select from problems where problems.id = :problem_id and ${problemIsVisibleAnywhere('problems')})
      or exists (
        select from submissions
        where submissions.user_id = :user_id and submissions.problem_id = :problem_id))`,
  },
})
