import type { Queryable } from '../src/db/database.ts'
import { unprepared } from '../src/db/statement.ts'

type Submission = {
  id: string
  user_id: string
  problem_id: number
  status: string
  submitted: string
  start: string
}

// Microseconds since 1970, as text: no more and no less than the database keeps.
const selectSubmissions =
  unprepared<Submission>(`select submissions.id::text, submissions.user_id::text, submissions.problem_id, submissions.status,
          (extract(epoch from submissions.submit_time) * 1000000)::bigint::text as submitted,
          (extract(epoch from events.start_time) * 1000000)::bigint::text as start
   from submissions
   join events on events.id = submissions.event_id
   where submissions.event_id = $1
   order by submissions.submit_time, submissions.id`)

const NOT_COUNTED = ['PENDING', 'COMPILE_TIME_ERROR', 'INTERNAL_ERROR']

/** One cell as D35 wants it, from its submissions in the order in which they were made. */
function recountCell(submissions: readonly Submission[]) {
  const accepted = submissions.findIndex(({ status }) => status === 'ACCEPTED')
  const upToAccepted = accepted < 0 ? submissions : submissions.slice(0, accepted + 1)
  const counted = upToAccepted.filter(({ status }) => !NOT_COUNTED.includes(status))
  const first = submissions[accepted]
  const [{ user_id = '', problem_id = 0 } = {}] = submissions
  return {
    user_id,
    problem_id,
    attempts: counted.length,
    total_attempts: submissions.length,
    ...(first !== undefined && {
      first_accepted_time: writeInstant(BigInt(first.submitted)),
      minutes_to_solve: Math.max(0, Number((BigInt(first.submitted) - BigInt(first.start)) / 60_000_000n)),
    }),
  }
}

function writeInstant(microseconds: bigint): string {
  const seconds = new Date(Number(microseconds / 1_000_000n) * 1000).toISOString().slice(0, -5)
  const fraction = (microseconds % 1_000_000n)
    .toString()
    .padStart(6, '0')
    .replace(/(000)?000$/, '')
  return `${seconds}${fraction === '' ? '' : `.${fraction}`}Z`
}

/** The whole standings of an event, counted anew from its submissions. */
export async function recountCells(db: Queryable, eventId: number) {
  const submissions = await db.query(selectSubmissions, [eventId])
  const groups = new Map<string, Submission[]>()
  for (const submission of submissions) {
    const key = `${submission.user_id} ${submission.problem_id}`
    groups.set(key, [...(groups.get(key) ?? []), submission])
  }
  return [...groups.values()]
    .map(recountCell)
    .sort((a, b) => (a.user_id === b.user_id ? a.problem_id - b.problem_id : a.user_id < b.user_id ? -1 : 1))
}
