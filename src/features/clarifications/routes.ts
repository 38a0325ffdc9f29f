import { v7 as uuidv7 } from 'uuid'
import { created, found, notFound, ok } from '../../http/routing/responses.ts'
import { defineRoute } from '../../http/routing/route.ts'
import { EventPath, MessageResponse } from '../../http/routing/schema.ts'
import { defineListRoute } from '../../lists/list-route.ts'
import { QuestionResponse } from '../notifications/schemas.ts'
import { AnswerBody, QuestionBody, QuestionPath } from './schemas.ts'
import { answerQuestion, askQuestion, listQuestions } from './sql.ts'

/** The clarification questions of an event (specification, Event sub-resources; D37). */
export function clarificationRoutes() {
  return [
    defineListRoute({
      url: '/v1/events/:event_id/questions',
      name: 'listQuestions',
      policy: 'user',
      list: listQuestions,
      item: QuestionResponse,
      params: EventPath,
    }),
    defineRoute({
      method: 'POST',
      url: '/v1/events/:event_id/questions',
      name: 'askQuestion',
      policy: 'user',
      params: EventPath,
      body: QuestionBody,
      responses: { 201: QuestionResponse },
      refusals: ['NOT_FOUND'],
      handler: async ({ db, params, body }) => {
        const { problem_id = null, question } = body
        const asked = found(
          await db.query(askQuestion, { ...params, id: uuidv7(), problem_id, question }),
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
      params: QuestionPath,
      body: AnswerBody,
      responses: { 200: MessageResponse },
      refusals: ['NOT_FOUND'],
      handler: async ({ db, params, body }) => {
        const rows = await db.query(answerQuestion, { ...params, answer: body.answer })
        found(rows, 'question in the event')
        return ok(JSON.stringify({ message: 'The question was answered' }))
      },
    }),
  ]
}
