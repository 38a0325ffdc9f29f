import { guarded } from '../../db/actor-statement.ts'
import { defineList } from '../../lists/definition.ts'
import { EVENT_EXISTS, seesAllOf } from '../access/events.ts'
import { ownedOrRedactedJson, withRelated } from '../submissions/sql.ts'

const newestFirst = {
  key: [
    { column: 'submissions.submit_time', type: 'instant' },
    { column: 'submissions.id', type: 'uuid' },
  ],
  direction: 'desc',
} as const

/** $4 event: every submission, for its owner, judges and admins (specification, Submission filter rules). */
export const listEventSubmissions = defineList('list_event_submissions', {
  item: ownedOrRedactedJson,
  from: `${withRelated} where submissions.event_id = $4::integer`,
  values: 1,
  ...newestFirst,
  given: EVENT_EXISTS,
})

/** $4 event, $5 user. */
export const listEventSubmissionsOfUser = defineList('list_event_submissions_of_user', {
  item: ownedOrRedactedJson,
  from: `${withRelated} where submissions.event_id = $4::integer and submissions.user_id = $5::uuid`,
  values: 2,
  ...newestFirst,
  given: EVENT_EXISTS,
})

/** $4 event, $5 team; a mate's submissions to a problem that is hidden from the actor are not there (D33). */
export const listEventSubmissionsOfTeam = defineList('list_event_submissions_of_team', {
  item: ownedOrRedactedJson,
  from: `${withRelated}
         where submissions.event_id = $4::integer
           and submissions.user_id in (
             select event_participants.user_id from event_participants where event_participants.team_id = $5::uuid)
           and ($2::integer > 0 or submissions.user_id = $1::uuid or not coalesce(event_problems.hidden, false))`,
  values: 2,
  ...newestFirst,
  given: EVENT_EXISTS,
})

export type SubmissionAccess = {
  sees_all: boolean
  has_teams: boolean
  has_team: boolean
  is_member: boolean
}

/** $4 event, $5 team or null: what the actor may list there. */
export const readSubmissionAccess = guarded<SubmissionAccess>('read_submission_access', {
  select: `select ${seesAllOf('events')} as sees_all,
                  events.teams as has_teams,
                  exists (
                    select from teams where teams.event_id = events.id and teams.id = $5::uuid) as has_team,
                  exists (
                    select from event_participants
                    where event_participants.event_id = events.id and event_participants.user_id = $1::uuid
                      and event_participants.team_id = $5::uuid) as is_member
           from events
           where events.id = $4::integer and events.deleted_at is null`,
})
