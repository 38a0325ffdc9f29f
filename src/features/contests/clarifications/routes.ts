import { v7 as uuidv7 } from 'uuid'
import { created, messageBody, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { MessageResponse } from '../../../http/routing/schema.ts'
import { defineListRoute } from '../../../lists/list-route.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { QuestionResponse } from '../../shared/records/questions.ts'
import * as schemas from './schemas.ts'
import { listQuestions } from './sql.ts'
import { storeAnnouncement, storeAnswer, storeQuestion } from './write.ts'

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
      body: schemas.questionBody(config.sizes),
      responses: { 201: QuestionResponse },
      handler: async ({ db, params, body }) => {
        const { problem_id, question } = body
        return created(await storeQuestion(db, { ...params, id: uuidv7(), problem_id, question }))
      },
    }),
    defineRoute('answerQuestion', 'PUT /v1/events/:event_id/questions/:question_id/answer', {
      policy: 'user',
      body: schemas.answerBody(config.sizes),
      responses: { 200: MessageResponse },
      refusals: ['FORBIDDEN'],
      handler: async ({ db, params, body }) => {
        await storeAnswer(db, { ...params, answer: body.answer, is_public: body.public ?? false })
        return ok(messageBody('The question was answered'))
      },
    }),
    defineRoute('announce', 'POST /v1/events/:event_id/announcements', {
      policy: 'user',
      body: schemas.announcementBody(config.sizes),
      responses: { 201: QuestionResponse },
      refusals: ['FORBIDDEN'],
      handler: async ({ db, params, body }) => {
        const { problem_id, announcement } = body
        return created(await storeAnnouncement(db, { ...params, id: uuidv7(), problem_id, announcement }))
      },
    }),
  ]
}
