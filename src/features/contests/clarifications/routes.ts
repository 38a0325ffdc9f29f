import Type from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../../../config/config.ts'
import { created, messageBody, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { Filled, IntegerId, MessageResponse, Nullable } from '../../../http/routing/schema.ts'
import { defineListRoute } from '../../../lists/list-route.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { QuestionResponse, ReplaceQuery } from '../../shared/records/questions.ts'
import { listQuestions } from './sql.ts'
import { storeAnnouncement, storeAnswer, storeQuestion } from './write.ts'

const Problem = Nullable(IntegerId(), { description: 'The problem of the question, if any.' })

/** Body of `POST /v1/events/{id}/questions`; the problem is optional (D37). */
const questionBody = ({ questionCharacters }: Config['sizes']) =>
  Type.Object(
    { question: Filled({ maxLength: questionCharacters }), problem_id: Problem },
    { title: 'QuestionBody' },
  )

const answerBody = ({ questionCharacters }: Config['sizes']) =>
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
const announcementBody = ({ questionCharacters }: Config['sizes']) =>
  Type.Object(
    { announcement: Filled({ maxLength: questionCharacters }), problem_id: Problem },
    { title: 'AnnouncementBody' },
  )

/** The clarification questions of an event (specification, Event sub-resources; D37). */
export function clarificationRoutes({ config }: Pick<FeatureDependencies, 'config'>) {
  return [
    defineListRoute('listQuestions', '/v1/events/:event_id/questions', {
      policy: 'user',
      list: listQuestions,
      item: QuestionResponse,
    }),
    defineRoute('askQuestion', 'POST /v1/events/:event_id/questions', {
      policy: 'user',
      body: questionBody(config.sizes),
      responses: { 201: QuestionResponse },
      handler: async ({ db, params, body }) => {
        const { problem_id, question } = body
        return created(await storeQuestion(db, { ...params, id: uuidv7(), problem_id, question }))
      },
    }),
    defineRoute('answerQuestion', 'PUT /v1/events/:event_id/questions/:question_id/answer', {
      policy: 'user',
      query: ReplaceQuery,
      body: answerBody(config.sizes),
      responses: { 200: MessageResponse },
      refusals: ['FORBIDDEN', 'ALREADY_ANSWERED', 'ANSWERED_BY_STAFF'],
      handler: async ({ db, params, query: { replace = false }, body }) => {
        await storeAnswer(db, { ...params, answer: body.answer, is_public: body.public ?? false, replace })
        return ok(messageBody('The question was answered'))
      },
    }),
    defineRoute('announce', 'POST /v1/events/:event_id/announcements', {
      policy: 'user',
      body: announcementBody(config.sizes),
      responses: { 201: QuestionResponse },
      refusals: ['FORBIDDEN'],
      handler: async ({ db, params, body }) => {
        const { problem_id, announcement } = body
        return created(await storeAnnouncement(db, { ...params, id: uuidv7(), problem_id, announcement }))
      },
    }),
  ]
}
