import Type from 'typebox'
import type { Values } from '../../../db/statement.ts'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { created, found, messageBody, noContent, notFound, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { MessageResponse, OrNull, ResponseObject, Update, Uuid } from '../../../http/routing/schema.ts'
import { defineListRoute } from '../../../lists/list-route.ts'
import { changeManagedEvent } from '../../shared/access/change-event.ts'
import { notAParticipant, notStaff } from '../../shared/access/refusals.ts'
import { UserResponse } from '../../shared/records/users.ts'
import { freezeIfReopened } from '../events/rules.ts'
import * as sql from './sql.ts'

const ParticipantBody = Type.Object({ user_id: Uuid() }, { title: 'ParticipantBody' })

const A_WEEK = 10_080
const EXTRA = 'Minutes that the user may submit longer than the others.'
const HIDDEN =
  'A tester: judged, but not in the standings; in lists and counts only for staff and themselves.'

/** Body of `PUT /v1/events/{event_id}/participants/{user_id}` (P21). */
const ParticipantUpdate = Update(
  {
    extra_minutes: OrNull(Type.Integer({ minimum: 0, maximum: A_WEEK }), {
      description: `${EXTRA} 0 and null remove them.`,
    }),
    hidden: Type.Boolean({ description: HIDDEN }),
  },
  { title: 'ParticipantUpdateBody' },
)

/** A user; staff also sees the fields that are set (P21). */
const ParticipantResponse = ResponseObject(
  {
    ...UserResponse.properties,
    extra_minutes: Type.Optional(Type.Integer({ description: `${EXTRA} Only for staff.` })),
    hidden: Type.Optional(Type.Literal(true, { description: `${HIDDEN} Only for staff.` })),
  },
  { title: 'Participant' },
)

/** Registration and participants, for users, admins and staff (specification, Events; D34, P21). */
export function participantRoutes() {
  return [
    defineRoute('registerForEvent', 'POST /v1/public/events/:event_id/register', {
      policy: 'user',
      responses: { 201: MessageResponse },
      refusals: ['NOT_A_PARTICIPANT', 'ALREADY_REGISTERED'],
      handler: async ({ db, actor, params }) => {
        const outcome = await addParticipant(db, { ...params, user_id: actor.id, registers: true })
        if (outcome === 'removed' || outcome === 'not_admitted') throw notAParticipant()
        if (outcome === 'added') return created(messageBody('You take part in the event'))
        throw new AppError('ALREADY_REGISTERED', 'You are already a participant of the event')
      },
    }),
    participantsRoute('public/events', 'listPublicParticipants', 'user'),
    participantsRoute('events', 'listParticipants', 'admin'),
    defineRoute('addParticipant', 'POST /v1/events/:event_id/participants', {
      policy: 'admin',
      body: ParticipantBody,
      responses: { 201: MessageResponse },
      refusals: ['ALREADY_REGISTERED'],
      handler: async ({ db, params: { event_id }, body: { user_id } }) => {
        const outcome = await addParticipant(db, { event_id, user_id, registers: false })
        if (outcome === 'removed') await changeParticipant(db, { event_id, user_id })
        else if (outcome !== 'added') {
          throw new AppError('ALREADY_REGISTERED', 'The user is already a participant of the event')
        }
        return created(messageBody('The user takes part in the event'))
      },
    }),
    ...staffRoutes(),
  ]
}

function participantsRoute<const N extends string>(base: string, name: N, policy: 'user' | 'admin') {
  return defineListRoute(name, `/v1/${base}/:event_id/participants`, {
    policy,
    list: sql.listParticipants,
    item: ParticipantResponse,
  })
}

function staffRoutes() {
  return [
    defineRoute('changeParticipant', 'PUT /v1/events/:event_id/participants/:user_id', {
      policy: 'user',
      body: ParticipantUpdate,
      responses: { 200: ParticipantResponse },
      refusals: ['FORBIDDEN'],
      handler: async ({ db, params, body }) => ok(await changeParticipant(db, { ...params, ...body })),
    }),
    defineRoute('removeParticipant', 'DELETE /v1/events/:event_id/participants/:user_id', {
      policy: 'user',
      responses: { 204: undefined },
      refusals: ['FORBIDDEN'],
      handler: ({ db, params }) =>
        changeManagedEvent(db, params.event_id, async (tx) => {
          const { outcome } = found(await tx.query(sql.removeParticipant, params), 'event')
          if (outcome === 'not_staff') throw notStaff()
          if (outcome === 'no_participant') throw notFound('participant')
          return noContent
        }),
    }),
  ]
}

/** Throws NOT_FOUND. */
async function addParticipant(db: ActorDatabase, added: Values<typeof sql.addedParams>) {
  const { outcome } = found(await db.query(sql.addParticipant, added), 'event')
  if (outcome === 'no_user') throw notFound('user')
  return outcome
}

interface Change {
  readonly event_id: number
  readonly user_id: string
  readonly extra_minutes?: number | null
  readonly hidden?: boolean
}

/** Changes a participant, or makes the user one. Throws FORBIDDEN and NOT_FOUND. */
function changeParticipant(db: ActorDatabase, change: Change): Promise<string> {
  const values = { ...change, keeps_extra_minutes: change.extra_minutes === undefined }
  return changeManagedEvent(db, change.event_id, async (tx) => {
    const participant = found(
      await tx.query(sql.changeParticipant, { ...values, extra_minutes: change.extra_minutes }),
      'event',
    )
    if (participant.outcome !== 'changed') {
      throw participant.outcome === 'not_staff' ? notStaff() : notFound('user')
    }
    await freezeIfReopened(tx, change.event_id)
    return participant.body
  })
}
