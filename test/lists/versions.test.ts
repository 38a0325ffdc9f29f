import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Transaction } from '../../src/db/database.ts'
import { bind, type Statement, unprepared } from '../../src/db/statement.ts'
import { listProblems } from '../../src/features/problems/sql.ts'
import { createContest, setTimes } from '../support/contests.ts'
import { databaseKind } from '../support/database.ts'
import { gate } from '../support/queue.ts'
import { ask, createMemory, openPolledWorld, type PolledWorld, pollAll } from './polled-lists.ts'
import { nothingMade, writes } from './writes.ts'

const world = await openPolledWorld()

const memory = createMemory()
const made = nothingMade()
const RUNS = databaseKind === 'postgres' ? 4 : 2

/** What a client does that has polled before: 304 where nothing is new, else the whole list. */
async function expectAnswered(before: Awaited<ReturnType<typeof pollAll>>, after: typeof before) {
  for (const { caller, url, tag, content } of before) {
    const now = after.find((polled) => polled.caller === caller && polled.url === url)
    if (now === undefined) continue
    const answer = await ask(world, caller, url, tag)
    expect(answer.status, `${caller.name} ${url}`).toBe(now.tag === tag ? 304 : 200)
    expect(answer.headers.etag).toBe(now.tag)
    if (answer.status === 304) expect(now.content).toBe(content)
  }
}

/** Takes one write after the other; after each, no list that a client keeps may be stale. */
async function takeAll(steps: readonly (readonly [name: string, pick: number])[]): Promise<Set<string>> {
  const done = new Set<string>()
  let before = await pollAll(world)
  expect(memory.findStale(before)).toEqual([])
  for (const [name, pick] of steps) {
    const answer = await writes[name]?.(world, made, pick)
    expect(answer?.status ?? 200, `${name}: ${answer?.text}`).toBeLessThan(500)
    if ((answer?.status ?? 200) < 300) done.add(name)
    const after = await pollAll(world)
    expect(memory.findStale(after), name).toEqual([])
    await expectAnswered(before, after)
    before = after
  }
  return done
}

const names = Object.keys(writes)

describe('whatever is written, by whatever route', () => {
  it('a tag never stands for two answers, after each kind of write in turn', async () => {
    const done = await takeAll(names.map((name, index) => [name, index] as const))
    expect([...done].sort()).toEqual(names.toSorted())
  }, 120_000)

  it('a tag never stands for two answers, to one caller or to two, in any order of writes', async () => {
    const step = fc.tuple(fc.constantFrom(...names), fc.nat(1000))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 12 }), async (steps) => {
        await takeAll(steps)
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  }, 240_000)
})

const database = () => world.judging.service.database
const poll = (tag?: string) => ask(world, world.judging.admin, '/v1/problems', tag)
const rename = unprepared(`update problems set title = $2 where problems.id = $1`)

interface OpenWrite {
  /** Commits, or rolls back. */
  end(outcome: 'commit' | 'roll back'): Promise<void>
}

const rolledBack = new Error('rolled back')

/** Writes in a transaction and leaves it open; resolves once the write is done. */
async function write(work: (tx: Transaction) => Promise<unknown>): Promise<OpenWrite> {
  const written = gate()
  const ending = gate()
  let isKept = true
  const ended = database()
    .transaction(async (tx) => {
      await work(tx)
      written.open()
      await ending.passed
      if (!isKept) throw rolledBack
    })
    .catch((err: unknown) => {
      if (err !== rolledBack) throw err
    })
  await Promise.race([written.passed, ended])
  return {
    async end(outcome) {
      isKept = outcome === 'commit'
      ending.open()
      await ended
    },
  }
}

const renaming = (id: number) => write((tx) => tx.query(rename, [id, randomUUID()]))

describe.runIf(databaseKind === 'postgres')('of two writes at the same instant', () => {
  it('neither waits for the other, and whichever commits first, each makes the list another', async () => {
    const { judging, privateId } = world
    const tags = [(await poll()).headers.etag]
    const first = await renaming(judging.problem.id)
    const second = await renaming(privateId)
    expect((await poll(tags[0])).status).toBe(304)
    for (const open of [second, first]) {
      await open.end('commit')
      const { status, headers } = await poll(tags.join(', '))
      expect(status).toBe(200)
      tags.push(headers.etag)
    }
    expect(new Set(tags).size).toBe(3)
  })

  it('the one that is rolled back changes nothing', async () => {
    const first = await renaming(world.judging.problem.id)
    const second = await renaming(world.privateId)
    await second.end('commit')
    const { headers } = await poll()
    await first.end('roll back')
    expect((await poll(headers.etag)).status).toBe(304)
  })

  it('there are as many rows of a version as there were writes at the same instant, and no more', async () => {
    const count = unprepared<{ rows: number }>(
      `select count(*)::integer as rows from list_versions where list_versions.name = 'problems'`,
    )
    const ids: number[] = []
    for (let n = 0; n < 4; n += 1) ids.push((await world.judging.createProblem()).id)
    for (let round = 0; round < 3; round += 1) {
      const open = await Promise.all(ids.map(renaming))
      await Promise.all(open.map((one) => one.end('commit')))
    }
    for (const id of ids) await (await renaming(id)).end('commit')
    expect(await database().query(count)).toEqual([{ rows: 4 }])
  })
})

it('after a restore of a backup, what is written then has no tag of what was written before', async () => {
  const run = (script: string) => database().transaction((tx) => tx.execute(script))
  const id = world.privateId
  const backedUp = (await poll()).headers.etag
  await run(
    `create table saved as select * from list_versions; create table saved_problems as select id, title from problems`,
  )
  await database().query(rename, [id, 'lost'])
  const lost = (await poll()).headers.etag
  await run(`
    update problems set title = saved_problems.title from saved_problems where saved_problems.id = problems.id;
    delete from list_versions;
    insert into list_versions select * from saved;`)
  expect((await poll(backedUp)).status).toBe(304)
  await database().query(rename, [id, 'written anew'])
  expect((await poll(`${backedUp}, ${lost}`)).status).toBe(200)
})

/** Lets a contest have begun as the clock would: without a trace in the versions of the lists. */
const startUnnoticed = (eventId: number) =>
  database().transaction((tx) =>
    tx.execute(`
      create temporary table kept on commit drop as select * from list_versions;
      update events set start_time = now() - interval '1 second' where events.id = ${eventId};
      delete from list_versions;
      insert into list_versions select * from kept`),
  )

it('the problems of a contest are new at the instant of its start, though nothing is written then', async () => {
  const eventId = await createContest(world.judging, [{ problem_id: world.judging.problem.id }])
  await setTimes(world.judging, eventId, 60, 120)
  const url = `/v1/events/${eventId}/problems`
  const caller = world.judging.stranger
  const before = await ask(world, caller, url)
  expect(before.body[0].problem).not.toHaveProperty('prompt')
  expect((await ask(world, caller, url, before.headers.etag)).status).toBe(304)
  await startUnnoticed(eventId)
  expect((await ask(world, caller, url, before.headers.etag)).status).toBe(200)
  const after = await ask(world, caller, url)
  expect(after.body[0].problem).toHaveProperty('prompt')
})

it('the look-up of a version reads no row of the list', async () => {
  const explain = ({ text }: Statement) => unprepared<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`)
  const admin = { actor: world.judging.admin.id, actor_role: 2, actor_session: 1 }
  const scans = async (asked: Statement) => {
    const lines = await database().query(explain(asked), bind(asked, admin))
    return lines.filter((line) => / Scan .*on problems\b/.test(line['QUERY PLAN'])).length
  }
  const { version, whole } = listProblems
  if (version === undefined) throw new Error('the list of problems has no version')
  // Whether the caller has a private problem: a look into the index, for everybody but admins.
  expect(await scans(whole)).toBe((await scans(version)) + 1)
})

const run = (script: string) => world.judging.service.database.transaction((tx) => tx.execute(script))

const selectTriggers = unprepared<{ trigger: string }>(
  `select pg_trigger.tgname as trigger from pg_trigger where pg_trigger.tgname like '%_list_version%' order by pg_trigger.tgname`,
)

const insertParticipant = ({ eventId, judging }: PolledWorld) =>
  `insert into event_participants (event_id, user_id) values (${eventId}, '${judging.stranger.id}')`
const updateParticipant = ({ judging }: PolledWorld) =>
  `update event_participants set user_id = '${judging.user.id}' where user_id = '${judging.stranger.id}'`

/** Every trigger that changes versions of lists, each with writes that no other trigger sees. */
const cases: [trigger: string, table: string, write: (world: PolledWorld) => string][] = [
  ['problems_list_version', 'problems', () => `update problems set title = title || '!'`],
  ['problem_categories_list_version', 'problem_categories', () => 'delete from problem_categories'],
  ['categories_list_version', 'categories', () => `update categories set name = name || '!'`],
  ['languages_list_version', 'languages', () => `update languages set version = version || '!'`],
  ['events_list_version', 'events', () => `update events set title = title || '!'`],
  ['event_problems_list_version', 'event_problems', () => 'update event_problems set memory_limit = 77'],
  ['event_participants_list_version', 'event_participants', insertParticipant],
  ['event_participants_list_version', 'event_participants', updateParticipant],
  [
    'event_participants_list_version',
    'event_participants',
    ({ judging }) => `delete from event_participants where user_id = '${judging.user.id}'`,
  ],
  [
    'event_scores_list_version',
    'event_scores',
    ({ eventId, judging, privateId }) =>
      `insert into event_scores (event_id, user_id, problem_id, outcomes) values (${eventId}, '${judging.user.id}', ${privateId}, '{"a": [0, "PENDING"]}')`,
  ],
  [
    'event_scores_list_version',
    'event_scores',
    () => `update event_scores set outcomes = '{"a": [0, "ACCEPTED"]}'`,
  ],
  ['event_scores_list_version', 'event_scores', () => 'delete from event_scores'],
  ['event_scores_list_version_emptied', 'event_scores', () => 'truncate event_scores'],
  ['event_participants_list_version_emptied', 'event_participants', () => 'truncate event_participants'],
]

/** Puts back what a case wants to find, its lists new to everybody. */
async function refill({ eventId, participant, judging, category }: PolledWorld): Promise<void> {
  await run(`
    insert into event_participants (event_id, user_id) values (${eventId}, '${participant.id}') on conflict do nothing;
    insert into event_scores (event_id, user_id, problem_id, outcomes)
    values (${eventId}, '${participant.id}', ${judging.problem.id}, '{"b": [0, "PENDING"]}') on conflict do nothing;
    insert into problem_categories (problem_id, category_id)
    values (${judging.problem.id}, '${category.id}') on conflict do nothing;
    select change_list_version('all');`)
}

describe('the versions of lists', () => {
  it.each(cases)(
    'are stale without the trigger %s on %s, and are not with it (case %$)',
    async (trigger, table, write) => {
      const memory = createMemory()
      await refill(world)
      memory.findStale(await pollAll(world))
      await run(`alter table ${table} disable trigger ${trigger}`)
      await run(write(world))
      expect(memory.findStale(await pollAll(world))).not.toEqual([])
      await run(`alter table ${table} enable trigger ${trigger}`)

      const again = createMemory()
      await run('delete from event_participants; delete from event_scores')
      await refill(world)
      // The update finds the row that the case before it inserts.
      if (write === updateParticipant) await run(insertParticipant(world))
      again.findStale(await pollAll(world))
      await run(write(world))
      expect(again.findStale(await pollAll(world))).toEqual([])
    },
  )

  it('are new after each migration: it may change what a list is made by', async () => {
    const before = await pollAll(world)
    await run('insert into schema_versions (version) values (999999)')
    const tags = new Set((await pollAll(world)).map(({ tag }) => tag))
    expect(before.filter(({ tag }) => tags.has(tag))).toEqual([])
  })

  it('have no trigger that is not tried here', async () => {
    const rows = await world.judging.service.database.query(selectTriggers)
    const tried = new Set([...cases.map(([trigger]) => trigger), 'schema_versions_list_version'])
    expect(rows.map((row) => row.trigger)).toEqual([...tried].sort())
  })
})
