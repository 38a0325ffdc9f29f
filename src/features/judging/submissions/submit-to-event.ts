import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError, type Refusal } from '../../../http/routing/errors.ts'
import { KeyIsKnown } from '../../../http/routing/idempotency.ts'
import { found } from '../../../http/routing/responses.ts'
import { notAParticipant } from '../../shared/access/refusals.ts'
import { createEventSubmission, type EventSubmission, readSubmissionRefusal } from './create-sql.ts'

/** Stores a submission in an event; returns its JSON. Throws if the event refuses it (D24, P21). */
export async function submitToEvent(tx: ActorDatabase, values: EventSubmission): Promise<string> {
  const { body } = found(await tx.query(createEventSubmission, values), 'user')
  if (body !== null) return body
  // The transaction that follows knows the key, or gets the same refusal.
  if (typeof values.key === 'string') throw new KeyIsKnown()
  const { outcome, language_name } = found(await tx.query(readSubmissionRefusal, values), 'user')
  if (outcome === 'not_admitted') throw notAParticipant()
  if (outcome === 'other_language') {
    throw new AppError('VALIDATION', `The event does not allow ${language_name}: see its languages`)
  }
  throw submissionRefusal(outcome)
}

type SubmissionRefusal = keyof typeof refusals | 'known_key'

/** The error for a refused submission (D24). */
export function submissionRefusal(outcome: SubmissionRefusal) {
  if (outcome === 'known_key') return new KeyIsKnown()
  const [kind, message] = refusals[outcome]
  return new AppError(kind, message)
}

const refusals = {
  no_user: ['NOT_FOUND', 'There is no such user'],
  no_event: ['NOT_FOUND', 'There is no such event'],
  needs_event: ['VALIDATION', 'event_id is required: the problem is part of a running event'],
  no_problem: ['NOT_FOUND', 'There is no such problem'],
  no_language: ['NOT_FOUND', 'There is no such language'],
  not_in_event: ['VALIDATION', 'problem_id must be a problem of the event'],
  not_running: ['EVENT_NOT_ACTIVE', 'The event is not running'],
} as const satisfies Record<string, Refusal>
