import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError, type Refusal } from '../../../http/routing/errors.ts'
import { KeyIsKnown } from '../../../http/routing/idempotency.ts'
import { found } from '../../../http/routing/responses.ts'
import { notAParticipant } from '../../shared/access/refusals.ts'
import { createEventSubmission, type EventSubmission, type SubmissionRefusal } from './create-sql.ts'

/** Stores a submission in an event; returns its JSON. Throws if the event refuses it (D24, P21). */
export async function submitToEvent(tx: ActorDatabase, values: EventSubmission): Promise<string> {
  const submission = found(await tx.query(createEventSubmission, values), 'user')
  if (submission.outcome === 'created') return submission.body
  if (submission.outcome === 'not_admitted') throw notAParticipant()
  if (submission.outcome === 'other_language') {
    throw new AppError(
      'VALIDATION',
      `The event does not allow ${submission.language_name}: see its languages`,
    )
  }
  throw submissionRefusal(submission.outcome)
}

type Outcome = Exclude<SubmissionRefusal, 'not_admitted' | 'other_language'>

/** The error for a refused submission (D24). */
export const submissionRefusal = (outcome: Outcome) =>
  outcome === 'known_key' ? new KeyIsKnown() : new AppError(...refusals[outcome])

const refusals: Record<Exclude<Outcome, 'known_key'>, Refusal> = {
  no_user: ['NOT_FOUND', 'There is no such user'],
  no_event: ['NOT_FOUND', 'There is no such event'],
  needs_event: ['VALIDATION', 'event_id is required: the problem is part of a running event'],
  no_problem: ['NOT_FOUND', 'There is no such problem'],
  no_language: ['NOT_FOUND', 'There is no such language'],
  not_in_event: ['VALIDATION', 'problem_id must be a problem of the event'],
  not_running: ['EVENT_NOT_ACTIVE', 'The event is not running'],
}
