import Type from 'typebox'
import { Answered, Instant, IntegerId, Uuid } from '../../http/schema.ts'
import { QuestionAnswer } from '../clarifications/schemas.ts'

export const UnreadCountAnswer = Answered({ count: Type.Integer() }, { title: 'UnreadCount' })

export const NotificationAnswer = Answered(
  {
    id: Uuid(),
    user_id: Uuid(),
    event_id: IntegerId(),
    question_id: Uuid(),
    notification_type: Type.Enum(['question', 'answer']),
    is_read: Type.Boolean(),
    created_at: Instant(),
    updated_at: Instant(),
    question: QuestionAnswer,
  },
  { title: 'Notification' },
)
