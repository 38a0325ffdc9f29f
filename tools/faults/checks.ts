import { type Queryable, statement } from '../../src/db/database.ts'
import { recountCells } from '../../verification/recount.ts'
import type { Contest } from './contest.ts'
import type { Submitted } from './load.ts'
import type { Standings } from './standings.ts'
import type { Worker } from './worker.ts'
import type { WrittenVerdict } from './worker-events.ts'

/** What the clients and the workers have seen, to be held against the database. */
export interface Evidence {
  readonly submitted: readonly Submitted[]
  readonly worker: Pick<Worker, 'kind' | 'deliveries' | 'verdicts'>
  readonly contest: Pick<Contest, 'eventId' | 'problemIds'>
  /** What the service said of the contest at the end. */
  readonly standings: Standings
}

/** Something that is wrong, and with what. */
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
  /** The verdicts that others replaced. */
  history: Omit<WrittenVerdict, 'id'>[]
}

/** What the database came to. */
export interface Verdict {
  /** How many that a client saw a 201 for are not there. */
  readonly lost: number
  readonly findings: readonly Finding[]
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
          (
            select coalesce(json_agg(json_build_object(
                     'attempt', verdicts.attempt, 'status', verdicts.status, 'time_elapsed', verdicts.time_elapsed)), '[]')
            from verdicts
            where verdicts.submission_id = submissions.id
          ) as history
   from submissions`,
)

const readOutbox = statement<{ id: string }>(
  'faults_read_outbox',
  'select outbox.subject_id::text as id from outbox',
)

/** Holds the whole database against what was seen; answers all that is wrong. */
export async function checkDatabase(db: Queryable, evidence: Evidence): Promise<Verdict> {
  const stored = await db.query(readSubmissions)
  const outbox = await db.query(readOutbox)
  const lost = findLost(stored, evidence.submitted)
  const findings = [
    lost,
    findForeign(stored, evidence.submitted),
    find(
      'without a verdict',
      stored.filter(({ status }) => status === 'PENDING'),
    ),
    { what: 'still in the outbox', ids: outbox.map(({ id }) => id) },
    ...findRepeated(stored, evidence.submitted),
    ...findWrongVerdicts(stored, evidence),
    ...(await findWrongStandings(db, evidence)),
  ]
  return { lost: lost.ids.length, findings: findings.filter(({ ids }) => ids.length > 0) }
}

/** What clients saw a 201 for and the database does not have. */
export function findLost(
  stored: readonly Pick<StoredSubmission, 'id'>[],
  submitted: readonly Submitted[],
): Finding {
  const ids = new Set(stored.map(({ id }) => id))
  return find(
    'LOST: acknowledged with 201 and not in the database',
    listAcknowledged(submitted).filter(({ id }) => !ids.has(id)),
  )
}

function findForeign(stored: readonly StoredSubmission[], submitted: readonly Submitted[]): Finding {
  const markers = new Map(stored.map(({ id, marker }) => [id, marker]))
  return find(
    'acknowledged with the id of another submission',
    listAcknowledged(submitted).filter(({ id, marker }) => markers.has(id) && markers.get(id) !== marker),
  )
}

function listAcknowledged(submitted: readonly Submitted[]): { id: string; marker: string }[] {
  return submitted.flatMap(({ id, marker }) => (id === undefined ? [] : [{ id, marker }]))
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

/** One verdict stands, it is one that the worker sent, and so is each one that it replaced. */
function findWrongVerdicts(stored: readonly StoredSubmission[], { worker, submitted }: Evidence): Finding[] {
  const judged = stored.filter(({ status }) => status !== 'PENDING')
  const findJudged = (what: string, isWrong: (row: StoredSubmission) => boolean) =>
    find(what, judged.filter(isWrong))
  const newestReplaced = ({ history }: StoredSubmission) =>
    Math.max(0, ...history.map(({ attempt }) => attempt))
  return [
    ...(worker.kind === 'instant' ? findUnsent(judged, worker) : findUnearned(judged, submitted)),
    findJudged('with a verdict and no time of it', ({ is_judged }) => !is_judged),
    findJudged(
      'with a verdict of an attempt that was never queued',
      ({ verdict_attempt, attempt }) => verdict_attempt < 1 || verdict_attempt > attempt,
    ),
    findJudged(
      'with a verdict older than one that it replaced',
      (row) => newestReplaced(row) > row.verdict_attempt,
    ),
  ]
}

/** The instant worker makes each verdict up and tells it: all that is stored is among those, each of them once. */
function findUnsent(judged: readonly StoredSubmission[], worker: Evidence['worker']): Finding[] {
  const name = ({ attempt, status, time_elapsed }: Omit<WrittenVerdict, 'id'>) =>
    `${attempt} ${status} ${time_elapsed}`
  const standing = ({ verdict_attempt, status, time_elapsed }: StoredSubmission) =>
    name({ attempt: verdict_attempt, status, time_elapsed })
  const sent = ({ id }: StoredSubmission) => new Set((worker.verdicts.get(id) ?? []).map(name))
  const isUndelivered = ({ id, verdict_attempt }: StoredSubmission) =>
    !worker.deliveries.has(`${id} ${verdict_attempt}`)
  const hasUnsentHistory = (row: StoredSubmission) => {
    const left = sent(row)
    left.delete(standing(row))
    return row.history.some((verdict) => !left.delete(name(verdict)))
  }
  return [
    find(
      'with a verdict that no worker has sent',
      judged.filter((row) => !sent(row).has(standing(row))),
    ),
    find('with a verdict of an attempt that no worker was delivered', judged.filter(isUndelivered)),
    find('with a history of verdicts that were not sent', judged.filter(hasUnsentHistory)),
  ]
}

/** The real worker tells nothing, but each of its verdicts on a program is the same. */
function findUnearned(judged: readonly StoredSubmission[], submitted: readonly Submitted[]): Finding[] {
  const right = new Map(submitted.map(({ marker, verdict }) => [marker, verdict]))
  return [
    find(
      'with another verdict than its program has earned',
      judged.filter(({ marker, status, history }) =>
        [{ status }, ...history].some((verdict) => verdict.status !== right.get(marker)),
      ),
    ),
    find(
      'judged more than twice',
      judged.filter(({ history }) => history.length > 1),
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
async function findWrongStandings(db: Queryable, { contest, standings }: Evidence): Promise<Finding[]> {
  const outcomes = await db.query(compareOutcomes, [contest.eventId])
  const [participants] = await db.query(countParticipants, [contest.eventId])
  const cells = await recountCells(db, contest.eventId)
  const recounted = cells.map((cell) => JSON.stringify(Object.entries(cell).sort()))
  const told = standings.attempts.map((cell) => JSON.stringify(Object.entries(cell).sort()))
  const problems = contest.problemIds.map((problem_id) => {
    const ofProblem = cells.filter((cell) => cell.problem_id === problem_id)
    const accepted = ofProblem.filter((cell) => cell.first_accepted_time !== undefined)
    return `${problem_id}: ${accepted.length} of ${ofProblem.length}`
  })
  const toldProblems = standings.problems.map(
    ({ problem_id, accepted_count, attempted_count }) =>
      `${problem_id}: ${accepted_count} of ${attempted_count}`,
  )
  return [
    {
      what: 'cell of the standings other than a recount',
      ids: outcomes.filter(({ is_right }) => !is_right).map(({ cell }) => cell),
    },
    { what: 'cell told that a recount does not have', ids: subtract(told, recounted) },
    { what: 'cell of a recount that is not told', ids: subtract(recounted, told) },
    { what: 'problem of the contest told otherwise than a recount', ids: subtract(toldProblems, problems) },
    { what: 'problem of the contest that is not told as it is', ids: subtract(problems, toldProblems) },
    {
      what: 'people of the contest other than those who submitted',
      ids: participants?.wrong ? [`${participants.wrong} of them`] : [],
    },
  ]
}

/** Those of the first list that the second has not, or not as often. */
function subtract(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other]
  return list.filter((item) => {
    const found = left.indexOf(item)
    if (found >= 0) left.splice(found, 1)
    return found < 0
  })
}

function find(what: string, rows: readonly { readonly id: string }[]): Finding {
  return { what, ids: rows.map(({ id }) => id) }
}
