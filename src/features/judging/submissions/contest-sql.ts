import { actorStatement } from '../../../db/actor-statement.ts'
import { oneOf } from '../../../db/statement.ts'
import { defineList } from '../../../lists/definition.ts'
import { isListed, isOpenTo, OPEN_EVENT, seesAllOf } from '../../shared/access/events.ts'
import { emailUnless } from '../../shared/records/users.ts'
import { IS_FROZEN, shownVerdict } from './frozen.ts'
import { listedText, newestSubmissions, relatedTo, submissionBytes } from './sql.ts'

const ACCESSES = ['allowed', 'no_teams', 'no_team', 'not_a_member', 'not_the_user', 'not_the_owner'] as const

export type SubmissionAccess = (typeof ACCESSES)[number]

/** Frozen submissions are pending, also for their authors (P23). */
const shown = {
  with: OPEN_EVENT,
  item: listedText(
    emailUnless("event.admission = 'invited' and not event.is_staff", 'users'),
    'case when not masked.is_frozen then problems.max_score end',
  ),
  bytes: `coalesce(${submissionBytes}, 0)`,
  from: relatedTo(`submissions as stored
      cross join event
      cross join lateral (select stored.user_id = :actor as is_own, ${IS_FROZEN} as is_frozen) as masked
      cross join lateral (select ${shownVerdict}) as submissions`),
  order: newestSubmissions,
  owner: { name: 'event', exists: 'exists (select from event)' },
}

/** For the event's owner, judges and admins (specification, Submission filter rules). */
export const listEventSubmissions = defineList({
  ...shown,
  name: 'list_event_submissions',
  params: { event_id: 'integer' },
  where: 'stored.event_id = :event_id',
})

export const listEventSubmissionsOfUser = defineList({
  ...shown,
  name: 'list_event_submissions_of_user',
  params: { event_id: 'integer', user_id: 'uuid' },
  where: 'stored.event_id = :event_id and stored.user_id = :user_id',
})

/**
 * Without a team mate's submissions to problems hidden from the actor (D33). Judges see the
 * submissions of hidden members too, as in the whole list.
 */
export const listEventSubmissionsOfTeam = defineList({
  ...shown,
  name: 'list_event_submissions_of_team',
  params: { event_id: 'integer', team_id: 'uuid' },
  where: `stored.event_id = :event_id
        and submissions.user_id in (
          select event_participants.user_id
          from event_participants
          where event_participants.team_id = :team_id and ${isListed('(select event.sees_live from event)')})
        and (:actor_role > 0 or submissions.user_id = :actor or not coalesce(event_problems.hidden, false))`,
})

/**
 * Whether the actor may read the list with these filters (specification, Submission filter rules).
 * No row: there is no such event.
 */
export const readSubmissionAccess = actorStatement({
  name: 'read_submission_access',
  params: { event_id: 'integer', user_id: 'uuid | null', team_id: 'uuid | null' },
  columns: { outcome: oneOf(...ACCESSES) },
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
