import Type from 'typebox'
import { Instant, IntegerId, ResponseObject, Uuid } from '../../http/routing/schema.ts'
import { Difficulty } from '../problems/schemas.ts'
import { UserResponse } from '../users/schemas.ts'

/** A question with its users and, where the caller may see it, its problem (D37). */
export const QuestionResponse = ResponseObject(
  {
    id: Uuid(),
    event_id: IntegerId(),
    user_id: Uuid({ description: 'The author.' }),
    problem_id: Type.Optional(IntegerId()),
    question: Type.String(),
    is_answered: Type.Boolean(),
    created_at: Instant(),
    updated_at: Instant({ description: 'The time of the last answer, else `created_at`.' }),
    answer: Type.Optional(Type.String()),
    answered_at: Type.Optional(Instant()),
    answered_by: Type.Optional(Uuid({ description: 'Absent for a judge, who has no account.' })),
    user: UserResponse,
    problem: Type.Optional(
      ResponseObject({
        id: IntegerId(),
        title: Type.String(),
        identifier: Type.String(),
        difficulty: Difficulty,
      }),
    ),
    answerer: Type.Optional(UserResponse),
  },
  { title: 'Question' },
)

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
  { title: 'Notification' },
)
