import { type Queryable, statement } from '../src/db/database.ts'
import { recountCells } from '../test/contests/recount-cells.ts'
import type { Submitted } from './load.ts'
import type { Standings } from './standings.ts'
import type { Worker } from './worker.ts'

/** What the clients and the workers have seen, to be held against the database. */
export interface Evidence {
  readonly submitted: readonly Submitted[]
  readonly worker: Worker
  readonly eventId: number
  /** What the service said of the contest at the end. */
  readonly standings: Standings
}

export interface Finding {
  /** What is wrong, in words. */
  readonly what: string
  readonly ids: readonly string[]
}

type StoredSubmission = {
  id: string
  marker: string
  status: string
  time_elapsed: number
  attempt: number
  verdict_attempt: number
  is_judged: boolean
  replaced: number
  newest_replaced: number
}

const readSubmissions = statement<StoredSubmission>(
  'faults_read_submissions',
  `select submissions.id::text,
          substring(submissions.source_code from '^// (\\S+)') as marker,
          submissions.status,
          submissions.time_elapsed,
          submissions.attempt,
          submissions.verdict_attempt,
          submissions.judged_at is not null as is_judged,
          count(verdicts.id)::integer as replaced,
          coalesce(max(verdicts.attempt), 0)::integer as newest_replaced
   from submissions
   left join verdicts on verdicts.submission_id = submissions.id
   group by submissions.id`,
)

const readOutbox = statement<{ id: string }>(
  'faults_read_outbox',
  'select outbox.subject_id::text as id from outbox',
)

/** Holds the whole database against what was seen; answers all that is wrong. */
export async function checkDatabase(db: Queryable, evidence: Evidence): Promise<Finding[]> {
  const stored = await db.query(readSubmissions)
  const outbox = await db.query(readOutbox)
  return keepWrong([
    ...findLost(stored, evidence.submitted),
    find(
      'without a verdict',
      stored.filter(({ status }) => status === 'PENDING'),
    ),
    { what: 'still in the outbox', ids: outbox.map(({ id }) => id) },
    ...findRepeated(stored, evidence.submitted),
    ...findWrongVerdicts(stored, evidence),
    ...(await findWrongStandings(db, evidence)),
  ])
}

/** What clients saw a 201 for and the database does not have, or has in another client's name. */
export function findLost(
  stored: readonly Pick<StoredSubmission, 'id' | 'marker'>[],
  submitted: readonly Submitted[],
): Finding[] {
  const markers = new Map(stored.map(({ id, marker }) => [id, marker]))
  const acknowledged = submitted.flatMap(({ id, marker }) => (id === undefined ? [] : [{ id, marker }]))
  return keepWrong([
    find(
      'LOST: acknowledged with 201 and not in the database',
      acknowledged.filter(({ id }) => !markers.has(id)),
    ),
    find(
      'acknowledged with the id of another submission',
      acknowledged.filter(({ id, marker }) => markers.has(id) && markers.get(id) !== marker),
    ),
  ])
}

function findRepeated(stored: readonly StoredSubmission[], submitted: readonly Submitted[]): Finding[] {
  const sent = new Set(submitted.map(({ marker }) => marker))
  const seen = new Set<string>()
  const isAgain = ({ marker }: StoredSubmission) => seen.size === seen.add(marker).size
  return [
    find('sent once, or with one Idempotency-Key, and stored twice', stored.filter(isAgain)),
    find(
      'stored and sent by nobody',
      stored.filter(({ marker }) => !sent.has(marker)),
    ),
  ]
}

/** One verdict stands, it is one that the worker sent, and there is a history only of verdicts that it sent besides. */
function findWrongVerdicts(stored: readonly StoredSubmission[], { worker, submitted }: Evidence): Finding[] {
  const judged = stored.filter(({ status }) => status !== 'PENDING')
  const right = new Map(submitted.map(({ marker, verdict }) => [marker, verdict]))
  const isSent = ({ id, status, time_elapsed, verdict_attempt }: StoredSubmission) =>
    worker.kind === 'instant'
      ? (worker.verdicts.get(id) ?? []).some(
          (verdict) =>
            verdict.status === status &&
            verdict.time_elapsed === time_elapsed &&
            verdict.attempt === verdict_attempt,
        )
      : true
  const isRight = ({ marker, status }: StoredSubmission) =>
    worker.kind === 'instant' || right.get(marker) === status
  const mayReplace = ({ id }: StoredSubmission) =>
    worker.kind === 'instant' ? Math.max(0, (worker.verdicts.get(id)?.length ?? 0) - 1) : 1
  return [
    find(
      'with a verdict that no worker has sent',
      judged.filter((row) => !isSent(row)),
    ),
    find(
      'with another verdict than its program has earned',
      judged.filter((row) => !isRight(row)),
    ),
    find(
      'with a verdict and no time of it',
      judged.filter(({ is_judged }) => !is_judged),
    ),
    find(
      'with a verdict of an attempt that never was',
      judged.filter((row) => row.verdict_attempt > row.attempt),
    ),
    find(
      'with a verdict older than one that it replaced',
      judged.filter((row) => row.newest_replaced > row.verdict_attempt),
    ),
    find(
      'with a history of verdicts that were not sent',
      judged.filter((row) => row.replaced > mayReplace(row)),
    ),
  ]
}

type StoredCell = { cell: string; is_right: boolean }

const compareOutcomes = statement<StoredCell>(
  'faults_compare_outcomes',
  `select coalesce(event_scores.user_id, recount.user_id) || ' / ' || coalesce(event_scores.problem_id, recount.problem_id) as cell,
          coalesce(event_scores.outcomes = recount.outcomes, false) as is_right
   from (select * from event_scores where event_scores.event_id = $1) as event_scores
   full join (
     select submissions.user_id, submissions.problem_id,
            jsonb_object_agg(submissions.id::text, jsonb_build_array(
              (extract(epoch from submissions.submit_time) * 1000000)::bigint, submissions.status)) as outcomes
     from submissions
     where submissions.event_id = $1
     group by submissions.user_id, submissions.problem_id
   ) as recount on recount.user_id = event_scores.user_id and recount.problem_id = event_scores.problem_id`,
)

const countParticipants = statement<{ wrong: number }>(
  'faults_count_participants',
  `select count(*)::integer as wrong
   from (select distinct submissions.user_id from submissions where submissions.event_id = $1) as submitters
   full join (select * from event_participants where event_participants.event_id = $1) as participants
     on participants.user_id = submitters.user_id
   where participants.user_id is null or submitters.user_id is null`,
)

/** The cells as they are stored, and what the service said of them, against a recount from the submissions (D35). */
async function findWrongStandings(db: Queryable, { eventId, standings }: Evidence): Promise<Finding[]> {
  const outcomes = await db.query(compareOutcomes, [eventId])
  const [participants] = await db.query(countParticipants, [eventId])
  const cells = await recountCells(db, eventId)
  const recounted = cells.map((cell) => JSON.stringify(Object.entries(cell).sort()))
  const told = standings.attempts.map((cell) => JSON.stringify(Object.entries(cell).sort()))
  const wrongProblems = standings.problems.filter(({ problem_id, accepted_count, attempted_count }) => {
    const ofProblem = cells.filter((cell) => cell.problem_id === problem_id)
    const accepted = ofProblem.filter((cell) => cell.first_accepted_time !== undefined)
    return attempted_count !== ofProblem.length || accepted_count !== accepted.length
  })
  return [
    {
      what: 'cell of the standings other than a recount',
      ids: outcomes.filter(({ is_right }) => !is_right).map(({ cell }) => cell),
    },
    { what: 'cell told that a recount does not have', ids: told.filter((cell) => !recounted.includes(cell)) },
    { what: 'cell of a recount that is not told', ids: recounted.filter((cell) => !told.includes(cell)) },
    {
      what: 'problem of the contest counted wrong',
      ids: wrongProblems.map(({ problem_id }) => String(problem_id)),
    },
    {
      what: 'people of the contest other than those who submitted',
      ids: participants?.wrong ? [`${participants.wrong} of them`] : [],
    },
  ]
}

function find(what: string, rows: readonly { readonly id: string }[]): Finding {
  return { what, ids: rows.map(({ id }) => id) }
}

function keepWrong(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ ids }) => ids.length > 0)
}
