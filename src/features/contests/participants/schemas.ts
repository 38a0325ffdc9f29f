import Type from 'typebox'
import { OrNull, ResponseObject, Update, Uuid } from '../../../http/routing/schema.ts'
import { UserResponse } from '../../shared/records/users.ts'

export const ParticipantBody = Type.Object({ user_id: Uuid() }, { title: 'ParticipantBody' })

const A_WEEK = 10_080
const EXTRA = 'Minutes that the user may submit longer than the others.'
const HIDDEN =
  'A tester: judged, but not in the standings; in lists and counts only for staff and themselves.'

/** Body of `PUT /v1/events/{event_id}/participants/{user_id}` (P21). */
export const ParticipantUpdate = Update(
  {
    extra_minutes: OrNull(Type.Integer({ minimum: 0, maximum: A_WEEK }), {
      description: `${EXTRA} 0 and null remove them.`,
    }),
    hidden: Type.Boolean({ description: HIDDEN }),
  },
  { title: 'ParticipantUpdateBody' },
)

/** A user; staff also sees the fields that are set (P21). */
export const ParticipantResponse = ResponseObject(
  {
    ...UserResponse.properties,
    extra_minutes: Type.Optional(Type.Integer({ description: `${EXTRA} Only for staff.` })),
    hidden: Type.Optional(Type.Literal(true, { description: `${HIDDEN} Only for staff.` })),
  },
  { title: 'Participant' },
)
