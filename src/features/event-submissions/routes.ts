import type { Actor, ActorDatabase } from '../../http/routing/actor.ts'
import { AppError } from '../../http/routing/errors.ts'
import { found, notFound } from '../../http/routing/responses.ts'
import { EventPath } from '../../http/routing/schema.ts'
import { choose, defineChoiceRoute } from '../../lists/list-route.ts'
import { EventSubmissionResponse, EventSubmissionsQuery } from './schemas.ts'
import {
  listEventSubmissions,
  listEventSubmissionsOfTeam,
  listEventSubmissionsOfUser,
  readSubmissionAccess,
} from './sql.ts'

/** The submissions of an event (specification, Submission filter rules; D28). */
export function eventSubmissionRoutes() {
  return [
    defineChoiceRoute({
      url: '/v1/events/:event_id/submissions',
      name: 'listEventSubmissions',
      policy: 'user',
      params: EventPath,
      query: EventSubmissionsQuery,
      lists: [listEventSubmissions, listEventSubmissionsOfUser, listEventSubmissionsOfTeam],
      item: EventSubmissionResponse,
      refusals: ['FORBIDDEN'],
      choose: async ({ db, actor, params: { event_id }, query: { user, team } }) => {
        if (user !== undefined && team !== undefined) {
          throw new AppError('VALIDATION', 'user and team must not be given together')
        }
        await checkAccess(db, actor, event_id, user, team)
        if (user !== undefined) return choose(listEventSubmissionsOfUser, { event_id, user_id: user })
        if (team !== undefined) return choose(listEventSubmissionsOfTeam, { event_id, team_id: team })
        return choose(listEventSubmissions, { event_id })
      },
    }),
  ]
}

/** Throws NOT_FOUND, VALIDATION or FORBIDDEN if the actor may not read the filtered list. */
async function checkAccess(
  db: ActorDatabase,
  actor: Actor,
  event_id: number,
  user: string | undefined,
  team: string | undefined,
): Promise<void> {
  const access = found(await db.query(readSubmissionAccess, { event_id, team_id: team ?? null }), 'event')
  if (team !== undefined) {
    if (!access.has_teams) throw new AppError('VALIDATION', 'team must not be given: the event has no teams')
    if (!access.has_team) throw notFound('team in the event')
    if (access.is_member || actor.role > 0) return
    throw new AppError('FORBIDDEN', 'Only its members, judges and admins may list a team’s submissions')
  }
  if (user !== undefined) {
    if (user.toLowerCase() === actor.id || actor.role === 2) return
    throw new AppError('FORBIDDEN', 'Only the user and admins may list a user’s submissions')
  }
  if (!access.sees_all) {
    throw new AppError(
      'FORBIDDEN',
      'Only the event’s owner, judges and admins may list all of its submissions',
    )
  }
}
