import Type from 'typebox'
import type { Actor, ActorDatabase } from '../../http/routing/actor.ts'
import { AppError } from '../../http/routing/errors.ts'
import { answerList, found } from '../../http/routing/responses.ts'
import { defineRoute, type Route } from '../../http/routing/route.ts'
import { eventSubmissionDocs } from '../../openapi/operations/event-submissions.ts'
import { EventPath, EventSubmissionResponse, EventSubmissionsQuery } from '../events/schemas.ts'
import {
  listEventSubmissions,
  listEventSubmissionsOfTeam,
  listEventSubmissionsOfUser,
  readSubmissionAccess,
} from './sql.ts'

/** The submissions of a contest with their filters and redaction (specification, Submission filter rules; D28). */
export function eventSubmissionRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      url: '/v1/events/:event_id/submissions',
      name: 'listEventSubmissions',
      summary: 'List the submissions of an event, of one user or of one team in it',
      docs: eventSubmissionDocs.listEventSubmissions,
      policy: 'user',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: EventPath,
        query: EventSubmissionsQuery,
        body: undefined,
        answers: { 200: Type.Array(EventSubmissionResponse) },
        refusals: ['FORBIDDEN', 'NOT_FOUND'],
      },
      handler: async (ctx) => {
        const { user, team } = ctx.query
        const eventId = ctx.params.event_id
        if (user !== undefined && team !== undefined) {
          throw new AppError('VALIDATION', 'user and team must not be given together')
        }
        await refuseStranger(ctx, eventId, user, team)
        if (user !== undefined) return answerList(ctx, listEventSubmissionsOfUser, [eventId, user], 'event')
        if (team !== undefined) return answerList(ctx, listEventSubmissionsOfTeam, [eventId, team], 'event')
        return answerList(ctx, listEventSubmissions, [eventId], 'event')
      },
    }),
  ]
}

async function refuseStranger(
  { db, actor }: { readonly db: ActorDatabase; readonly actor: Actor },
  eventId: number,
  user: string | undefined,
  team: string | undefined,
): Promise<void> {
  const access = found(await db.ask(readSubmissionAccess, [eventId, team ?? null]), 'event')
  if (team !== undefined) {
    if (!access.has_teams) throw new AppError('VALIDATION', 'team must not be given: the event has no teams')
    if (!access.has_team) throw new AppError('NOT_FOUND', 'There is no such team in the event')
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
