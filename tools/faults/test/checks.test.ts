import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Transaction } from '../../../src/db/database.ts'
import { recountCells } from '../../../verification/recount.ts'
import { ask } from '../../local-servers/database.ts'
import { openMigratedDatabase } from '../../local-servers/test/test-database.ts'
import { checkDatabase } from '../checks.ts'
import type { Submitted } from '../load.ts'
import type { Standings } from '../standings.ts'
import type { SentVerdict } from '../worker-events.ts'

/** What clients and a worker saw of three submissions. */
interface Seen {
  submitted: Submitted[]
  standings: { attempts: Standings['attempts'][number][]; problems: Standings['problems'][number][] }
  worker: {
    kind: 'instant' | 'real'
    deliveries: Map<string, number>
    verdicts: Map<string, SentVerdict[]>
  }
  world: { eventId: number; problemIds: number[] }
}

const [user, stranger, language, twice, once, outside] = Array.from({ length: 6 }, () => randomUUID())
const seen: Seen = {
  submitted: [],
  standings: { attempts: [], problems: [] },
  worker: { kind: 'instant', deliveries: new Map(), verdicts: new Map() },
  world: { eventId: 1, problemIds: [1, 2] },
}
let opened: Awaited<ReturnType<typeof openMigratedDatabase>>

beforeAll(async () => {
  opened = await openMigratedDatabase()
  await opened.database.transaction((tx) => tx.execute(RECORDS))
  await store(`${twice}`, 'WRONG_ANSWER', 0.2, 1)
  await store(`${once}`, 'ACCEPTED', 0.3, 1)
  await store(`${outside}`, 'ACCEPTED', 0.4)
  await opened.database.transaction((tx) => tx.execute(HISTORY_AND_CELLS))
  send(seen, { id: `${twice}`, judging: 1, status: 'WRONG_ANSWER', time_elapsed: 0.1 })
  seen.standings = {
    attempts: await recountCells(opened.database, 1),
    problems: [
      { problem_id: 1, accepted_count: 1, attempted_count: 1 },
      { problem_id: 2, accepted_count: 0, attempted_count: 0 },
    ],
  }
})
afterAll(() => opened.close())

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

async function store(id: string, verdict: Submitted['verdict'], time_elapsed: number, eventId?: number) {
  const marker = randomUUID()
  await ask(
    opened.database,
    `insert into submissions (id, user_id, problem_id, language_id, source_code, status, time_elapsed, judged_at, event_id)
     values ('${id}', '${user}', 1, '${language}', '// ${marker}', '${verdict}', ${time_elapsed}, now(), ${eventId ?? null})`,
  )
  seen.submitted.push({ marker, verdict, isRetrying: true, tries: 1, id })
  send(seen, { id, judging: 1, status: verdict, time_elapsed })
}

function send({ worker: { verdicts, deliveries } }: Seen, verdict: SentVerdict): void {
  verdicts.set(verdict.id, [...(verdicts.get(verdict.id) ?? []), verdict])
  deliveries.set(`${verdict.id} ${verdict.judging}`, 1)
}

/** Returns SQL, which is rolled back later, or changes the copy of `seen`. */
type Plant = (seen: Seen) => unknown

async function findPlanted(plant: Plant): Promise<{ lost: number; findings: string[] }> {
  const copy = structuredClone(seen)
  const rollback = new Error('roll back')
  const found = { lost: -1, findings: [''] }
  const work = async (tx: Transaction) => {
    const sql = plant(copy)
    if (typeof sql === 'string') await tx.execute(sql)
    const { lost, findings } = await checkDatabase(tx, copy)
    Object.assign(found, { lost, findings: findings.map(({ what }) => what) })
    throw rollback
  }
  await expect(opened.database.transaction(work)).rejects.toBe(rollback)
  return found
}

const UNSENT = 'with a verdict that no worker sent'
const HISTORY = 'with a history of verdicts that were not sent'
const UNEARNED = 'with a wrong verdict on the program'
const CELL = 'stored cells that differ from a recount'
const SENT_CELL = 'cells in the response, not in a recount'
const MISSING_CELL = 'cells of a recount, not in the response'
const SENT_PROBLEM = 'problem statistics in the response, not in a recount'
const MISSING_PROBLEM = 'problem statistics of a recount, not in the response'
const PEOPLE = 'participants who differ from those who submitted'

const setOutside = (values: string) => `update submissions set ${values} where id = '${outside}'`
const setHistory = (values: string) => `update verdicts set ${values} where submission_id = '${twice}'`
const repeatHistory = `
  insert into verdicts (submission_id, attempt, status, time_elapsed, stdout, stderr, judged_at)
  select submission_id, attempt, status, time_elapsed, stdout, stderr, judged_at from verdicts`
const byRealWorker =
  (sql: string): Plant =>
  ({ worker }) => {
    worker.kind = 'real'
    return sql
  }

it.each<[string, string[], Plant]>([
  ['nothing where all is well', [], () => {}],
  [
    'a submission with other source code',
    ['acknowledged with the id of another submission', 'stored, not sent'],
    () => setOutside(`source_code = '// other'`),
  ],
  [
    'a submission stored twice',
    ['sent once or with one Idempotency-Key, stored twice'],
    (seen) => {
      const id = randomUUID()
      send(seen, { id, judging: 1, status: 'ACCEPTED', time_elapsed: 0.5 })
      return `insert into submissions (id, user_id, problem_id, language_id, source_code, status, time_elapsed, judged_at)
              select '${id}', user_id, problem_id, language_id, source_code, 'ACCEPTED', 0.5, now()
              from submissions where id = '${outside}'`
    },
  ],
  ['a submission that nobody sent', ['stored, not sent'], ({ submitted }) => submitted.pop()],
  ['a submission without a verdict', ['without a verdict'], () => setOutside(`status = 'PENDING'`)],
  [
    'an unsent message',
    ['still in the outbox'],
    () => `insert into outbox (kind, subject_id) values ('submission', '${outside}')`,
  ],
  ['another verdict', [UNSENT], () => setOutside(`status = 'RUNTIME_ERROR'`)],
  ['another running time', [UNSENT], () => setOutside('time_elapsed = 0.3')],
  ['a verdict without a time', ['with a verdict without a time'], () => setOutside('judged_at = null')],
  [
    'a verdict of a judging that was never queued',
    ['with a verdict of a judging that was never queued'],
    (seen) => {
      send(seen, { id: `${outside}`, judging: 2, status: 'ACCEPTED', time_elapsed: 0.4 })
      return setOutside('verdict_attempt = 2')
    },
  ],
  [
    'a verdict of a judging that was not delivered',
    ['with a verdict of a judging that was not delivered'],
    ({ worker }) => worker.deliveries.delete(`${outside} 1`),
  ],
  [
    'an older verdict that replaced a newer one',
    ['with a verdict older than a replaced one'],
    (seen) => {
      send(seen, { id: `${twice}`, judging: 2, status: 'WRONG_ANSWER', time_elapsed: 0.1 })
      return setHistory('attempt = 2')
    },
  ],
  ['another verdict in a history', [HISTORY], () => setHistory('time_elapsed = 0.3')],
  ['a verdict twice in a history', [HISTORY], () => repeatHistory],
  ['the stored verdict in the history', [HISTORY], () => setHistory('time_elapsed = 0.2')],
  ['a wrong verdict of the real worker', [UNEARNED], byRealWorker(setOutside(`status = 'WRONG_ANSWER'`))],
  [
    'a wrong verdict in a history of the real worker',
    [UNEARNED],
    byRealWorker(setHistory(`status = 'ACCEPTED'`)),
  ],
  ['three verdicts of the real worker', ['judged more than twice'], byRealWorker(repeatHistory)],
  ['a cell without one submission', [CELL], () => `update event_scores set outcomes = outcomes - '${once}'`],
  ['a missing cell', [CELL], () => 'delete from event_scores'],
  [
    'a wrong cell in the response',
    [SENT_CELL, MISSING_CELL],
    ({ standings }) => {
      standings.attempts = standings.attempts.map((cell) => ({ ...cell, attempts: cell.attempts + 1 }))
    },
  ],
  ['a cell missing in the response', [MISSING_CELL], ({ standings }) => standings.attempts.pop()],
  [
    'a cell twice in the response',
    [SENT_CELL],
    ({ standings }) => standings.attempts.push(...standings.attempts),
  ],
  [
    'wrong statistics in the response',
    [SENT_PROBLEM, MISSING_PROBLEM],
    ({ standings }) => {
      standings.problems = standings.problems.map((problem) => ({ ...problem, accepted_count: 2 }))
    },
  ],
  ['statistics missing in the response', [MISSING_PROBLEM], ({ standings }) => standings.problems.splice(0)],
  [
    'a participant who did not submit',
    [PEOPLE],
    () => `insert into event_participants (event_id, user_id) values (1, '${stranger}')`,
  ],
  ['a missing participant', [PEOPLE], () => 'delete from event_participants'],
])('the checks of the fault tests find %s', async (_, findings, plant) => {
  expect(await findPlanted(plant)).toEqual({ lost: 0, findings })
})

it('the checks of the fault tests find and count a lost submission', async () => {
  const found = await findPlanted(() => `delete from submissions where id = '${outside}'`)
  expect(found).toEqual({ lost: 1, findings: ['LOST: acknowledged with 201, not in the database'] })
})
