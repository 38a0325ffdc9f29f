import Type from 'typebox'
import { Instant, IntegerId, ResponseObject, Uuid } from '../../http/routing/schema.ts'
import { QuestionResponse } from '../clarifications/schemas.ts'

export const UnreadCountResponse = ResponseObject({ count: Type.Integer() }, { title: 'UnreadCount' })

export const NotificationAnswer = ResponseObject(
  {
    id: Uuid(),
    user_id: Uuid({ description: 'Whom it is for.' }),
    event_id: IntegerId(),
    question_id: Uuid(),
    notification_type: Type.Enum(['question', 'answer'], {
      description: '`question`: somebody asked; `answer`: the recipient’s own question was answered.',
    }),
    is_read: Type.Boolean(),
    created_at: Instant(),
    updated_at: Instant({ description: 'When it was read, else `created_at`.' }),
    question: QuestionResponse,
  },
  { title: 'Notification' },
)
