import type { Static } from 'typebox'
import { actorStatement } from '../../../db/actor-statement.ts'
import { oneOf } from '../../../db/statement.ts'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { found, type RouteResponse } from '../../../http/routing/responses.ts'
import { updateEvent, updateValues } from '../../contests/events/rules.ts'
import { thaw } from '../../contests/standings/thaw-steps.ts'
import { changeManagedEvent } from '../../shared/access/change-event.ts'
import { notStaff } from '../../shared/access/refusals.ts'
import type { Collection } from './collection.ts'
import { readWriter } from './contest-sql.ts'
import { respondWithSingleton } from './read-objects.ts'
import type { ContestChange } from './write-schemas.ts'

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

/** Why a start is not moved. */
const REFUSALS = ['ended', 'started', 'too_soon', 'too_late'] as const

type StartRefusal = (typeof REFUSALS)[number]

/** The form that validation gives to instants. */
const instant = (moment: string) => `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const FIRST_INSTANT = `timestamptz '0001-01-01 00:00:00Z'`
const LAST_YEAR_END = `timestamptz '10000-01-01 00:00:00Z'`

/**
 * After `lockManagedEvent`. The same difference moves the other times of a contest. The moved times
 * have meaning only without a refusal.
 */
const readMovedTimes = actorStatement({
  name: 'read_moved_contest_times',
  params: { event_id: 'integer', start_time: 'timestamptz' },
  columns: {
    ...{ start_time: 'text', end_time: 'text', freeze_time: 'text | null' },
    refusal: oneOf(...REFUSALS, null),
  },
  select: `
      select case
               when events.end_time <= events.start_time then 'ended'
               when events.start_time <= clock_timestamp() + interval '30 seconds' then 'started'
               when :start_time <= clock_timestamp() + interval '30 seconds' then 'too_soon'
               when ${LAST_YEAR_END} <= events.end_time + (:start_time - events.start_time) then 'too_late'
             end as refusal,
             ${instant(':start_time')} as start_time,
             ${instant('(events.end_time + (:start_time - events.start_time))')} as end_time,
             case when events.freeze_time is not null
                    then ${instant(`greatest(events.freeze_time + (:start_time - events.start_time), ${FIRST_INSTANT})`)}
             end as freeze_time
      from events
      where events.id = :event_id`,
})

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

/** Whether a time has passed by the clock of the database. */
const hasPassed = actorStatement({
  name: 'has_passed',
  params: { moment: 'timestamptz' },
  columns: { has_passed: 'boolean' },
  select: `
      select :moment <= clock_timestamp() as has_passed`,
})

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
