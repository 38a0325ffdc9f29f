import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { statement, type Transaction, type Value } from '../../../src/db/database.ts'
import { createContest, getOf } from '../../../test/contests/contest-judging.ts'
import { type Judging, openJudging } from '../../../test/features/judging-support.ts'
import { emptyOutbox } from '../../../test/queue/support.ts'
import { checkDatabase } from '../checks.ts'
import type { Submitted } from '../load.ts'
import type { Standings } from '../standings.ts'
import type { WrittenVerdict } from '../worker-events.ts'

/** What clients and a worker have seen of three submissions; a plant may change its own copy. */
interface Seen {
  submitted: Submitted[]
  standings: { attempts: Standings['attempts'][number][]; problems: Standings['problems'][number][] }
  worker: {
    kind: 'instant' | 'real'
    deliveries: Map<string, number>
    verdicts: Map<string, WrittenVerdict[]>
  }
  contest: { eventId: number; problemIds: number[] }
}

let judging: Judging
let seen: Seen
/** Judged twice and in the contest; judged once and in the contest; judged once and in no contest. */
let twice: string
let once: string
let outside: string

beforeAll(async () => {
  judging = await openJudging()
  const problemIds = [judging.problem.id, (await judging.createProblem()).id]
  const eventId = await createContest(
    judging,
    problemIds.map((problem_id) => ({ problem_id })),
  )
  seen = {
    ...{ submitted: [], standings: { attempts: [], problems: [] }, contest: { eventId, problemIds } },
    worker: { kind: 'instant', deliveries: new Map(), verdicts: new Map() },
  }
  twice = await submit('WRONG_ANSWER', { event_id: eventId })
  once = await submit('ACCEPTED', { event_id: eventId })
  outside = await submit('ACCEPTED', {})
  await judge(twice, 'WRONG_ANSWER', 0.1)
  await judge(twice, 'WRONG_ANSWER', 0.2)
  await judge(once, 'ACCEPTED', 0.3)
  await judge(outside, 'ACCEPTED', 0.4)
  await emptyOutbox(judging.service.database)
  const read = async (path: string) => (await getOf(judging, eventId, path, judging.service.judgeToken)).body
  seen.standings = { attempts: await read('attempts'), problems: await read('problems_stats') }
})
afterAll(() => judging.service.close())

async function submit(verdict: Submitted['verdict'], fields: Record<string, unknown>): Promise<string> {
  const marker = randomUUID()
  const id = await judging.submit(judging.user, { source_code: `// ${marker}`, ...fields })
  seen.submitted.push({ marker, verdict, isRetrying: true, tries: 1, id })
  return id
}

async function judge(id: string, status: string, time_elapsed: number): Promise<void> {
  expect(await judging.patch(id, { attempt: 1, status, time_elapsed })).toMatchObject({ status: 204 })
  sent(seen, { id, attempt: 1, status, time_elapsed })
}

function sent({ worker: { verdicts, deliveries } }: Seen, verdict: WrittenVerdict): void {
  verdicts.set(verdict.id, [...(verdicts.get(verdict.id) ?? []), verdict])
  deliveries.set(`${verdict.id} ${verdict.attempt}`, 1)
}

/** Spoils what is stored, in a transaction that is rolled back, or what was seen. */
type Plant = (
  change: (text: string, ...values: Value[]) => Promise<unknown>,
  seen: Seen,
) => Promise<unknown> | unknown

/** What the checks find once that has been planted. */
async function findPlanted(plant: Plant): Promise<{ lost: number; findings: string[] }> {
  const copy = structuredClone(seen)
  const rollback = new Error('that is all')
  const found = { lost: -1, findings: [''] }
  const work = async (tx: Transaction) => {
    await plant((text, ...values) => tx.query(statement('', text), values), copy)
    const { lost, findings } = await checkDatabase(tx, copy)
    Object.assign(found, { lost, findings: findings.map(({ what }) => what) })
    throw rollback
  }
  await expect(judging.service.database.transaction(work)).rejects.toBe(rollback)
  return found
}

const UNSENT = 'with a verdict that no worker has sent'
const UNDELIVERED = 'with a verdict of an attempt that no worker was delivered'
const HISTORY = 'with a history of verdicts that were not sent'
const UNEARNED = 'with another verdict than its program has earned'
const CELL = 'cell of the standings other than a recount'
const TOLD = { cell: 'cell told that a recount does not have', missing: 'cell of a recount that is not told' }
const PROBLEM = {
  told: 'problem of the contest told otherwise than a recount',
  missing: 'problem of the contest that is not told as it is',
}
const PEOPLE = 'people of the contest other than those who submitted'

const plants: readonly (readonly [string, readonly string[], Plant])[] = [
  [
    'a submission with another’s source code',
    ['acknowledged with the id of another submission', 'stored and sent by nobody'],
    (change) => change(`update submissions set source_code = '// other' where id = $1`, outside),
  ],
  [
    'a submission stored twice',
    ['sent once, or with one Idempotency-Key, and stored twice'],
    async (change, seen) => {
      const id = randomUUID()
      await change(
        `insert into submissions (id, user_id, problem_id, language_id, source_code, status, time_elapsed, judged_at)
         select $2, user_id, problem_id, language_id, source_code, 'ACCEPTED', 0.5, now() from submissions where id = $1`,
        outside,
        id,
      )
      sent(seen, { id, attempt: 1, status: 'ACCEPTED', time_elapsed: 0.5 })
    },
  ],
  ['a submission of nobody', ['stored and sent by nobody'], (_, { submitted }) => submitted.pop()],
  [
    'a submission that nobody judged',
    ['without a verdict'],
    (change) => change(`update submissions set status = 'PENDING' where id = $1`, outside),
  ],
  [
    'a message that never left',
    ['still in the outbox'],
    (change) => change(`insert into outbox (kind, subject_id) values ('submission', $1)`, outside),
  ],
  [
    'another verdict',
    [UNSENT],
    (change) => change(`update submissions set status = 'RUNTIME_ERROR' where id = $1`, outside),
  ],
  [
    'a verdict of another time',
    [UNSENT],
    (change) => change('update submissions set time_elapsed = 0.3 where id = $1', outside),
  ],
  [
    'a verdict without an instant',
    ['with a verdict and no time of it'],
    (change) => change('update submissions set judged_at = null where id = $1', outside),
  ],
  [
    'a verdict of an attempt that never was',
    ['with a verdict of an attempt that was never queued'],
    async (change, seen) => {
      await change('update submissions set verdict_attempt = 2 where id = $1', outside)
      sent(seen, { id: outside, attempt: 2, status: 'ACCEPTED', time_elapsed: 0.4 })
    },
  ],
  [
    'a verdict of an attempt that was delivered to nobody',
    [UNDELIVERED],
    (_, { worker }) => worker.deliveries.delete(`${outside} 1`),
  ],
  [
    'an older verdict that has replaced a newer one',
    ['with a verdict older than one that it replaced'],
    async (change, seen) => {
      await change('update verdicts set attempt = 2 where submission_id = $1', twice)
      sent(seen, { id: twice, attempt: 2, status: 'WRONG_ANSWER', time_elapsed: 0.1 })
    },
  ],
  [
    'another verdict in a history',
    [HISTORY],
    (change) => change('update verdicts set time_elapsed = 0.3 where submission_id = $1', twice),
  ],
  ['a verdict twice in a history', [HISTORY], (change) => repeatHistory(change)],
  [
    'the verdict that stands in the history too',
    [HISTORY],
    (change) => change('update verdicts set time_elapsed = 0.2 where submission_id = $1', twice),
  ],
  [
    'another verdict than the program’s, by the real worker',
    [UNEARNED],
    (change, { worker }) => {
      worker.kind = 'real'
      return change(`update submissions set status = 'WRONG_ANSWER' where id = $1`, outside)
    },
  ],
  [
    'another verdict than the program’s in a history, by the real worker',
    [UNEARNED],
    (change, { worker }) => {
      worker.kind = 'real'
      return change(`update verdicts set status = 'ACCEPTED' where submission_id = $1`, twice)
    },
  ],
  [
    'three verdicts of the real worker',
    ['judged more than twice'],
    (change, { worker }) => {
      worker.kind = 'real'
      return repeatHistory(change)
    },
  ],
  [
    'a cell without one of its submissions',
    [CELL],
    (change) => change('update event_scores set outcomes = outcomes - $1::text', once),
  ],
  ['a cell that is gone', [CELL], (change) => change('delete from event_scores')],
  [
    'a cell that is told wrong',
    [TOLD.cell, TOLD.missing],
    (_, { standings }) => {
      standings.attempts = standings.attempts.map((cell) => ({ ...cell, attempts: cell.attempts + 1 }))
    },
  ],
  ['a cell that is not told', [TOLD.missing], (_, { standings }) => standings.attempts.pop()],
  [
    'a cell that is told twice',
    [TOLD.cell],
    (_, { standings }) => standings.attempts.push(...standings.attempts),
  ],
  [
    'a problem that is told wrong',
    [PROBLEM.told, PROBLEM.missing],
    (_, { standings }) => {
      standings.problems = standings.problems.map((problem) => ({ ...problem, accepted_count: 2 }))
    },
  ],
  ['a problem that is not told', [PROBLEM.missing], (_, { standings }) => standings.problems.pop()],
  ['no problem told at all', [PROBLEM.missing], (_, { standings }) => standings.problems.splice(0)],
  [
    'a person who did not submit',
    [PEOPLE],
    (change, { contest }) =>
      change(
        'insert into event_participants (event_id, user_id) values ($1, $2)',
        contest.eventId,
        judging.stranger.id,
      ),
  ],
  ['a person who is not in the contest', [PEOPLE], (change) => change('delete from event_participants')],
]

function repeatHistory(change: Parameters<Plant>[0]): Promise<unknown> {
  return change(
    `insert into verdicts (submission_id, attempt, status, time_elapsed, stdout, stderr, judged_at)
     select submission_id, attempt, status, time_elapsed, stdout, stderr, judged_at from verdicts where submission_id = $1`,
    twice,
  )
}

it('the checks of a fault run find nothing where nothing is wrong', async () => {
  expect(await findPlanted(() => {})).toEqual({ lost: 0, findings: [] })
})

it('the checks of a fault run find a lost submission, and count it', async () => {
  const found = await findPlanted((change) => change('delete from submissions where id = $1', outside))
  expect(found).toEqual({ lost: 1, findings: ['LOST: acknowledged with 201 and not in the database'] })
})

it.each(plants)('the checks of a fault run find %s', async (_, findings, plant) => {
  expect(await findPlanted(plant)).toEqual({ lost: 0, findings })
})
