import type { Queryable } from '../../src/db/database.ts'
import { findWrongCells, recountCells } from '../../test/support/verification/recount.ts'
import { recountStandings } from '../../test/support/verification/standings.ts'
import { ask } from '../local-servers/database.ts'
import type { Shadow, Submitted } from './load.ts'
import type { SentVerdict, Worker } from './worker.ts'
import type { Standings, World } from './world.ts'

interface Evidence {
  readonly submitted: readonly Submitted[]
  readonly shadows: readonly Shadow[]
  readonly worker: Pick<Worker, 'kind' | 'deliveries' | 'verdicts'>
  readonly world: Pick<World, 'eventId' | 'problemIds'>
  readonly standings: Standings
}

export interface Finding {
  readonly what: string
  readonly ids: readonly string[]
}

/** Compares the database with the evidence. Returns the errors and the number of lost ids. */
export async function checkDatabase(db: Queryable, evidence: Evidence) {
  const { submitted, shadows } = evidence
  const worker = await withApplied(db, evidence.worker)
  const stored = await ask<StoredSubmission>(db, SUBMISSIONS)
  const outbox = await ask<{ id: string }>(db, 'select outbox.subject_id::text as id from outbox')
  const lost = findLost(stored, submitted)
  const storedShadows = await ask<StoredSubmission>(db, SHADOWS)
  const all = [...stored, ...storedShadows]
  const judged = all.filter(({ status }) => status !== 'PENDING')
  const listed = new Set(evidence.standings.listedIds)
  const findings = [
    lost,
    ...findRepeated(stored, submitted),
    find('without a verdict', all, ({ status }) => status === 'PENDING'),
    { what: 'shadow judgings lost after their 201', ids: findLost(storedShadows, shadows).ids },
    find('shadow judgings among the submissions', storedShadows, ({ id }) => listed.has(id)),
    find('still in the outbox', outbox),
    ...(worker.kind === 'instant' ? findUnsent(judged, worker) : findUnearned(judged, submitted)),
    ...findWrongJudgings(judged),
    ...(await findWrongStandings(db, evidence)),
  ]
  return { lost: lost.ids.length, findings: findings.filter(({ ids }) => ids.length > 0) }
}

/** Finds ids that a client got with a 201 and that are not in the database. */
export function findLost(stored: readonly { readonly id: string }[], submitted: readonly Shadow[]): Finding {
  const ids = new Set(stored.map(({ id }) => id))
  const what = 'LOST: acknowledged with 201, not in the database'
  const acknowledged = submitted.flatMap(({ id }) => id ?? [])
  return { what, ids: acknowledged.filter((id) => !ids.has(id)) }
}

function findRepeated(stored: readonly StoredSubmission[], submitted: readonly Submitted[]): Finding[] {
  const sent = new Set(submitted.map(({ marker }) => marker))
  const seen = new Set<string>()
  const acknowledged = submitted.flatMap(({ id, marker }) => (id === undefined ? [] : [{ id, marker }]))
  const markers = new Map(stored.map(({ id, marker }) => [id, marker]))
  const isRepeated = ({ marker }: StoredSubmission) => seen.size === seen.add(marker).size
  const isOther = ({ id, marker }: { id: string; marker: string }) =>
    markers.has(id) && markers.get(id) !== marker
  return [
    find('acknowledged with the id of another submission', acknowledged, isOther),
    find('sent once or with one Idempotency-Key, stored twice', stored, isRepeated),
    find('stored, not sent', stored, ({ marker }) => !sent.has(marker)),
  ]
}

/** The instant worker reports its verdicts: every stored one must be among them, once. */
function findUnsent(judged: readonly StoredSubmission[], worker: Evidence['worker']): Finding[] {
  const name = ({ judging, status, time_elapsed }: Verdict) => `${judging} ${status} ${time_elapsed}`
  const sent = ({ id }: StoredSubmission) => new Set((worker.verdicts.get(id) ?? []).map(name))
  const isDelivered = ({ id, judging }: StoredSubmission) => worker.deliveries.has(`${id} ${judging}`)
  return [
    find('with a verdict that no worker sent', judged, (row) => !sent(row).has(name(row))),
    find('with a verdict of a judging that was not delivered', judged, (row) => !isDelivered(row)),
    find('with a history of verdicts that were not sent', judged, (row) => {
      const left = sent(row)
      left.delete(name(row))
      return row.history.some((verdict) => !left.delete(name(verdict)))
    }),
  ]
}

/** The real worker reports nothing, but its verdict on a program is always the same. */
function findUnearned(judged: readonly StoredSubmission[], submitted: readonly Submitted[]): Finding[] {
  const right = new Map(submitted.map(({ marker, verdict }) => [marker, verdict]))
  const isWrong = ({ marker, status, history }: StoredSubmission) =>
    [{ status }, ...history].some((verdict) => verdict.status !== right.get(marker))
  return [
    find('with a wrong verdict on the program', judged, isWrong),
    find('judged more than twice', judged, ({ history }) => history.length > 1),
  ]
}

function findWrongJudgings(judged: readonly StoredSubmission[]): Finding[] {
  const isUnknown = ({ judging, newest }: StoredSubmission) => judging < 1 || judging > newest
  const isOlder = ({ judging, history }: StoredSubmission) =>
    history.some((replaced) => replaced.judging > judging)
  return [
    find('with a verdict without a time', judged, ({ is_judged }) => !is_judged),
    find('with a verdict of a judging that was never queued', judged, isUnknown),
    find('with a verdict older than a replaced one', judged, isOlder),
  ]
}

/** Compares the stored cells and the responses with a recount (D35). */
async function findWrongStandings(db: Queryable, { world, standings }: Evidence): Promise<Finding[]> {
  const { eventId, problemIds } = world
  const cells = await recountCells(db, eventId)
  const rows = await recountStandings(db, eventId, { by: 'user', isLive: false })
  const problems = problemIds.map((problem_id) => {
    const ofProblem = cells.filter((cell) => cell.problem_id === problem_id)
    const accepted = ofProblem.filter((cell) => 'first_accepted_time' in cell)
    return `${problem_id}: ${accepted.length} of ${ofProblem.length}`
  })
  const sentProblems = standings.problems.map(
    ({ problem_id, accepted_count, attempted_count }) =>
      `${problem_id}: ${accepted_count} of ${attempted_count}`,
  )
  return [
    { what: 'stored cells that differ from a recount', ids: await findWrongCells(db, eventId) },
    ...compare('cells', standings.attempts.map(write), cells.map(write)),
    ...compare('problem statistics', sentProblems, problems),
    ...compare('rows of the scoreboard', standings.rows.map(write), rows.map(write)),
    find('participants who differ from those who submitted', await readWrongParticipants(db, eventId)),
  ]
}

const readWrongParticipants = (db: Queryable, eventId: number) =>
  ask<{ id: string }>(
    db,
    `select coalesce(participants.user_id, submitters.user_id)::text as id
     from (select distinct submissions.user_id from submissions where submissions.event_id = ${eventId}) as submitters
     full join (select * from event_participants where event_participants.event_id = ${eventId}) as participants
       on participants.user_id = submitters.user_id
     where participants.user_id is null or submitters.user_id is null`,
  )

/** JSON with the keys of every object in one order. */
const write = (value: object) =>
  JSON.stringify(value, (_, inner) => (isRecord(inner) ? sortKeys(inner) : inner))

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const sortKeys = (record: object) => Object.fromEntries(Object.entries(record).sort())

const compare = (what: string, sent: readonly string[], counted: readonly string[]): Finding[] => [
  { what: `${what} in the response, not in a recount`, ids: subtract(sent, counted) },
  { what: `${what} of a recount, not in the response`, ids: subtract(counted, sent) },
]

/** Removes the items of the second list from the first, as often as they occur. */
function subtract(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other]
  return list.filter((item) => {
    const found = left.indexOf(item)
    if (found >= 0) left.splice(found, 1)
    return found < 0
  })
}

export function find<Record extends { readonly id: string | number }>(
  what: string,
  records: readonly Record[],
  isWrong: (record: Record) => boolean = () => true,
): Finding {
  return { what, ids: records.filter(isWrong).map(({ id }) => `${id}`) }
}

type Verdict = Omit<SentVerdict, 'id'>

type StoredSubmission = Verdict & {
  id: string
  marker: string
  /** The newest judging. `judging` belongs to the stored verdict. */
  newest: number
  is_judged: boolean
  history: Verdict[]
}

const select = (table: string, history: string) => `
  select ${table}.id::text, substring(${table}.source_code from '^// (\\S+)') as marker, ${table}.status,
         ${table}.time_elapsed, ${table}.attempt as newest, ${table}.verdict_attempt as judging,
         ${table}.judged_at is not null as is_judged, ${history} as history
  from ${table}`

const HISTORY = `(
    select coalesce(json_agg(json_build_object(
             'judging', verdicts.attempt, 'status', verdicts.status, 'time_elapsed', verdicts.time_elapsed)), '[]')
    from verdicts
    where verdicts.submission_id = submissions.id)`

const SUBMISSIONS = select('submissions', HISTORY)
/** The service keeps no replaced verdicts of shadow judgings. */
const SHADOWS = select('shadow_judgings', `'[]'::json`)

/** The items of decisions with the verdict of their shadow judging. */
export const ITEMS = `rejudging_items as items
  join rejudging_decisions as decision on decision.id = items.decision_id
  join shadow_judgings as shadows on shadows.id = items.shadow_judging_id`

/** SQL condition: the verdict of an item was applied. */
export const IS_APPLIED = `(decision.state = 'APPLIED' and items.outcome = 'CHANGED')`

type Applied = { id: string; judging: number; status: string; time_elapsed: number; delivery: string }

const APPLIED = `
  select items.submission_id::text as id, items.attempt + 1 as judging, shadows.status, shadows.time_elapsed,
         shadows.id || ' ' || shadows.verdict_attempt as delivery
  from ${ITEMS}
  where ${IS_APPLIED}`

/** What a worker sent, with the verdicts that rejudgings gave to submissions. */
export async function withApplied(
  db: Queryable,
  { kind, verdicts, deliveries }: Pick<Worker, 'kind' | 'verdicts' | 'deliveries'>,
) {
  const all = { kind, verdicts: new Map(verdicts), deliveries: new Map(deliveries) }
  for (const { delivery, ...verdict } of await ask<Applied>(db, APPLIED)) {
    all.verdicts.set(verdict.id, [...(all.verdicts.get(verdict.id) ?? []), verdict])
    const times = deliveries.get(delivery)
    if (times !== undefined) all.deliveries.set(`${verdict.id} ${verdict.judging}`, times)
  }
  return all
}
