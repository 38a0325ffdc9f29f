import { actorStatement } from '../../../db/actor-statement.ts'
import { defineCollection } from './collection.ts'
import { SHOWN_TEAM_ID } from './teams-sql.ts'
import { contestTimeOf, timeOf } from './times.ts'
import { CONTEST, IS_LISTED_AUTHOR, resultsAreShownOf, SHOWN_PROBLEMS } from './visibility.ts'

/** Common table expressions that `SHOWN_SUBMISSIONS` needs. */
export const WITH_PROBLEMS = `${CONTEST}, ${SHOWN_PROBLEMS}`

/**
 * SQL: the submissions of a contest that the actor sees, with their authors in
 * `event_participants`: to problems that the actor sees, and where only participants see results
 * the actor's own (P22, P26). `offset 0`: of a contest with 60,000 submissions, the plan for any
 * values took 2 s to find 200 keys, because most contests are small; now it takes 8 ms.
 */
export const SHOWN_SUBMISSIONS = {
  from: (hasKey?: string) => `contest
        join ${hasKey ? `(select submissions.* from submissions where ${hasKey} offset 0) as submissions` : 'submissions'}
          on submissions.event_id = contest.id
        join event_participants
          on event_participants.event_id = contest.id and event_participants.user_id = submissions.user_id
        join shown_problems on shown_problems.problem_id = submissions.problem_id`,
  where: `submissions.event_id = :event_id and ${IS_LISTED_AUTHOR} and ${resultsAreShownOf('submissions.user_id')}`,
}

/** The actor may read the program: the author, staff and judges. */
const SHOWS_PROGRAM = '(contest.is_jury or coalesce(submissions.user_id = :actor, false))'

/** Only accounts that the actor sees too: their own, for staff all that exist. */
const ACCOUNT_ID = `case
            when submissions.user_id = :actor then :actor
            when contest.is_staff then (
              select users.id from users where users.id = submissions.user_id and users.deleted_at is null) end`

export const listSubmissions = defineCollection({
  type: 'submissions',
  item: `json_build_object(
          'id', submissions.id,
          'language_id', submissions.language_id,
          'problem_id', submissions.problem_id::text,
          'team_id', ${SHOWN_TEAM_ID},
          'account_id', ${ACCOUNT_ID},
          'time', ${timeOf('submissions.submit_time')},
          'contest_time', ${contestTimeOf('submissions.submit_time')},
          'files', case when ${SHOWS_PROGRAM} then json_build_array(json_build_object(
            'href', 'contests/' || contest.id || '/submissions/' || submissions.id || '/files',
            'filename', 'files.zip',
            'mime', 'application/zip')) end)`,
  with: WITH_PROBLEMS,
  ...SHOWN_SUBMISSIONS,
  key: 'submissions.id',
  keyType: 'uuid',
  order: 'submissions.submit_time, submissions.id',
})

/** No row: the actor sees no such submission, or may not read its program. */
export const readProgram = actorStatement({
  name: 'read_contest_submission_program',
  params: { event_id: 'integer', submission_id: 'uuid' },
  columns: { source_code: 'text', extension: 'text', submitted_at: 'text' },
  with: WITH_PROBLEMS,
  select: `
      select submissions.source_code, languages.extension, ${timeOf('submissions.submit_time')} as submitted_at
      from ${SHOWN_SUBMISSIONS.from('submissions.id = :submission_id')}
      join languages on languages.id = submissions.language_id
      where ${SHOWN_SUBMISSIONS.where} and ${SHOWS_PROGRAM}`,
})
