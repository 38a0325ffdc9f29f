import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { found, notFound } from '../../../http/routing/responses.ts'
import { notStaff } from '../../shared/access/refusals.ts'
import * as sql from './sql.ts'

/** Stores a question; returns it as JSON. Throws NOT_FOUND (D37). */
export async function storeQuestion(db: ActorDatabase, question: sql.NewQuestion): Promise<string> {
  const asked = found(await db.query(sql.askQuestion, question), 'event')
  if (asked.outcome === 'asked') return asked.body
  throw notFound(asked.outcome === 'no_user' ? 'user' : 'problem')
}

/**
 * Stores or replaces an answer (D37). Throws NOT_FOUND, FORBIDDEN where only staff answers (P20),
 * ALREADY_ANSWERED and ANSWERED_BY_STAFF.
 */
export async function storeAnswer(db: ActorDatabase, answer: sql.NewAnswer): Promise<void> {
  const { outcome } = found(await db.query(sql.answerQuestion, answer), 'question in the event')
  if (outcome !== 'answered' && outcome !== 'repeated') throw refusals[outcome]()
}

const refusals = {
  not_staff: notStaff,
  no_question: () => notFound('question in the event'),
  already_answered: () =>
    new AppError(
      'ALREADY_ANSWERED',
      'The question is answered already: replace its answer with replace=true',
    ),
  answered_by_staff: () =>
    new AppError('ANSWERED_BY_STAFF', 'Staff has answered the question: only staff may replace its answer'),
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
