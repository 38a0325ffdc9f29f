import Type from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import { AppError } from '../../http/routing/errors.ts'
import { answerList, created, found, ok } from '../../http/routing/responses.ts'
import { defineRoute, type Route } from '../../http/routing/route.ts'
import { NoFields, PageQuery } from '../../http/routing/schema.ts'
import { clarificationDocs } from '../../openapi/operations/clarifications.ts'
import { EventPath, MessageResponse } from '../events/schemas.ts'
import { AnswerBody, QuestionBody, QuestionPath, QuestionResponse } from './schemas.ts'
import { answerQuestion, askQuestion, listQuestions } from './sql.ts'

/** The clarification questions of an event (specification, Event sub-resources; D37). */
export function clarificationRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      url: '/v1/events/:event_id/questions',
      name: 'listQuestions',
      summary: 'List the questions of an event, the newest first',
      docs: clarificationDocs.listQuestions,
      policy: 'user',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: EventPath,
        query: PageQuery,
        body: undefined,
        answers: { 200: Type.Array(QuestionResponse) },
        refusals: ['NOT_FOUND'],
      },
      handler: (ctx) => answerList(ctx, listQuestions, [ctx.params.event_id], 'event'),
    }),
    defineRoute({
      method: 'POST',
      url: '/v1/events/:event_id/questions',
      name: 'askQuestion',
      summary: 'Ask a question; the other participants are notified',
      docs: clarificationDocs.askQuestion,
      policy: 'user',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: EventPath,
        query: NoFields,
        body: QuestionBody,
        answers: { 201: QuestionResponse },
        refusals: ['NOT_FOUND'],
      },
      handler: async ({ db, params, body }) => {
        const values = [params.event_id, uuidv7(), body.problem_id ?? null, body.question]
        const { body: asked, has_user } = found(await db.ask(askQuestion, values), 'event')
        if (asked === null)
          throw new AppError('NOT_FOUND', `There is no such ${has_user ? 'problem' : 'user'}`)
        return created(asked)
      },
    }),
    defineRoute({
      method: 'PUT',
      url: '/v1/events/:event_id/questions/:question_id/answer',
      name: 'answerQuestion',
      summary: 'Answer a question; its author is notified',
      docs: clarificationDocs.answerQuestion,
      policy: 'user',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: QuestionPath,
        query: NoFields,
        body: AnswerBody,
        answers: { 200: MessageResponse },
        refusals: ['NOT_FOUND'],
      },
      handler: async ({ db, params, body }) => {
        found(
          await db.ask(answerQuestion, [params.event_id, params.question_id, body.answer]),
          'question in the event',
        )
        return ok(JSON.stringify({ message: 'The question was answered' }))
      },
    }),
  ]
}
