import type { Queryable } from '../../../src/db/database.ts'
import { unprepared } from '../../../src/db/statement.ts'
import { countAttempts, micros, minutesAfter, writeInstant } from './recount.ts'

/** Whom the rows rank, and whether submissions since the freeze count (P22, P23). */
export interface StandingsView {
  readonly by: 'user' | 'team'
  readonly isLive: boolean
}

interface Submission {
  readonly user_id: string
  readonly team_id: string | null
  readonly problem_id: number
  readonly status: string
  readonly score: number | null
  /** Microseconds since 1970. */
  readonly at: number
  /** Since the freeze, and neither thawed nor revealed. */
  readonly is_frozen: boolean
}

/** `at_end`: the name at the end of the contest; null or absent: it is the same. */
interface Owner {
  readonly id: string
  readonly name: string
  readonly at_end?: string | null
}

/** The records of a contest that its standings depend on. */
export interface Contest {
  readonly start: number
  readonly penalty: number
  readonly has_points: boolean
  readonly people: readonly Owner[]
  readonly teams: readonly Owner[]
  readonly problems: readonly number[]
  readonly submissions: readonly Submission[]
}

/** Somebody may still submit: nothing is thawed (P23). */
const IS_OPEN = `exists (
                 select from event_participants as last
                 where last.event_id = events.id and last.removed_at is null and clock_timestamp()
                   < events.end_time + coalesce(last.extra_minutes, 0) * interval '1 minute')`

/** Who registered after the end is not ranked (D34). */
const IS_RANKED = '(not hidden and removed_at is null and coalesce(registered_at < end_time, true))'

/** Only the records of the contest: no cell, and of what triggers wrote the names at the end. */
const selectContest = unprepared<{ contest: Contest }>(`
  select json_build_object(
    'start', ${micros('events.start_time')},
    'penalty', coalesce(events.penalty_minutes, 20),
    'has_points', coalesce(events.scoring, 'icpc') = 'points',
    'people', (select coalesce(json_agg(json_build_object('id', users.id, 'name', users.name, 'at_end', name_at_end)), '[]')
               from event_participants join users on users.id = event_participants.user_id
               where event_id = events.id and ${IS_RANKED}),
    'teams', (select coalesce(json_agg(json_build_object('id', teams.id, 'name', teams.name, 'at_end', name_at_end)), '[]') from teams
              where event_id = events.id and exists (
                select from event_participants where team_id = teams.id and ${IS_RANKED})),
    'problems', (select coalesce(json_agg(problem_id order by position nulls last, event_problems.id), '[]')
                 from event_problems join problems on problems.id = problem_id
                 where event_id = events.id and not hidden and deleted_at is null),
    'submissions', (
      select coalesce(json_agg(json_build_object(
               'user_id', submissions.user_id, 'team_id', its.team_id, 'problem_id', submissions.problem_id,
               'status', submissions.status, 'score', submissions.score, 'at', ${micros('submissions.submit_time')},
               'is_frozen', coalesce(submissions.submit_time >= events.freeze_time, false)
                 and (${IS_OPEN} or events.thawed_at is null and not exists (
                   select from event_reveals
                   where event_id = events.id and user_id = submissions.user_id
                     and problem_id = submissions.problem_id)))), '[]')
      from submissions
      join event_participants as its on its.event_id = submissions.event_id and its.user_id = submissions.user_id
      where submissions.event_id = events.id and not its.hidden and its.removed_at is null
        and submissions.submit_time < events.end_time + coalesce(its.extra_minutes, 0) * interval '1 minute')
  ) as contest
  from events
  where events.id = $1`)

export async function readContest(db: Queryable, eventId: number): Promise<Contest> {
  const [row] = await db.query(selectContest, [eventId])
  if (row === undefined) throw new Error(`there is no event ${eventId}`)
  return row.contest
}

/** Counts the rows of the standings from the submissions, in the form and order of the response. */
export function countStandings(contest: Contest, { by, isLive }: StandingsView) {
  const ownerOf = ({ user_id, team_id }: Submission) => (by === 'user' ? user_id : team_id)
  const rows = contest[by === 'user' ? 'people' : 'teams'].map((owner) => {
    const cells = contest.problems.flatMap((problem) => {
      const own = contest.submissions.filter((one) => ownerOf(one) === owner.id && one.problem_id === problem)
      return own.length === 0 ? [] : [countCell(contest, problem, own.map(isLive ? same : hidden))]
    })
    const solved = cells.filter(({ at }) => at !== undefined)
    const penalties = solved.map(({ minutes = 0, tries }) => minutes + (tries - 1) * contest.penalty)
    return {
      owner,
      cells,
      solved: solved.length,
      points: sum(cells.map(({ best }) => best)),
      penalty: sum(penalties),
      last: Math.max(Number.NEGATIVE_INFINITY, ...solved.map(({ at = 0 }) => at)),
      lastMinute: Math.max(-1, ...solved.map(({ minutes = 0 }) => minutes)),
    }
  })
  const value = (row: (typeof rows)[number]) => (contest.has_points ? row.points : row.solved)
  const order = (a: (typeof rows)[number], b: (typeof rows)[number]) =>
    Math.sign(value(b) - value(a)) || a.penalty - b.penalty || a.lastMinute - b.lastMinute
  rows.sort((a, b) => order(a, b) || byName(a.owner, b.owner))
  return rows.map((row) => ({
    rank: 1 + rows.findIndex((other) => order(row, other) === 0),
    [by]: { id: row.owner.id, name: row.owner.name },
    solved: row.solved,
    ...(contest.has_points && { points: row.points }),
    penalty: row.penalty,
    ...(row.solved > 0 && { last_accepted: writeInstant(row.last) }),
    cells: row.cells.map(({ at, best: _, waits: __, ...cell }) => ({
      ...cell,
      ...(at !== undefined &&
        rows
          .flatMap((other) => other.cells.filter((one) => one.problem_id === cell.problem_id))
          .every((one) => (one.at ?? at) >= at && one.waits.every((sent) => sent >= at)) && {
          first: true as const,
        }),
    })),
  }))
}

export const recountStandings = async (db: Queryable, eventId: number, view: StandingsView) =>
  countStandings(await readContest(db, eventId), view)

/** As the Contest API orders names; equal ones by their ids. */
const byName = (a: Owner, b: Owner) =>
  (a.at_end ?? a.name).localeCompare(b.at_end ?? b.name, 'en-US') ||
  Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))
const same = (submission: Submission) => submission
const hidden = (submission: Submission): Submission =>
  submission.is_frozen ? { ...submission, status: 'PENDING', score: null } : submission
const sum = (numbers: readonly number[]) =>
  Math.round(numbers.reduce((total, one) => total + one, 0) * 100) / 100

function countCell(contest: Contest, problem_id: number, submissions: readonly Submission[]) {
  const { at, attempts } = countAttempts(submissions)
  const scores = submissions.flatMap(({ score }) => score ?? [])
  const best = Math.max(0, ...scores)
  return {
    problem_id,
    tries: attempts,
    pending: submissions.filter(({ status }) => status === 'PENDING').length,
    ...(at !== undefined && { minutes: minutesAfter(contest.start, at) }),
    ...(contest.has_points && scores.length > 0 && { score: best }),
    ...{ at, best },
    /** When submissions without a shown verdict were sent. */
    waits: submissions.filter(({ status }) => status === 'PENDING').map(({ at }) => at),
  }
}
