import { actorStatement } from '../../../db/actor-statement.ts'
import { fieldsOf, joinedText, withNotNull, withOptional } from '../../../db/json.ts'
import { row } from '../../../db/statement.ts'
import { defineList } from '../../../lists/definition.ts'
import { newestFirst } from '../../../lists/order.ts'
import { SHORT_BYTES } from '../../../lists/read-by-size.ts'
import { limitsInEvent } from '../../shared/access/events.ts'
import { problemIsVisibleAnywhere } from '../../shared/access/problems.ts'
import { languageJson } from '../../shared/records/languages.ts'
import { LISTED_EMAIL, userJson } from '../../shared/records/users.ts'
import { judgingFields } from './judging.ts'
import { shortFields } from './score-sql.ts'

const createdFields = `
      ${fieldsOf('submissions', 'id', 'user_id', 'problem_id', 'language_id', 'status')},
      'submit_time', utc(submissions.submit_time),
      'time_elapsed', submissions.time_elapsed`

const fieldsWithUser = (user: string) => `${createdFields},
      'failed_test_case_id', submissions.failed_test_case_id,
      'user', ${user},
      'problem', json_build_object(
        ${fieldsOf('problems', 'id', 'title', 'identifier', 'difficulty')},
        'updated_at', utc(problems.updated_at),${limitsInEvent}),
      'language', ${languageJson('languages')}`

const recordFields = `${fieldsWithUser(userJson('users'))},
      ${fieldsOf('submissions', 'source_code', 'stdout', 'stderr')}`

const withEvent = (fields: string) =>
  withOptional(fields, 'submissions.event_id is not null', `'event_id', submissions.event_id`)

/** Problems with points have the slow form: it takes twice as long. */
const listedJson = `case
      when submissions.score is null and problems.max_score is null then case
        when submissions.memory_used is null then ${withEvent(recordFields)}
        else ${withEvent(`${recordFields}, 'memory_used', submissions.memory_used`)} end
      else ${withNotNull(recordFields, shortFields)} end`

/**
 * A submission in lists of the event `:event_id`: other users' have no source code, outputs and
 * score (D28), and no e-mail in an invited contest (P21).
 */
export const ownedOrRedactedJson = `case when submissions.user_id = :actor
      then ${listedJson}
      else ${withEvent(fieldsWithUser(userJson('users', LISTED_EMAIL)))} end`

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
export const createdJson = withEvent(`${createdFields}, 'source_code', submissions.source_code`)

/** The record (D26), with the judging for judges and admins. */
export const recordText = joinedText(
  `json_build_object(${recordFields})`,
  `case when :actor_role > 0 then json_build_object(${judgingFields('submissions')},
           'requeue_after', :requeue_after) end`,
  `case when submissions.test_case_results is not null
           then json_build_object('test_case_results', submissions.test_case_results) end`,
  `json_strip_nulls(json_build_object(${shortFields}))`,
)

/** Of the results the compressed bytes count: their length is not known without reading them. */
const isShort = `(${submissionBytes} <= ${SHORT_BYTES}
        and coalesce(pg_column_size(submissions.test_case_results), 0) <= ${SHORT_BYTES / 16})`

const recordParams = { submission_id: 'uuid', requeue_after: 'integer' } as const

/** No body: the actor may not read it, or it `is_long`. */
export const readSubmission = actorStatement({
  name: 'read_submission',
  coalesced: 'reads',
  params: recordParams,
  row: row<{ body: string | null; is_long: boolean }>(),
  select: `
      select case when ${MAY_READ} and ${isShort} then ${recordText} end as body,
             ${MAY_READ} and not ${isShort} as is_long
      from ${withRelated}
      where submissions.id = :submission_id`,
})

/** The same for a record that is too long for a batch. */
export const readLongSubmission = actorStatement({
  name: 'read_long_submission',
  params: recordParams,
  row: row<{ body: string | null }>(),
  select: `
      select case when ${MAY_READ} then ${recordText} end as body
      from ${withRelated}
      where submissions.id = :submission_id`,
})

export const statusJson = `json_build_object('id', submissions.id, 'status', submissions.status)`

/** For clients that poll. No body: the actor may not read it. */
export const readStatus = actorStatement({
  name: 'read_status',
  coalesced: 'reads',
  params: { submission_id: 'uuid' },
  row: row<{ body: string | null }>(),
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
  item: listedJson,
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
  item: listedJson,
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
