import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { recountCells } from '../../../test/support/verification/recount.ts'
import { recountStandings } from '../../../test/support/verification/standings.ts'
import { openMigratedDatabase } from '../../local-servers/test/test-database.ts'
import { checkDatabase } from '../checks.ts'
import type { Shadow, Submitted } from '../load.ts'
import type { SentVerdict, Worker } from '../worker.ts'
import type { Standings } from '../world.ts'
import { findAfter } from './find-after.ts'

const [user, stranger, language, twice, once, outside, shadow] = Array.from({ length: 7 }, () => randomUUID())

/** What clients and a worker saw of three submissions. */
const seen = {
  submitted: [] as Submitted[],
  shadows: [{ id: shadow }] as Shadow[],
  standings: {
    attempts: [] as Standings['attempts'][number][],
    problems: [] as Standings['problems'][number][],
    rows: [] as Standings['rows'][number][],
    listedIds: [] as string[],
  },
  worker: {
    kind: 'instant' as Worker['kind'],
    deliveries: new Map<string, number>(),
    verdicts: new Map<string, SentVerdict[]>(),
  },
  world: { eventId: 1, problemIds: [1, 2] },
}
type Seen = typeof seen

const database = await openMigratedDatabase()
const execute = (sql: string) => database.transaction((tx) => tx.execute(sql))

const RECORDS = `
  insert into users (id, name, email, image, join_date)
  values ('${user}', 'user', 'user@example.org', '', now()), ('${stranger}', 'stranger', 's@example.org', '', now());
  insert into problems (user_id, title, identifier, prompt, source, difficulty, public, accept_timeout, execution_timeout, memory_limit)
  select '${user}', 'Problem ' || n, 'problem-' || n, '', '', 'Easy', true, 10, 5, 256 from generate_series(1, 2) as made (n);
  insert into languages (id, name, version, extension) values ('${language}', 'Python', '', 'py');
  insert into events (user_id, title, description, start_time, end_time, teams, languages)
  values ('${user}', 'Event', '', now() - interval '1 hour', now() + interval '1 hour', false, '[]');
  insert into event_problems (event_id, problem_id) values (1, 1), (1, 2);
  insert into event_participants (event_id, user_id) values (1, '${user}');`

/** The replaced verdict of the first submission, and the cell of both in the event. */
const HISTORY_AND_CELLS = `
  insert into verdicts (submission_id, attempt, status, time_elapsed, stdout, stderr, judged_at)
  values ('${twice}', 1, 'WRONG_ANSWER', 0.1, '', '', now());
  insert into event_scores (event_id, user_id, problem_id, outcomes)
  select 1, user_id, problem_id, jsonb_object_agg(id::text, jsonb_build_array(
           (extract(epoch from submit_time) * 1000000)::bigint, status))
  from submissions where event_id = 1 group by user_id, problem_id;`

const SHADOW = `
  insert into shadow_judgings (
    id, requested_by, submission_id, problem_id, language_id, event_id, source_code, status, time_elapsed, judged_at)
  select '${shadow}', user_id, id, problem_id, language_id, event_id, source_code, 'ACCEPTED', 0.6, now()
  from submissions where id = '${once}'`

async function store(id: string, verdict: Submitted['verdict'], time_elapsed: number, eventId?: number) {
  const marker = randomUUID()
  await execute(
    `insert into submissions (id, user_id, problem_id, language_id, source_code, status, time_elapsed, judged_at, event_id)
     values ('${id}', '${user}', 1, '${language}', '// ${marker}', '${verdict}', ${time_elapsed}, now(), ${eventId ?? null})`,
  )
  seen.submitted.push({ marker, verdict, isRetrying: true, tries: 1, sentAtMs: 0, id })
  send(seen, { id, judging: 1, status: verdict, time_elapsed })
}

function send({ worker: { verdicts, deliveries } }: Seen, verdict: SentVerdict): void {
  verdicts.set(verdict.id, [...(verdicts.get(verdict.id) ?? []), verdict])
  deliveries.set(`${verdict.id} ${verdict.judging}`, 1)
}

await execute(RECORDS)
await store(`${twice}`, 'WRONG_ANSWER', 0.2, 1)
await store(`${once}`, 'ACCEPTED', 0.3, 1)
await store(`${outside}`, 'ACCEPTED', 0.4)
await execute(HISTORY_AND_CELLS)
await execute(SHADOW)
send(seen, { id: `${shadow}`, judging: 1, status: 'ACCEPTED', time_elapsed: 0.6 })
send(seen, { id: `${twice}`, judging: 1, status: 'WRONG_ANSWER', time_elapsed: 0.1 })
seen.standings = {
  attempts: await recountCells(database, 1),
  rows: await recountStandings(database, 1, { by: 'user', isLive: false }),
  listedIds: [`${twice}`, `${once}`],
  problems: [
    { problem_id: 1, accepted_count: 1, attempted_count: 1 },
    { problem_id: 2, accepted_count: 0, attempted_count: 0 },
  ],
}

/** SQL, which is rolled back later, or a change to the copy of `seen`, which may return SQL. */
type Plant = string | ((seen: Seen) => unknown)

async function findPlanted(plant: Plant): Promise<{ lost: number; findings: string[] }> {
  const copy = structuredClone(seen)
  const sql = typeof plant === 'string' ? plant : plant(copy)
  let lost = -1
  const findings = await findAfter(database, typeof sql === 'string' ? sql : '', async (tx) => {
    const checked = await checkDatabase(tx, copy)
    lost = checked.lost
    return checked.findings
  })
  return { lost, findings }
}

const REPEATED = 'sent once or with one Idempotency-Key, stored twice'
const OTHER_ID = 'acknowledged with the id of another submission'
const UNSENT = 'with a verdict that no worker sent'
const UNDELIVERED = 'with a verdict of a judging that was not delivered'
const UNQUEUED = 'with a verdict of a judging that was never queued'
const OLDER = 'with a verdict older than a replaced one'
const HISTORY = 'with a history of verdicts that were not sent'
const UNEARNED = 'with a wrong verdict on the program'
const CELL = 'stored cells that differ from a recount'
const SENT_CELL = 'cells in the response, not in a recount'
const MISSING_CELL = 'cells of a recount, not in the response'
const SENT_PROBLEM = 'problem statistics in the response, not in a recount'
const MISSING_PROBLEM = 'problem statistics of a recount, not in the response'
const SENT_ROW = 'rows of the scoreboard in the response, not in a recount'
const MISSING_ROW = 'rows of the scoreboard of a recount, not in the response'
const PEOPLE = 'participants who differ from those who submitted'

const setOutside = (values: string) => `update submissions set ${values} where id = '${outside}'`
const setHistory = (values: string) => `update verdicts set ${values} where submission_id = '${twice}'`
const repeatHistory = `
  insert into verdicts (submission_id, attempt, status, time_elapsed, stdout, stderr, judged_at)
  select submission_id, attempt, status, time_elapsed, stdout, stderr, judged_at from verdicts`
const repeatOutside = (seen: Seen) => {
  const id = randomUUID()
  send(seen, { id, judging: 1, status: 'ACCEPTED', time_elapsed: 0.5 })
  return `insert into submissions (id, user_id, problem_id, language_id, source_code, status, time_elapsed, judged_at)
          select '${id}', user_id, problem_id, language_id, source_code, 'ACCEPTED', 0.5, now()
          from submissions where id = '${outside}'`
}
const judgeTwice =
  (id: string | undefined, status: string, time_elapsed: number, sql: string) => (seen: Seen) => {
    send(seen, { id: `${id}`, judging: 2, status, time_elapsed })
    return sql
  }
const judgeUnqueued = judgeTwice(outside, 'ACCEPTED', 0.4, setOutside('verdict_attempt = 2'))
const replaceByOlder = judgeTwice(twice, 'WRONG_ANSWER', 0.1, setHistory('attempt = 2'))
const undeliver = ({ worker }: Seen) => worker.deliveries.delete(`${outside} 1`)
const listShadow = ({ standings }: Seen) => standings.listedIds.push(`${shadow}`)
const byRealWorker = (sql: string) => (seen: Seen) => {
  seen.worker.kind = 'real'
  return sql
}
const countOneMore = ({ standings }: Seen) => {
  for (const cell of standings.attempts) cell.attempts += 1
}
const acceptOneMore = ({ standings }: Seen) => {
  for (const problem of standings.problems) problem.accepted_count = 2
}
const solveOneMore = ({ standings }: Seen) => {
  for (const row of standings.rows) row.solved += 1
}
const setShadow = (values: string) => `update shadow_judgings set ${values}`
const addMessage = `insert into outbox (kind, subject_id) values ('submission', '${outside}')`
const addStranger = `insert into event_participants (event_id, user_id) values (1, '${stranger}')`

it.each<[string, Plant, ...string[]]>([
  ['nothing where all is well', ''],
  ['a submission with another text', setOutside(`source_code = '// other'`), OTHER_ID, 'stored, not sent'],
  ['a submission stored twice', repeatOutside, REPEATED],
  ['a submission that nobody sent', ({ submitted }) => submitted.pop(), 'stored, not sent'],
  ['a submission without a verdict', setOutside(`status = 'PENDING'`), 'without a verdict'],
  ['a shadow judging without a verdict', setShadow(`status = 'PENDING'`), 'without a verdict'],
  ['another verdict of a shadow judging', setShadow(`status = 'WRONG_ANSWER'`), UNSENT],
  ['a lost shadow judging', 'delete from shadow_judgings', 'shadow judgings lost after their 201'],
  ['a shadow judging in a list', listShadow, 'shadow judgings among the submissions'],
  ['an unsent message', addMessage, 'still in the outbox'],
  ['another verdict', setOutside(`status = 'RUNTIME_ERROR'`), UNSENT],
  ['another running time', setOutside('time_elapsed = 0.3'), UNSENT],
  ['a verdict without a time', setOutside('judged_at = null'), 'with a verdict without a time'],
  ['a verdict of an unqueued judging', judgeUnqueued, UNQUEUED],
  ['a verdict of an undelivered judging', undeliver, UNDELIVERED],
  ['an older verdict that replaced a newer one', replaceByOlder, OLDER],
  ['another verdict in a history', setHistory('time_elapsed = 0.3'), HISTORY],
  ['a verdict twice in a history', repeatHistory, HISTORY],
  ['the stored verdict in the history', setHistory('time_elapsed = 0.2'), HISTORY],
  ['a wrong verdict of the real worker', byRealWorker(setOutside(`status = 'WRONG_ANSWER'`)), UNEARNED],
  ['a wrong history of the real worker', byRealWorker(setHistory(`status = 'ACCEPTED'`)), UNEARNED],
  ['three verdicts of the real worker', byRealWorker(repeatHistory), 'judged more than twice'],
  ['a cell without one submission', `update event_scores set outcomes = outcomes - '${once}'`, CELL],
  ['a missing cell', 'delete from event_scores', CELL],
  ['a wrong cell in the response', countOneMore, SENT_CELL, MISSING_CELL],
  ['a cell missing in the response', ({ standings }) => standings.attempts.pop(), MISSING_CELL],
  ['a cell twice in the response', ({ standings: { attempts } }) => attempts.push(...attempts), SENT_CELL],
  ['wrong statistics in the response', acceptOneMore, SENT_PROBLEM, MISSING_PROBLEM],
  ['statistics missing in the response', ({ standings }) => standings.problems.splice(0), MISSING_PROBLEM],
  ['a wrong row on the scoreboard', solveOneMore, SENT_ROW, MISSING_ROW],
  ['a row missing on the scoreboard', ({ standings }) => standings.rows.pop(), MISSING_ROW],
  ['a participant who did not submit', addStranger, MISSING_ROW, PEOPLE],
  ['a missing participant', 'delete from event_participants', SENT_ROW, PEOPLE],
])('the checks of the fault tests find %s', async (_, plant, ...findings) => {
  expect(await findPlanted(plant)).toEqual({ lost: 0, findings })
})

it('the checks of the fault tests find and count a lost submission', async () => {
  const found = await findPlanted(`delete from submissions where id = '${outside}'`)
  expect(found).toEqual({ lost: 1, findings: ['LOST: acknowledged with 201, not in the database'] })
})
