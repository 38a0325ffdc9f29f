import type { Static } from 'typebox'
import { AppError } from '../../http/routing/errors.ts'
import type { eventCreation, eventUpdate } from './schemas.ts'

export const ENDS_BEFORE_START = 'end_time must be after start_time'

/** The values of a new event; the owner is the caller unless sent (D32). Throws VALIDATION. */
export function creationValues(body: Static<ReturnType<typeof eventCreation>>, callerId: string) {
  const { problems = [] } = body
  refuseReversed(body.start_time, body.end_time)
  const problem_ids = problems.map(({ problem_id }) => problem_id)
  if (new Set(problem_ids).size < problem_ids.length) {
    throw new AppError('VALIDATION', 'problems must name each problem once')
  }
  return {
    ...body,
    user_id: body.user_id ?? callerId,
    title: body.title.trim(),
    description: body.description ?? '',
    teams: body.teams ?? false,
    languages: JSON.stringify(body.languages ?? []),
    problem_ids,
    accept_timeouts: problems.map(({ accept_timeout }) => accept_timeout ?? null),
    execution_timeouts: problems.map(({ execution_timeout }) => execution_timeout ?? null),
    memory_limits: problems.map(({ memory_limit }) => memory_limit ?? null),
    hidden: problems.map(({ hidden }) => hidden ?? false),
  }
}

/** The values of an update; fields that were not sent stay as they are. Throws VALIDATION. */
export function updateValues(body: Static<ReturnType<typeof eventUpdate>>) {
  refuseReversed(body.start_time, body.end_time)
  return { ...body, title: body.title?.trim() }
}

/** Validation writes both in one form, in which texts sort by time. */
function refuseReversed(startTime: string | undefined, endTime: string | undefined): void {
  if (startTime !== undefined && endTime !== undefined && startTime >= endTime) {
    throw new AppError('VALIDATION', ENDS_BEFORE_START)
  }
}
