import { actorStatement } from '../../../db/actor-statement.ts'
import type { RowOf } from '../../../db/statement.ts'
import { found } from '../../../http/routing/responses.ts'
import { lastEnd } from '../../shared/access/contest-times.ts'
import type { Reader } from './notifications.ts'
import { replaceAll, type Touched } from './touched.ts'
import { readsContest } from './visibility.ts'

/** Times in seconds since 1970. `boundaries`: the contest changes then without a write. */
const timesColumns = { now: 'float8', start: 'float8', boundaries: 'float8[]' } as const

export type ContestTimes = RowOf<typeof timesColumns>

/** When a contest starts, freezes, and ends for most and for all. No row: it is not shown. */
const readContestTimes = actorStatement({
  name: 'read_contest_times',
  params: { event_id: 'integer' },
  columns: timesColumns,
  select: `
      select extract(epoch from now())::float8 as now,
             extract(epoch from events.start_time)::float8 as start,
             array(
               select extract(epoch from boundary.moment)::float8
               from (values (events.start_time), (events.freeze_time), (events.end_time), (${lastEnd('events')}))
                 as boundary (moment)
               where boundary.moment is not null) as boundaries
      from events
      where events.id = :event_id and ${readsContest('events')}`,
})

/** Throws NOT_FOUND. */
export async function readTimes({ db, eventId }: Pick<Reader, 'db' | 'eventId'>): Promise<ContestTimes> {
  return found(await db.query(readContestTimes, { event_id: eventId }), 'contest')
}

/** Adds what time alone has changed since `sinceSeconds`. */
export function touchPassed(touched: Touched, times: ContestTimes, sinceSeconds: number): void {
  const hasPassed = (moment: number) => sinceSeconds <= moment && moment <= times.now
  if (times.boundaries.some(hasPassed)) touched.types.add('contest').add('state')
  // The problems appear.
  if (hasPassed(times.start)) replaceAll(touched)
}
