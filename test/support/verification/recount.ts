import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '../../../src/db/database.ts'
import { unprepared } from '../../../src/db/statement.ts'

type Submission = {
  id: string
  user_id: string
  problem_id: number
  status: string
  score: number | null
  submitted: string
  start: string
  end: string
}

type StoredCell = {
  user_id: string
  problem_id: number
  attempts: number
  total_attempts: number
  accepted: string | null
  outcomes: string
}

const NOT_COUNTED = ['PENDING', 'COMPILE_TIME_ERROR', 'INTERNAL_ERROR']

// Microseconds since 1970 as text: the precision of the database.
const microseconds = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint::text`

// The end of the contest for the user; 0 for people and problems that are not in the standings.
const submissionsSql = (eventId: number) =>
  `select submissions.id::text, submissions.user_id::text, submissions.problem_id, submissions.status,
          submissions.score::float8 as score,
          ${microseconds('submissions.submit_time')} as submitted,
          ${microseconds('events.start_time')} as start,
          case when attached.id is null or its.hidden or its.removed_at is not null then '0'
               else ${microseconds(`(events.end_time + coalesce(its.extra_minutes, 0) * interval '1 minute')`)} end as end
   from submissions
   join events on events.id = submissions.event_id
   left join event_problems as attached
     on attached.event_id = submissions.event_id and attached.problem_id = submissions.problem_id
   left join event_participants as its
     on its.event_id = submissions.event_id and its.user_id = submissions.user_id
   where submissions.event_id = ${eventId}
   order by submissions.submit_time, submissions.id`

const cellsSql = (eventId: number) =>
  `select event_scores.user_id::text, event_scores.problem_id, event_scores.attempts, event_scores.total_attempts,
          ${microseconds('event_scores.first_accepted_time')} as accepted, event_scores.outcomes::text
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

/** Counts one cell as D35 defines it, without submissions after an end that was moved. */
function countCell(submissions: readonly Submission[]) {
  const inTime = submissions.filter(({ submitted, end }) => BigInt(submitted) < BigInt(end))
  const first = inTime.find(({ status }) => status === 'ACCEPTED')
  const isUpTo = ({ submitted }: Submission) =>
    first === undefined || BigInt(submitted) <= BigInt(first.submitted)
  return {
    attempts: inTime.filter((one) => !NOT_COUNTED.includes(one.status) && isUpTo(one)).length,
    total_attempts: inTime.length,
    first,
  }
}

/** Writes microseconds since 1970 as the service does. */
export function writeInstant(microseconds: bigint): string {
  const seconds = new Date(Number(microseconds / 1_000_000n) * 1000).toISOString().slice(0, -5)
  const digits = (microseconds % 1_000_000n).toString().padStart(6, '0')
  const fraction = digits.replace(/(000)?000$/, '')
  return `${seconds}${fraction === '' ? '' : `.${fraction}`}Z`
}

/** Counts the standings of an event from its submissions, in the form and order of the response. */
export async function recountCells(db: Queryable, eventId: number) {
  const cells = [...(await readCells(db, eventId)).values()].map((submissions) => {
    const { first, ...counts } = countCell(submissions)
    const [{ user_id = '', problem_id = 0 } = {}] = submissions
    const solved = first && {
      first_accepted_time: writeInstant(BigInt(first.submitted)),
      minutes_to_solve: Math.max(0, Number((BigInt(first.submitted) - BigInt(first.start)) / 60_000_000n)),
    }
    return { user_id, problem_id, ...counts, ...solved }
  })
  const shown = cells.filter(({ total_attempts }) => total_attempts > 0)
  return shown.sort((a, b) =>
    a.user_id === b.user_id ? a.problem_id - b.problem_id : a.user_id < b.user_id ? -1 : 1,
  )
}

/** The stored cells of an event that differ from a recount, those that are missing included. */
export async function findWrongCells(db: Queryable, eventId: number): Promise<string[]> {
  const cells = await readCells(db, eventId)
  const stored = await db.query(unprepared<StoredCell>(cellsSql(eventId)))
  const wrong = stored.filter((cell) => {
    const submissions = cells.get(keyOf(cell)) ?? []
    cells.delete(keyOf(cell))
    const { first, ...counts } = countCell(submissions)
    const { attempts, total_attempts, accepted, outcomes } = cell
    const expected = submissions.map(({ id, submitted, status, score }) => [
      id,
      score === null ? [Number(submitted), status] : [Number(submitted), status, score],
    ])
    return !isDeepStrictEqual(
      { attempts, total_attempts, accepted, outcomes: JSON.parse(outcomes) },
      { ...counts, accepted: first?.submitted ?? null, outcomes: Object.fromEntries(expected) },
    )
  })
  return [...wrong.map(keyOf), ...cells.keys()]
}
