import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Statement, statement, type Transaction } from '../../src/db/database.ts'
import { listProblems } from '../../src/features/problems/sql.ts'
import { createContest, setTimes } from '../contests/contest-judging.ts'
import { gate } from '../queue/support.ts'
import { databaseKind } from '../support/database.ts'
import { ask, openPolledWorld } from './polled-lists.ts'

const world = await openPolledWorld()

const database = () => world.judging.service.database
const poll = (tag?: string) => ask(world, world.judging.admin, '/v1/problems', tag)
const rename = statement('', `update problems set title = $2 where problems.id = $1`)

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
    const count = statement<{ rows: number }>(
      '',
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
  const explain = ({ text }: Statement) =>
    statement<{ 'QUERY PLAN': string }>('', `explain (costs off) ${text}`)
  const scans = async (asked: Statement) => {
    const lines = await database().query(explain(asked), [world.judging.admin.id, 2, 1])
    return lines.filter((line) => / Scan .*on problems\b/.test(line['QUERY PLAN'])).length
  }
  const { version, whole } = listProblems
  if (version === undefined) throw new Error('the list of problems has no version')
  // Whether the caller has a private problem: a look into the index, for everybody but admins.
  expect(await scans(whole)).toBe((await scans(version)) + 1)
})
