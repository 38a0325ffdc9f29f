import type { Static } from 'typebox'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { found, notFound } from '../../../http/routing/responses.ts'
import * as sql from './change-sql.ts'
import { ruleValues } from './contest-rules.ts'
import type { eventCreation, eventUpdate } from './schemas.ts'

const messages: Record<Exclude<sql.UpdateRefusal, 'unknown_language' | 'no_user'>, string> = {
  ends_before_start: 'end_time must be after start_time',
  freezes_after_end: 'freeze_time must not be after end_time',
  languages_without_uuid: 'languages must be UUIDs, at least one, where enforce_languages is true',
}

/** The values of a new event; the owner is the caller unless sent (D32). Throws VALIDATION. */
export function creationValues(body: Static<ReturnType<typeof eventCreation>>, callerId: string) {
  const { problems = [], languages = [], freeze_time } = body
  refuseReversed(body.start_time, body.end_time)
  if (freeze_time && freeze_time > body.end_time) throw updateRefusal('freezes_after_end')
  const areUuids = languages.length > 0 && languages.every((language) => typeof language === 'string')
  if (body.enforce_languages && !areUuids) {
    throw updateRefusal('languages_without_uuid')
  }
  const problem_ids = problems.map(({ problem_id }) => problem_id)
  if (new Set(problem_ids).size < problem_ids.length) {
    throw new AppError('VALIDATION', 'problems must name each problem once')
  }
  return {
    ...body,
    user_id: body.user_id ?? callerId,
    description: body.description ?? '',
    teams: body.teams ?? false,
    languages: JSON.stringify(languages),
    ...ruleValues(body),
    problem_ids,
    accept_timeouts: problems.map(({ accept_timeout }) => accept_timeout ?? null),
    execution_timeouts: problems.map(({ execution_timeout }) => execution_timeout ?? null),
    memory_limits: problems.map(({ memory_limit }) => memory_limit ?? null),
    hidden: problems.map(({ hidden }) => hidden ?? false),
    labels: problems.map(({ label }) => label ?? null),
    colors: problems.map(({ color }) => color ?? null),
    positions: problems.map(({ position }) => position ?? null),
    points: problems.map(({ points }) => points ?? null),
  }
}

/** The values of an update; fields that were not sent stay as they are. Throws VALIDATION. */
export function updateValues(body: Static<ReturnType<typeof eventUpdate>>) {
  refuseReversed(body.start_time, body.end_time)
  const { languages, ...others } = body
  return {
    ...others,
    languages: languages ? JSON.stringify(languages) : null,
    ...ruleValues(body),
  }
}

/** The error for a refused update (D32, P20). */
function updateRefusal(refusal: Exclude<sql.UpdateRefusal, 'unknown_language'>): AppError {
  return refusal === 'no_user' ? notFound('user') : new AppError('VALIDATION', messages[refusal])
}

/** The error for a contest that enforces its languages and names one that does not exist (P21). */
export function unknownLanguage(id: string): AppError {
  const fault = `languages must be languages of the service where enforce_languages is true`
  return new AppError('VALIDATION', `${fault}: there is no ${id} in GET /v1/languages`)
}

/** Validation writes both in one form, in which texts sort by time. */
function refuseReversed(startTime: string | undefined, endTime: string | undefined): void {
  if (startTime !== undefined && endTime !== undefined && startTime >= endTime) {
    throw updateRefusal('ends_before_start')
  }
}

type Update = ReturnType<typeof updateValues> & { readonly event_id: number }

/**
 * Changes an event after it was locked, and counts its standings again where they change. Throws
 * VALIDATION or NOT_FOUND (D32, P20).
 */
export async function updateEvent(tx: ActorDatabase, values: Update): Promise<void> {
  const { event_id } = values
  const event = found(await tx.query(sql.updateEvent, values), 'event')
  if (event.outcome === 'unknown_language') throw unknownLanguage(event.unknown_language)
  if (event.outcome !== 'updated') throw updateRefusal(event.outcome)
  const { recount_from: since } = event
  if (since !== null) await tx.query(sql.recountCells, { event_id, since })
  await freezeIfReopened(tx, event_id)
}

/** Ends an event after it was locked, and counts its standings again if that is a new end (D32). */
export async function endEvent(tx: ActorDatabase, event_id: number): Promise<void> {
  const { ended_at: since } = found(await tx.query(sql.endEvent, { event_id }), 'event')
  if (since !== null) await tx.query(sql.recountCells, { event_id, since })
}

/**
 * After a change that may let people submit again, in its transaction: a contest that was thawed,
 * at once or by steps, is frozen again (P23).
 */
export async function freezeIfReopened(tx: ActorDatabase, event_id: number): Promise<void> {
  const [reopened] = await tx.query(sql.freezeReopened, { event_id })
  if (reopened !== undefined) await tx.query(sql.recountCells, { event_id, since: reopened.freeze_time })
}
