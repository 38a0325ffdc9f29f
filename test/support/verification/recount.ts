import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '../../../src/db/database.ts'
import { unprepared } from '../../../src/db/statement.ts'

type Submission = {
  id: string
  user_id: string
  problem_id: number
  status: string
  score: number | null
  /** Microseconds since 1970, as the following ones. */
  at: number
  start: number
  end: number
}

type StoredCell = {
  user_id: string
  problem_id: number
  counted_until: number | null
  outcomes: string
}

const NOT_COUNTED = ['PENDING', 'COMPILE_TIME_ERROR', 'INTERNAL_ERROR']

/** SQL for the microseconds since 1970: the precision of the database. */
export const micros = (time: string) => `(extract(epoch from ${time}) * 1000000)::float8`

// The end of the contest for the user; 0 for people and problems that are not in the standings.
const submissionsSql = (eventId: number) =>
  `select submissions.id::text, submissions.user_id::text, submissions.problem_id, submissions.status,
          submissions.score::float8 as score,
          ${micros('submissions.submit_time')} as at,
          ${micros('events.start_time')} as start,
          case when attached.id is null or its.hidden or its.removed_at is not null then 0
               else ${micros(`(events.end_time + coalesce(its.extra_minutes, 0) * interval '1 minute')`)} end as end
   from submissions
   join events on events.id = submissions.event_id
   left join event_problems as attached
     on attached.event_id = submissions.event_id and attached.problem_id = submissions.problem_id
   left join event_participants as its
     on its.event_id = submissions.event_id and its.user_id = submissions.user_id
   where submissions.event_id = ${eventId}
   order by submissions.submit_time, submissions.id`

const cellsSql = (eventId: number) =>
  `select event_scores.user_id::text, event_scores.problem_id, event_scores.outcomes::text,
          ${micros('event_scores.counted_until')} as counted_until
   from event_scores
   where event_scores.event_id = ${eventId}`

const keyOf = ({ user_id, problem_id }: Pick<Submission, 'user_id' | 'problem_id'>) =>
  `${user_id} / ${problem_id}`

/** The submissions of each cell in their order. */
async function readCells(db: Queryable, eventId: number): Promise<Map<string, Submission[]>> {
  const cells = new Map<string, Submission[]>()
  for (const submission of await db.query(unprepared<Submission>(submissionsSql(eventId)))) {
    const key = keyOf(submission)
    cells.set(key, [...(cells.get(key) ?? []), submission])
  }
  return cells
}

/** The time of a cell's first solution, and its number of attempts up to then (D35). */
export function countAttempts(submissions: readonly Pick<Submission, 'status' | 'at'>[]) {
  const accepted = submissions.filter(({ status }) => status === 'ACCEPTED').map(({ at }) => at)
  const at = accepted.length === 0 ? undefined : Math.min(...accepted)
  const counted = submissions.filter((one) => !NOT_COUNTED.includes(one.status) && one.at <= (at ?? one.at))
  return { at, attempts: counted.length }
}

/** Whole minutes from the start of a contest to a submission. */
export const minutesAfter = (start: number, at: number) => Math.max(0, Math.floor((at - start) / 60e6))

/** Counts one cell without submissions after an end that was moved. */
function countCell(submissions: readonly Submission[]) {
  const inTime = submissions.filter(({ at, end }) => at < end)
  return { ...countAttempts(inTime), total_attempts: inTime.length }
}

/** Writes microseconds since 1970 as the service does. */
export function writeInstant(micros: number): string {
  const seconds = new Date(Math.floor(micros / 1e6) * 1000).toISOString().slice(0, -5)
  const fraction = String(micros % 1e6)
    .padStart(6, '0')
    .replace(/(000)?000$/, '')
  return `${seconds}${fraction === '' ? '' : `.${fraction}`}Z`
}

/** Counts the standings of an event from its submissions, in the form and order of the response. */
export async function recountCells(db: Queryable, eventId: number) {
  const cells = [...(await readCells(db, eventId)).values()].map((submissions) => {
    const { at, ...counts } = countCell(submissions)
    const [{ user_id = '', problem_id = 0, start = 0 } = {}] = submissions
    const solved = at !== undefined && {
      first_accepted_time: writeInstant(at),
      minutes_to_solve: minutesAfter(start, at),
    }
    return { user_id, problem_id, ...counts, ...solved }
  })
  const shown = cells.filter(({ total_attempts }) => total_attempts > 0)
  return shown.sort((a, b) =>
    a.user_id === b.user_id ? a.problem_id - b.problem_id : a.user_id < b.user_id ? -1 : 1,
  )
}

/**
 * The stored cells of an event that differ from their submissions or count other ones, those that
 * are missing included.
 */
export async function findWrongCells(db: Queryable, eventId: number): Promise<string[]> {
  const cells = await readCells(db, eventId)
  const stored = await db.query(unprepared<StoredCell>(cellsSql(eventId)))
  const wrong = stored.filter((cell) => {
    const submissions = cells.get(keyOf(cell)) ?? []
    cells.delete(keyOf(cell))
    const outcomes = submissions.map(({ id, at, status, score }) => [
      id,
      score === null ? [at, status] : [at, status, score],
    ])
    const isBound = submissions.every(({ at, end }) => at < end === at < (cell.counted_until ?? 0))
    return !isBound || !isDeepStrictEqual(JSON.parse(cell.outcomes), Object.fromEntries(outcomes))
  })
  return [...wrong.map(keyOf), ...cells.keys()]
}
