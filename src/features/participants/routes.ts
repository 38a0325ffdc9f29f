import type { ActorDatabase } from '../../http/routing/actor.ts'
import { AppError } from '../../http/routing/errors.ts'
import { created, found, messageBody, notFound } from '../../http/routing/responses.ts'
import { defineRoute } from '../../http/routing/route.ts'
import { EventPath, MessageResponse } from '../../http/routing/schema.ts'
import { defineListRoute } from '../../lists/list-route.ts'
import { UserResponse } from '../records/users.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'

/** Registration, and the participants for users and for admins (specification, Events; D34). */
export function participantRoutes() {
  return [
    defineRoute({
      method: 'POST',
      url: '/v1/public/events/:event_id/register',
      name: 'registerForEvent',
      policy: 'user',
      params: EventPath,
      responses: { 201: MessageResponse },
      refusals: ['ALREADY_REGISTERED'],
      handler: ({ db, actor, params }) =>
        register(db, params.event_id, actor.id, {
          added: 'You take part in the event',
          alreadyRegistered: 'You are already a participant of the event',
        }),
    }),
    participantsRoute('/v1/public/events/:event_id/participants', 'listPublicParticipants', 'user'),
    participantsRoute('/v1/events/:event_id/participants', 'listParticipants', 'admin'),
    defineRoute({
      method: 'POST',
      url: '/v1/events/:event_id/participants',
      name: 'addParticipant',
      policy: 'admin',
      params: EventPath,
      body: schemas.ParticipantBody,
      responses: { 201: MessageResponse },
      refusals: ['ALREADY_REGISTERED'],
      handler: ({ db, params, body }) =>
        register(db, params.event_id, body.user_id, {
          added: 'The user takes part in the event',
          alreadyRegistered: 'The user is already a participant of the event',
        }),
    }),
  ]
}

function participantsRoute<const N extends string>(url: string, name: N, policy: 'user' | 'admin') {
  return defineListRoute({
    url,
    name,
    policy,
    list: sql.listParticipants,
    item: UserResponse,
    params: EventPath,
  })
}

async function register(
  db: ActorDatabase,
  event_id: number,
  user_id: string,
  messages: { readonly added: string; readonly alreadyRegistered: string },
) {
  const { outcome } = found(await db.query(sql.addParticipant, { event_id, user_id }), 'event')
  if (outcome === 'no_user') throw notFound('user')
  if (outcome === 'already_registered') throw new AppError('ALREADY_REGISTERED', messages.alreadyRegistered)
  return created(messageBody(messages.added))
}
