import { v7 as uuidv7 } from 'uuid'
import { created, found, messageBody, notFound, ok } from '../../http/routing/responses.ts'
import { defineRoute } from '../../http/routing/route.ts'
import { EventPath, MessageResponse } from '../../http/routing/schema.ts'
import { defineListRoute } from '../../lists/list-route.ts'
import { notStaff } from '../access/refusals.ts'
import type { FeatureDependencies } from '../dependencies.ts'
import { QuestionResponse } from '../records/questions.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'

/** The clarification questions of an event (specification, Event sub-resources; D37). */
export function clarificationRoutes({ config }: Pick<FeatureDependencies, 'config'>) {
  return [
    defineListRoute({
      url: '/v1/events/:event_id/questions',
      name: 'listQuestions',
      policy: 'user',
      list: sql.listQuestions,
      item: QuestionResponse,
      params: EventPath,
    }),
    defineRoute({
      method: 'POST',
      url: '/v1/events/:event_id/questions',
      name: 'askQuestion',
      policy: 'user',
      params: EventPath,
      body: schemas.questionBody(config.sizes),
      responses: { 201: QuestionResponse },
      handler: async ({ db, params, body }) => {
        const { problem_id, question } = body
        const asked = found(
          await db.query(sql.askQuestion, { ...params, id: uuidv7(), problem_id, question }),
          'event',
        )
        if (asked.outcome === 'asked') return created(asked.body)
        throw notFound(asked.outcome === 'no_user' ? 'user' : 'problem')
      },
    }),
    defineRoute({
      method: 'PUT',
      url: '/v1/events/:event_id/questions/:question_id/answer',
      name: 'answerQuestion',
      policy: 'user',
      params: schemas.QuestionPath,
      body: schemas.answerBody(config.sizes),
      responses: { 200: MessageResponse },
      refusals: ['FORBIDDEN'],
      handler: async ({ db, params, body }) => {
        const values = { ...params, answer: body.answer, is_public: body.public ?? false }
        const { outcome } = found(await db.query(sql.answerQuestion, values), 'question in the event')
        if (outcome === 'not_staff') throw notStaff()
        if (outcome === 'no_question') throw notFound('question in the event')
        return ok(messageBody('The question was answered'))
      },
    }),
    defineRoute({
      method: 'POST',
      url: '/v1/events/:event_id/announcements',
      name: 'announce',
      policy: 'user',
      params: EventPath,
      body: schemas.announcementBody(config.sizes),
      responses: { 201: QuestionResponse },
      refusals: ['FORBIDDEN'],
      handler: async ({ db, params, body }) => {
        const { problem_id, announcement } = body
        const values = { ...params, id: uuidv7(), problem_id, announcement }
        const announced = found(await db.query(sql.announce, values), 'event')
        if (announced.outcome === 'announced') return created(announced.body)
        throw announced.outcome === 'not_staff' ? notStaff() : notFound('problem')
      },
    }),
  ]
}
