import Type from 'typebox'
import { Uuid } from '../../http/routing/schema.ts'

export const ParticipantBody = Type.Object({ user_id: Uuid() }, { title: 'ParticipantBody' })
