import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { found, notFound } from '../../../http/routing/responses.ts'
import { notStaff } from '../../shared/access/refusals.ts'
import * as sql from './sql.ts'

/** Stores a question; returns it as JSON. Throws NOT_FOUND (D37). */
export async function storeQuestion(db: ActorDatabase, question: sql.NewQuestion): Promise<string> {
  const asked = found(await db.query(sql.askQuestion, question), 'event')
  if (asked.outcome === 'asked') return asked.body
  throw notFound(asked.outcome === 'no_user' ? 'user' : 'problem')
}

/** Stores or replaces an answer. Throws NOT_FOUND, and FORBIDDEN where only staff answers (P20). */
export async function storeAnswer(db: ActorDatabase, answer: sql.NewAnswer): Promise<void> {
  const { outcome } = found(await db.query(sql.answerQuestion, answer), 'question in the event')
  if (outcome === 'not_staff') throw notStaff()
  if (outcome === 'no_question') throw notFound('question in the event')
}

/** Stores an announcement of staff; returns it as JSON. Throws NOT_FOUND or FORBIDDEN (P20). */
export async function storeAnnouncement(
  db: ActorDatabase,
  announcement: sql.NewAnnouncement,
): Promise<string> {
  const announced = found(await db.query(sql.announce, announcement), 'event')
  if (announced.outcome === 'announced') return announced.body
  throw announced.outcome === 'not_staff' ? notStaff() : notFound('problem')
}
