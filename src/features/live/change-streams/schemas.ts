import Type from 'typebox'
import { IntegerId, ResponseObject, Uuid } from '../../../http/routing/schema.ts'
import { ClockResponse } from '../../contests/events/clock-schemas.ts'
import { POLLED } from './polled.ts'

const TagsSchema = ResponseObject(
  Object.fromEntries(POLLED.map(({ name }) => [name, Type.Optional(Type.String({ pattern: '^W/".+"$' }))])),
)

const QuestionNamed = ResponseObject({ event_id: IntegerId(), question_id: Uuid() })

/** The data of each event of a stream by its name (P25). */
export const STREAM_EVENTS = {
  ready: ResponseObject({ tags: Type.Optional(TagsSchema), clock: Type.Optional(ClockResponse) }),
  submission: ResponseObject({
    submission_id: Uuid(),
    status: Type.String(),
    event_id: Type.Optional(IntegerId()),
  }),
  notification: ResponseObject({
    event_id: Type.Optional(IntegerId()),
    question_id: Type.Optional(Uuid()),
  }),
  question: QuestionNamed,
  announcement: QuestionNamed,
  tags: TagsSchema,
  clock: ClockResponse,
  reset: ResponseObject({}),
}

export type StreamEventName = keyof typeof STREAM_EVENTS
