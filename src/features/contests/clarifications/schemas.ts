import Type from 'typebox'
import type { Config } from '../../../config/config.ts'
import { Filled, IntegerId, Nullable } from '../../../http/routing/schema.ts'

const Problem = Nullable(IntegerId(), { description: 'The problem of the question, if any.' })

/** Body of `POST /v1/events/{id}/questions`; the problem is optional (D37). */
export const questionBody = ({ questionCharacters }: Config['sizes']) =>
  Type.Object(
    { question: Filled({ maxLength: questionCharacters }), problem_id: Problem },
    { title: 'QuestionBody' },
  )

export const answerBody = ({ questionCharacters }: Config['sizes']) =>
  Type.Object(
    {
      answer: Filled({ maxLength: questionCharacters }),
      public: Nullable(
        Type.Boolean({
          description:
            'With `clarifications` `staff`: shows the question and its answer to everybody. Default: false.',
        }),
      ),
    },
    { title: 'AnswerBody' },
  )

/** Body of `POST /v1/events/{id}/announcements` (P20). */
export const announcementBody = ({ questionCharacters }: Config['sizes']) =>
  Type.Object(
    { announcement: Filled({ maxLength: questionCharacters }), problem_id: Problem },
    { title: 'AnnouncementBody' },
  )
