import { expect } from 'vitest'
import type { Person, TestResponse } from './app.ts'
import { type Caller, type ContestService, serviceWithContests } from './contests.ts'

/** What a test of notifications needs besides the people: questions, answers, and what somebody is told of them. */
export interface QuestionService extends ContestService {
  list(by: Caller): Promise<TestResponse>
  readCount(by: Caller): Promise<TestResponse>
  /** The unread ones of somebody, as the count route counts them. */
  count(by: Caller): Promise<number>
  markRead(by: Caller): Promise<TestResponse>
  /** Asks in an event; answers the question. */
  askIn(eventId: number, by: Person, question?: string): Promise<TestResponse['body']>
  answerTo(question: { id: string; event_id: number }, by: Caller): Promise<void>
  /** What somebody is told: the types of the notifications, the newest first, with the texts of their questions. */
  told(by: Caller): Promise<string[]>
}

export async function serviceWithQuestions(): Promise<QuestionService> {
  const people = await serviceWithContests()
  const { get, post, put } = people
  const path = '/v1/user/notifications'
  const list: QuestionService['list'] = (by) => get(by, path)
  const readCount: QuestionService['readCount'] = (by) => get(by, `${path}/count`)
  return {
    ...{ ...people, list, readCount },
    async count(by) {
      const { status, body } = await readCount(by)
      expect(status).toBe(200)
      return body.count
    },
    markRead: (by) => put(by, `${path}/mark-read`),
    async askIn(eventId, by, question = 'Why?') {
      const asked = await post(by, `/v1/events/${eventId}/questions`, { question })
      expect(asked.status, asked.text).toBe(201)
      return asked.body
    },
    async answerTo({ id, event_id }, by) {
      const url = `/v1/events/${event_id}/questions/${id}/answer`
      expect(await put(by, url, { answer: 'So.' })).toMatchObject({ status: 200 })
    },
    async told(by) {
      const { body } = await list(by)
      return body.map(
        (one: TestResponse['body']) =>
          `${one.notification_type}: ${one.question.question}${one.is_read ? ' (read)' : ''}`,
      )
    },
  }
}
