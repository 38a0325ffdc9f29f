import Type from 'typebox'
import { Instant, IntegerId, ResponseObject, Uuid } from '../../../http/routing/schema.ts'
import { QuestionResponse } from '../../shared/records/questions.ts'

export const UnreadCountResponse = ResponseObject({ count: Type.Integer() }, { title: 'UnreadCount' })

export const NotificationResponse = ResponseObject(
  {
    id: Uuid(),
    user_id: Uuid({ description: 'The recipient.' }),
    event_id: IntegerId(),
    question_id: Uuid(),
    notification_type: Type.Enum(['question', 'answer'], {
      description: '`question`: a new question; `answer`: the recipient’s own question was answered.',
    }),
    is_read: Type.Boolean(),
    created_at: Instant(),
    updated_at: Instant({ description: 'When the notification was read, else `created_at`.' }),
    question: QuestionResponse,
  },
  { title: 'UserNotification' },
)
