import Type from 'typebox'
import type { Config } from '../../config/config.ts'
import { Filled, IntegerId, Uuid } from '../../http/routing/schema.ts'

export const QuestionPath = Type.Object({ event_id: IntegerId(), question_id: Uuid() })

/** Body of `POST /v1/events/{id}/questions`; the problem is optional (D37). */
export const questionBody = ({ questionCharacters }: Config['sizes']) =>
  Type.Object(
    {
      question: Filled({ maxLength: questionCharacters }),
      problem_id: Type.Optional(
        Type.Union([IntegerId(), Type.Null()], { description: 'The problem of the question, if any.' }),
      ),
    },
    { title: 'QuestionBody' },
  )

export const answerBody = ({ questionCharacters }: Config['sizes']) =>
  Type.Object({ answer: Filled({ maxLength: questionCharacters }) }, { title: 'AnswerBody' })
