import type { Static } from 'typebox'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { found, type RouteResponse } from '../../../http/routing/responses.ts'
import { updateValues } from '../../contests/events/rules.ts'
import { updateEvent } from '../../contests/events/update.ts'
import { thaw } from '../../contests/standings/thaw-steps.ts'
import { changeManagedEvent } from '../../shared/access/change-event.ts'
import { notStaff } from '../../shared/access/refusals.ts'
import type { Collection } from './collection.ts'
import { respondWithSingleton } from './read-objects.ts'
import type { ContestChange } from './write-schemas.ts'
import { hasPassed, readMovedTimes, readWriter, type StartRefusal } from './write-sql.ts'

type Change = Static<typeof ContestChange>

/**
 * Moves the start of a contest or thaws its standings, for its staff (Contest API, Modifying
 * contests; P26). Responds with the contest. Throws VALIDATION, NOT_FOUND, FORBIDDEN, ID_MISMATCH.
 */
export async function changeContest(
  db: ActorDatabase,
  contest: Collection,
  event_id: number,
  change: Change,
): Promise<RouteResponse> {
  refuseMixed(change)
  return changeManagedEvent(db, event_id, async (tx) => {
    const writer = found(await tx.query(readWriter, { event_id }), 'contest')
    if (!writer.is_staff) throw notStaff()
    if (change.id !== String(event_id)) {
      throw new AppError('ID_MISMATCH', `id must be ${event_id}, as in the path`)
    }
    const { scoreboard_thaw_time: thawTime } = change
    if (thawTime === undefined) await moveStart(tx, event_id, change)
    else await thawAt(tx, event_id, thawTime)
    return respondWithSingleton(tx, contest, event_id)
  })
}

function refuseMixed({ start_time, countdown_pause_time, scoreboard_thaw_time }: Change): void {
  if ((start_time === undefined) === (scoreboard_thaw_time === undefined)) {
    throw new AppError('VALIDATION', 'Either start_time or scoreboard_thaw_time is required')
  }
  if (countdown_pause_time && start_time !== null) {
    throw new AppError('VALIDATION', 'countdown_pause_time must be absent unless start_time is null')
  }
}

async function moveStart(tx: ActorDatabase, event_id: number, { start_time }: Change): Promise<void> {
  if (typeof start_time !== 'string') {
    throw forbidden('The service does not support contests without a start_time: move it instead')
  }
  const moved = found(await tx.query(readMovedTimes, { event_id, start_time }), 'contest')
  const { refusal, freeze_time, ...times } = moved
  if (refusal !== null) throw forbidden(refusals[refusal])
  const values = updateValues({
    start_time: times.start_time,
    end_time: times.end_time,
    ...(freeze_time !== null && { freeze_time }),
  })
  await updateEvent(tx, { ...values, event_id })
}

const refusals: Readonly<Record<StartRefusal, string>> = {
  ended: 'The contest was ended before its start',
  started: 'The contest has started, or starts within 30 seconds',
  too_soon: 'start_time must be more than 30 seconds from now',
  too_late: 'start_time is too late: the contest must end before the year 10000',
}

async function thawAt(tx: ActorDatabase, event_id: number, moment: string): Promise<void> {
  const { has_passed } = found(await tx.query(hasPassed, { moment }), 'time')
  if (!has_passed) {
    throw forbidden('The service thaws at once: scoreboard_thaw_time must not be in the future')
  }
  await thaw(tx, event_id).catch((err: unknown) => {
    const isRefused = err instanceof AppError && (err.kind === 'NOT_FROZEN' || err.kind === 'EVENT_NOT_ENDED')
    throw isRefused ? forbidden(err.message) : err
  })
}

const forbidden = (message: string) => new AppError('FORBIDDEN', message)
