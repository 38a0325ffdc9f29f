import Type from 'typebox'
import { Filled, Instant, IntegerId, ResponseObject, Uuid } from '../../http/routing/schema.ts'
import { Difficulty } from '../problems/schemas.ts'
import { UserResponse } from '../users/schemas.ts'

export const QuestionPath = Type.Object({ event_id: IntegerId(), question_id: Uuid() })

/** Body of `POST /v1/events/{id}/questions`; a question need not be about a problem (D37). */
export const QuestionBody = Type.Object(
  {
    question: Filled(),
    problem_id: Type.Optional(
      Type.Union([IntegerId(), Type.Null()], { description: 'The problem that it is about, if any.' }),
    ),
  },
  { title: 'QuestionBody' },
)

export const AnswerBody = Type.Object({ answer: Filled() }, { title: 'AnswerBody' })

/** A question with the people and the problem it concerns (D37); `problem` where the caller may see it. */
export const QuestionResponse = ResponseObject(
  {
    id: Uuid(),
    event_id: IntegerId(),
    user_id: Uuid({ description: 'Who asked.' }),
    problem_id: Type.Optional(IntegerId()),
    question: Type.String(),
    is_answered: Type.Boolean(),
    created_at: Instant(),
    updated_at: Instant({ description: 'When it was last answered, else when it was asked.' }),
    answer: Type.Optional(Type.String()),
    answered_at: Type.Optional(Instant()),
    answered_by: Type.Optional(Uuid({ description: 'Absent where a judge answered, who has no account.' })),
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
