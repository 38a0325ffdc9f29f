import { actorStatement } from '../../db/actor-statement.ts'
import { row } from '../../db/statement.ts'
import { defineList } from '../../lists/definition.ts'
import { newestFirst } from '../../lists/order.ts'
import { EVENT, seesAllOf } from '../access/events.ts'
import { ownedOrRedactedJson, withRelated } from '../submissions/sql.ts'

const order = newestFirst('submissions.submit_time', 'submissions.id', 'uuid')

/** For the event's owner, judges and admins (specification, Submission filter rules). */
export const listEventSubmissions = defineList({
  name: 'list_event_submissions',
  params: { event_id: 'integer' },
  item: ownedOrRedactedJson,
  from: withRelated,
  where: 'submissions.event_id = :event_id',
  order,
  owner: EVENT,
})

export const listEventSubmissionsOfUser = defineList({
  name: 'list_event_submissions_of_user',
  params: { event_id: 'integer', user_id: 'uuid' },
  item: ownedOrRedactedJson,
  from: withRelated,
  where: 'submissions.event_id = :event_id and submissions.user_id = :user_id',
  order,
  owner: EVENT,
})

/** Without a team mate's submissions to problems hidden from the actor (D33). */
export const listEventSubmissionsOfTeam = defineList({
  name: 'list_event_submissions_of_team',
  params: { event_id: 'integer', team_id: 'uuid' },
  item: ownedOrRedactedJson,
  from: withRelated,
  where: `submissions.event_id = :event_id
        and submissions.user_id in (
          select event_participants.user_id from event_participants where event_participants.team_id = :team_id)
        and (:actor_role > 0 or submissions.user_id = :actor or not coalesce(event_problems.hidden, false))`,
  order,
  owner: EVENT,
})

/** The facts about the actor, the event and the team that decide which list the actor may read. */
export const readSubmissionAccess = actorStatement({
  name: 'read_submission_access',
  params: { event_id: 'integer', team_id: 'uuid | null' },
  row: row<{ sees_all: boolean; has_teams: boolean; has_team: boolean; is_member: boolean }>(),
  select: `
      select ${seesAllOf('events')} as sees_all,
             events.teams as has_teams,
             exists (select from teams where teams.event_id = events.id and teams.id = :team_id) as has_team,
             exists (
               select from event_participants
               where event_participants.event_id = events.id and event_participants.user_id = :actor
                 and event_participants.team_id = :team_id) as is_member
      from events
      where events.id = :event_id and events.deleted_at is null`,
})
