import Type from 'typebox'
import type { ActorDatabase } from '../../http/routing/actor.ts'
import { AppError } from '../../http/routing/errors.ts'
import { answerList, created, found } from '../../http/routing/responses.ts'
import { defineRoute, type Route } from '../../http/routing/route.ts'
import { NoFields, PageQuery } from '../../http/routing/schema.ts'
import { participantDocs } from '../../openapi/operations/participants.ts'
import { EventPath, MessageResponse, ParticipantBody } from '../events/schemas.ts'
import { UserResponse } from '../users/schemas.ts'
import { addParticipant, listParticipants } from './sql.ts'

/** Registering, and the participants for users and for admins (specification, Events and Event sub-resources; D34). */
export function participantRoutes(): Route[] {
  return [
    defineRoute({
      method: 'POST',
      url: '/v1/public/events/:event_id/register',
      name: 'registerForEvent',
      summary: 'Take part in an event, also after its end to look back',
      docs: participantDocs.registerForEvent,
      policy: 'user',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: EventPath,
        query: NoFields,
        body: undefined,
        answers: { 201: MessageResponse },
        refusals: ['NOT_FOUND', 'ALREADY_REGISTERED'],
      },
      handler: ({ db, actor, params }) =>
        register(
          db,
          params.event_id,
          actor.id,
          'You take part in the event',
          'You take part in the event already',
        ),
    }),
    listRoute('/v1/public/events/:event_id/participants', 'listPublicParticipants', 'user'),
    listRoute('/v1/events/:event_id/participants', 'listParticipants', 'admin'),
    defineRoute({
      method: 'POST',
      url: '/v1/events/:event_id/participants',
      name: 'addParticipant',
      summary: 'Let a user take part in an event',
      docs: participantDocs.addParticipant,
      policy: 'admin',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: EventPath,
        query: NoFields,
        body: ParticipantBody,
        answers: { 201: MessageResponse },
        refusals: ['NOT_FOUND', 'ALREADY_REGISTERED'],
      },
      handler: ({ db, params, body }) =>
        register(
          db,
          params.event_id,
          body.user_id,
          'The user takes part in the event',
          'The user takes part already',
        ),
    }),
  ]
}

function listRoute(
  url: string,
  name: 'listParticipants' | 'listPublicParticipants',
  policy: 'user' | 'admin',
): Route {
  return defineRoute({
    method: 'GET',
    url,
    name,
    summary: 'List the participants of an event',
    docs: participantDocs[name],
    policy,
    limit: 'none',
    bodyLimit: 'body',
    schema: {
      params: EventPath,
      query: PageQuery,
      body: undefined,
      answers: { 200: Type.Array(UserResponse) },
      refusals: ['NOT_FOUND'],
    },
    handler: (ctx) => answerList(ctx, listParticipants, [ctx.params.event_id], 'event'),
  })
}

async function register(
  db: ActorDatabase,
  eventId: number,
  userId: string,
  message: string,
  refusal: string,
) {
  const { done, has_user } = found(await db.ask(addParticipant, [eventId, userId]), 'event')
  if (!has_user) throw new AppError('NOT_FOUND', 'There is no such user')
  if (!done) throw new AppError('ALREADY_REGISTERED', refusal)
  return created(JSON.stringify({ message }))
}
