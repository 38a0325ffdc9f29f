import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readStatements } from '../../scripts/read-statements.ts'
import { bindBatch } from '../../src/db/batch-form.ts'
import type { Transaction } from '../../src/db/database.ts'
import { bind, type NamedValues, type Statement, unprepared } from '../../src/db/statement.ts'
import { NIL_UUID } from '../../src/http/routing/tokens.ts'
import { SHORT_BYTES } from '../../src/lists/read-by-size.ts'
import { createContest, over, register, scheduled } from '../support/contests.ts'
import { NOBODY } from '../support/ids.ts'
import { serviceWithProblem } from '../support/judging.ts'

const judging = await serviceWithProblem()
const { service, admin, problem, language } = judging
const { database } = service
const people = [
  judging.user,
  judging.stranger,
  ...(await Promise.all([1, 2].map(() => service.createPerson()))),
]
const [participant = admin, , removed = admin, deleted = admin] = people
const hidden = await judging.createProblem({ public: false })
const inContest = [{ problem_id: problem.id }, { problem_id: hidden.id, hidden: true }]
const contest = await createContest(judging, inContest)
const invited = await createContest(judging, inContest, { admission: 'invited' })
const ended = await createContest(judging, inContest, over())
const coming = await createContest(judging, inContest, scheduled())
for (const person of [participant, removed]) await register(judging, contest, person)
await admin.delete(`/v1/events/${contest}/participants/${removed.id}`, 204)
await admin.delete(`/v1/users/${deleted.id}`, 204)

const submissions: string[] = []
for (const event_id of [undefined, undefined, contest, contest])
  submissions.push(await judging.submit(participant, { event_id }))
await judging.giveVerdict(submissions[0] ?? '', 'ACCEPTED')
await judging.giveVerdict(submissions[2] ?? '', 'WRONG_ANSWER')
const runs: string[] = []
for (const source_code of ['short', 'x'.repeat(SHORT_BYTES)]) {
  const run = { user_id: participant.id, language_id: language.id, source_code, stdin: '' }
  runs.push((await participant.post('/v1/input_submissions', run)).id)
}
await judging.submit(participant, { source_code: 'x'.repeat(SHORT_BYTES) }).then((id) => submissions.push(id))
const inEvents = await database.query(
  unprepared<{ id: number }>('select event_problems.id from event_problems'),
)
const known = { key_caller: participant.id, key: 'known' }
await database.query(
  unprepared(
    `insert into idempotent_answers (caller, key, canonical_hash, answer) values ($1, $2, 'a', '{}')`,
  ),
  [known.key_caller, known.key],
)

const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values)
const text = fc
  .oneof(pick('', 'NULL', '{}', '"', '\\', 'é', 'a,b'), fc.string())
  .filter((one) => !one.includes('\0'))
const id = fc.constant(null).map(() => randomUUID())
const userId = pick(...people.map((person) => person.id), NOBODY)
const actor = fc.oneof(
  fc.record({ actor: userId, actor_role: pick(0, 2), actor_session: pick(1, 1, 0, null) }),
  fc.constant({ actor: admin.id, actor_role: 2, actor_session: 1 }),
  fc.constant({ actor: NIL_UUID, actor_role: 1, actor_session: null }),
  fc.constant({ actor: null, actor_role: 0, actor_session: null }),
)
const submissionId = pick(...submissions, NOBODY)
const eventId = pick(contest, contest, invited, ended, coming, 2_000_000)
const key = fc.oneof(
  pick<NamedValues>({ key_caller: null, key: null }, known),
  id.map((made): NamedValues => ({ key_caller: participant.id, key: made })),
)
const keyed = fc.record({ canonical_hash: text })
const capabilities = pick([], ['validation/1'], ['a "b"', 'c\\'])
const failed_test_case_id = pick(null, problem.cases[0] ?? null)

/** Values that any statement may have; each statement uses those that it names. */
const anything = fc
  .tuple(
    actor,
    key,
    keyed,
    fc.record({
      ...{ id, user_id: userId, problem_id: pick(problem.id, hidden.id, 2_000_000), event_id: eventId },
      ...{ language_id: pick(language.id, language.id, NOBODY), source_code: text, stdin: text },
      ...{ submission_id: submissionId, requeue_after: pick(60), channel: pick('user', 'public') },
      ...{ judging: pick(null, 1, 2), status: pick('ACCEPTED', 'WRONG_ANSWER'), stdout: text, stderr: text },
      ...{ time_elapsed: fc.double({ noNaN: true, min: 0, max: 9 }), memory_used: pick(null, 7) },
      ...{ score: pick(null, 1), worker: text, judge_message: pick(null, 'a'), failed_test_case_id },
      ...{ test_case_results: pick('[]', '[{"a": "\\"{}"}]'), case_details: pick(null, '[1]'), capabilities },
      ...{ test_case_ids: pick([], problem.cases, [...hidden.cases]), slots: pick(0, 1, 3) },
      ...{ owner_key: fc.oneof(fc.constant(null), id), known_version: pick(null, 'of another time') },
      ...{ most_bytes: pick(0, 1e6), whole_tests_bytes: pick(0, 1e6) },
      event_problem_id: pick(0, ...inEvents.map((one) => one.id)),
      ...{ text: text, url: text, name: text, count: pick(1), page_limit: pick(3) },
    }),
  )
  .map((parts): NamedValues => Object.assign({}, ...parts))

const coalesced = [...(await readStatements()).values()].flat().filter(({ batch }) => batch !== undefined)

/** What the statements write, without times and numbers that no two transactions share. */
const TABLES: Readonly<Record<string, string>> = {
  submissions: `to_jsonb(t) - array['submit_time', 'queued_at', 'judged_at']`,
  verdicts: `to_jsonb(t) - array['id', 'queued_at', 'judged_at']`,
  shadow_judgings: `to_jsonb(t) - array['judged_at']`,
  runs: `to_jsonb(t) - array['created_at', 'queued_at', 'slot']`,
  outbox: `to_jsonb(t) - array['id', 'enqueued_at']`,
  event_participants: `to_jsonb(t) - array['joined_at']`,
  idempotent_answers: `to_jsonb(t) - array['created_at']`,
  event_scores: `to_jsonb(t) - array['changed_xid']`,
  changes: `to_jsonb(t) - array['xid', 'id', 'created_at']`,
}
const readTables = unprepared<{ row: string }>(
  Object.entries(TABLES)
    .map(([table, columns]) => `select '${table} ' || (${columns})::text as row from ${table} as t`)
    .join(' union all '),
)

/** Times of this run: of the transaction, as text and in microseconds. */
const withoutTimes = (value: unknown) =>
  JSON.stringify(value).replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|\+00:00)?|\b1\d{15}\b/g, 'TIME')

class RolledBack extends Error {}

/** The rows of each request and the tables after all of them; everything is rolled back. */
async function outcomeOf(work: (tx: Transaction) => Promise<unknown[][]>): Promise<[string, string[]]> {
  let outcome: [string, string[]] | undefined
  const ended = database.transaction(async (tx) => {
    const rows = await work(tx)
    const tables = await tx.query(readTables)
    outcome = [withoutTimes(rows), tables.map(({ row }) => withoutTimes(row)).sort()]
    throw new RolledBack()
  })
  await expect(ended).rejects.toThrow(RolledBack)
  if (outcome === undefined) throw new Error('there was no outcome')
  return outcome
}

const withId = ([values, made]: [NamedValues, string]): NamedValues => ({ ...values, id: made })

const withoutPlace = ({ place: _, ...row }: Record<string, unknown>) => row

const runOneByOne = ({ name, text, order }: Statement, requests: readonly NamedValues[]) =>
  outcomeOf(async (tx) => {
    const rows: unknown[][] = []
    for (const values of requests) {
      const found = await tx.query({ ...unprepared(text), name }, bind({ order }, values))
      rows.push(found.map(withoutPlace))
    }
    return rows
  })

const runTogether = ({ batch }: Statement, requests: readonly NamedValues[]) =>
  outcomeOf(async (tx) => {
    if (batch === undefined) throw new Error('the statement has no batch')
    const found = await tx.query(unprepared(batch.text), bindBatch(batch, requests))
    return requests.map((_, i) => found.filter(({ place }) => place === i + 1).map(withoutPlace))
  })

/** The requests that may share a batch. */
function apart({ batch }: Statement, requests: readonly NamedValues[]): NamedValues[] {
  const [own, seen] = [batch?.apart, new Set<unknown>()]
  if (own === undefined) return [...requests]
  return requests.filter(({ [own]: value }) => value == null || (!seen.has(value) && seen.add(value)))
}

it('cover the statements of polls, submissions, runs and verdicts', () => {
  const polls = ['read_status', 'count_unread', 'read_account', 'list_event_problems_version']
  const reads = ['read_submission', 'read_run', 'read_problem', 'read_event_problem']
  const writes = ['create_submission', 'create_event_submission', 'create_run', 'store_verdict']
  const names = [...polls, ...reads, ...writes, 'list_own_problem_status']
  expect(coalesced.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
})

it.each(coalesced.map((statement) => [statement.name, statement] as const))(
  '%s has the same result for requests together and one by one',
  async (_, statement) => {
    // Only a write makes the record with this id.
    const values = statement.batch?.writes ? anything : fc.tuple(anything, pick(...runs, NOBODY)).map(withId)
    await fc.assert(
      fc.asyncProperty(fc.array(values, { minLength: 2, maxLength: 8 }), async (made) => {
        const requests = apart(statement, made)
        expect(await runTogether(statement, requests)).toEqual(await runOneByOne(statement, requests))
      }),
      { numRuns: statement.batch?.writes ? 10 : 3 },
    )
  },
)
