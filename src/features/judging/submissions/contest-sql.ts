import { actorStatement } from '../../../db/actor-statement.ts'
import { row } from '../../../db/statement.ts'
import { defineList } from '../../../lists/definition.ts'
import { EVENT, isListed, isOpenTo, seesAllOf, seesLive } from '../../shared/access/events.ts'
import { IS_FROZEN, shownVerdict } from './frozen.ts'
import { newestSubmissions, ownedOrRedactedJson, relatedTo, submissionBytes } from './sql.ts'

export type SubmissionAccess =
  | 'allowed'
  | 'no_teams'
  | 'no_team'
  | 'not_a_member'
  | 'not_the_user'
  | 'not_the_owner'

/** Frozen submissions are pending, also for their authors (P23). */
const shownSubmissions = relatedTo(`submissions as stored
      join events on events.id = stored.event_id
      cross join lateral (select ${IS_FROZEN} as is_frozen) as masked
      cross join lateral (select ${shownVerdict}) as submissions`)

/** Only the actor's own submissions show programs and outputs (D28). */
const shownBytes = `case when submissions.user_id = :actor then ${submissionBytes} else 0 end`

/** For the event's owner, judges and admins (specification, Submission filter rules). */
export const listEventSubmissions = defineList({
  name: 'list_event_submissions',
  params: { event_id: 'integer' },
  item: ownedOrRedactedJson,
  bytes: shownBytes,
  from: shownSubmissions,
  where: 'stored.event_id = :event_id',
  order: newestSubmissions,
  owner: EVENT,
})

export const listEventSubmissionsOfUser = defineList({
  name: 'list_event_submissions_of_user',
  params: { event_id: 'integer', user_id: 'uuid' },
  item: ownedOrRedactedJson,
  bytes: shownBytes,
  from: shownSubmissions,
  where: 'stored.event_id = :event_id and stored.user_id = :user_id',
  order: newestSubmissions,
  owner: EVENT,
})

/** Judges see the submissions of hidden members too, as in the whole list. */
const SEES_HIDDEN_MEMBERS = `(select ${seesLive('events')} from events where events.id = :event_id)`

/** Without a team mate's submissions to problems hidden from the actor (D33). */
export const listEventSubmissionsOfTeam = defineList({
  name: 'list_event_submissions_of_team',
  params: { event_id: 'integer', team_id: 'uuid' },
  item: ownedOrRedactedJson,
  bytes: shownBytes,
  from: shownSubmissions,
  where: `stored.event_id = :event_id
        and submissions.user_id in (
          select event_participants.user_id
          from event_participants
          where event_participants.team_id = :team_id and ${isListed(SEES_HIDDEN_MEMBERS)})
        and (:actor_role > 0 or submissions.user_id = :actor or not coalesce(event_problems.hidden, false))`,
  order: newestSubmissions,
  owner: EVENT,
})

/**
 * Whether the actor may read the list with these filters (specification, Submission filter rules).
 * No row: there is no such event.
 */
export const readSubmissionAccess = actorStatement({
  name: 'read_submission_access',
  params: { event_id: 'integer', user_id: 'uuid | null', team_id: 'uuid | null' },
  row: row<{ outcome: SubmissionAccess }>(),
  select: `
      select case
               when :team_id is not null then case
                 when not events.teams then 'no_teams'
                 when not exists (
                   select from teams where teams.event_id = events.id and teams.id = :team_id) then 'no_team'
                 when :actor_role = 0 and not exists (
                   select from event_participants
                   where event_participants.event_id = events.id and event_participants.user_id = :actor
                     and event_participants.team_id = :team_id and event_participants.removed_at is null) then 'not_a_member'
                 else 'allowed' end
               when :user_id is not null then
                 case when :actor_role = 2 or :user_id = :actor then 'allowed' else 'not_the_user' end
               when ${seesAllOf('events')} then 'allowed'
               else 'not_the_owner'
             end as outcome
      from events
      where events.id = :event_id and events.deleted_at is null and ${isOpenTo('events')}`,
})
