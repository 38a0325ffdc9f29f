import { AppError, type Refusal } from '../../../http/routing/errors.ts'
import { found } from '../../../http/routing/responses.ts'
import { choose, defineChoiceRoute } from '../../../lists/list-route.ts'
import * as schemas from './contest-schemas.ts'
import * as sql from './contest-sql.ts'

/** The submissions of an event (specification, Submission filter rules; D28). */
export function eventSubmissionRoutes() {
  return [
    defineChoiceRoute('listEventSubmissions', '/v1/events/:event_id/submissions', {
      policy: 'user',
      query: schemas.EventSubmissionsQuery,
      lists: [sql.listEventSubmissions, sql.listEventSubmissionsOfUser, sql.listEventSubmissionsOfTeam],
      item: schemas.EventSubmissionResponse,
      refusals: ['FORBIDDEN'],
      choose: async ({ db, params: { event_id }, query: { user, team } }) => {
        if (user !== undefined && team !== undefined) {
          throw new AppError('VALIDATION', 'user and team must not be given together')
        }
        const rows = await db.queryQuickly(sql.readSubmissionAccess, {
          event_id,
          user_id: user,
          team_id: team,
        })
        const { outcome } = found(rows, 'event')
        if (outcome !== 'allowed') throw new AppError(...refusals[outcome])
        if (user !== undefined) return choose(sql.listEventSubmissionsOfUser, { event_id, user_id: user })
        if (team !== undefined) return choose(sql.listEventSubmissionsOfTeam, { event_id, team_id: team })
        return choose(sql.listEventSubmissions, { event_id })
      },
    }),
  ]
}

const refusals: Record<Exclude<sql.SubmissionAccess, 'allowed'>, Refusal> = {
  no_teams: ['VALIDATION', 'team must not be given: the event has no teams'],
  no_team: ['NOT_FOUND', 'There is no such team in the event'],
  not_a_member: ['FORBIDDEN', 'Only its members, judges and admins may list a team’s submissions'],
  not_the_user: ['FORBIDDEN', 'Only the user and admins may list a user’s submissions'],
  not_the_owner: ['FORBIDDEN', 'Only the event’s owner, judges and admins may list all of its submissions'],
}
