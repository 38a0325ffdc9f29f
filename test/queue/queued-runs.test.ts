import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { claimMessages, claimShadowMessages, deleteMessages, endClaims } from '../../src/queue/outbox.ts'
import { startRecovery } from '../../src/queue/recovery.ts'
import { openPool } from '../support/database.ts'
import { queueAgain, serviceWithProblem } from '../support/judging.ts'
import { onPostgres, onRabbitMq } from '../support/needs.ts'
import { gate, keepLog, queueRows, readRows } from '../support/queue.ts'
import { until } from '../support/until.ts'
import { endWork, openLocalBroker, openRabbitQueue, relay, untilReady } from './harness.ts'

const judging = await serviceWithProblem()
const { judge, database: db, databaseUrl } = judging.service
const program = { language_id: judging.language.id, source_code: 'print(1)', stdin: '' }

const LONG_MS = 60_000
const MAX = 20

const createRun = (): Promise<string> => judge.post('/v1/input_submissions', program, 201)
const finish = (id: string) => judge.patch(`/v1/input_submissions/${id}`, { status: 'ACCEPTED' }, 204)
const submit = () => judging.submit(judging.user)

async function createRuns(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) ids.push(await createRun())
  return ids
}

async function claim(limit = 100, max = MAX): Promise<string[]> {
  return (await claimMessages(db, limit, LONG_MS, max)).map(({ body }) => body.id)
}

const createShadows = async (count: number): Promise<string[]> => {
  const ids: string[] = []
  const shadow = { problem_id: judging.problem.id, language_id: judging.language.id, source_code: 'print(1)' }
  for (let n = 0; n < count; n += 1)
    ids.push((await judging.admin.post('/v1/admin/shadow_judgings', shadow, 201)).id)
  return ids
}

const claimShadows = async (limit = 100) =>
  (await claimShadowMessages(db, limit, LONG_MS)).map(({ body }) => body.id)

beforeEach(() => endWork(db))

describe('a claim of runs', () => {
  test('takes runs only while fewer than the bound are published and unfinished', async () => {
    const runs = await createRuns(6)
    const first = await claimMessages(db, 100, LONG_MS, 3)
    expect(first.map(({ body }) => body.id)).toEqual(runs.slice(0, 3))
    expect(await claim(100, 3)).toEqual([])
    await deleteMessages(db, first)
    expect(await claim(100, 3)).toEqual([])
    await finish(runs[1] ?? '')
    expect(await claim(100, 3)).toEqual([runs[3]])
    const submission = await submit()
    expect(await claim(100, 3)).toEqual([submission])
  })

  test('takes a run again that the queue refused, also if there is no room for others', async () => {
    const runs = await createRuns(6)
    await endClaims(db, (await claimMessages(db, 100, LONG_MS, 3)).slice(1, 2), () => 0)
    expect(await claim(100, 3)).toEqual([runs[1]])
    expect(await claim(100, 3)).toEqual([])
  })

  test('is not blocked by finished or unknown runs', async () => {
    const runs = await createRuns(4)
    for (const id of runs.slice(0, 2)) await finish(id)
    const unknown = await queueRows(db, 2, 'input')
    expect(await claim(100, 2)).toEqual(runs.slice(0, 2))
    expect(await claim(100, 2)).toEqual(runs.slice(2))
    for (const id of runs.slice(2)) await finish(id)
    expect(await claim(100, 2)).toEqual(unknown)
  })

  test(
    'sees the claim of another instance that was committed after its own start (TEST_DATABASE_URL)',
    onPostgres,
    async () => {
      await createRuns(10)
      const other = openPool(databaseUrl ?? '', { poolSize: 2 })
      const waits =
        unprepared(`select 1 from pg_locks where pg_locks.locktype = 'advisory' and not pg_locks.granted
        and pg_locks.database = (select oid from pg_database where datname = current_database())`)
      const [first, second] = await other.transaction(async (tx) => {
        const claims = await claimMessages(tx, 4, LONG_MS, 5)
        const waiting = claimMessages(db, 4, LONG_MS, 5)
        await until(async () => expect(await tx.query(waits)).toHaveLength(1))
        return [claims, waiting] as const
      })
      expect(first).toHaveLength(4)
      expect(await second).toHaveLength(1)
    },
  )
})

describe('a claim of shadow judgings', () => {
  test('takes none while a submission or a run is due, even a run without a place', async () => {
    const shadows = await createShadows(3)
    for (const other of [submit, createRun]) {
      const id = await other()
      expect(await claimShadows()).toEqual([])
      expect(await claim()).toEqual([id])
    }
    const [waiting] = await createRuns(1)
    expect(await claim(100, 1)).toEqual([])
    expect(await claimShadows()).toEqual([])
    expect(await claim()).toEqual([waiting])
    const messages = await claimShadowMessages(db, 2, LONG_MS)
    expect(messages).toMatchObject(shadows.slice(0, 2).map((id) => ({ body: { type: 'submission', id } })))
    expect(await claimShadows()).toEqual(shadows.slice(2))
  })

  test('takes at most 20 over all instances, and one for each verdict or deletion', async () => {
    const shadows = await createShadows(24)
    const claims = await Promise.all([1, 2, 3, 4, 5, 6].map(() => claimShadowMessages(db, 7, LONG_MS)))
    expect(
      claims
        .flat()
        .map(({ body }) => body.id)
        .sort(),
    ).toEqual(shadows.slice(0, 20))
    await deleteMessages(db, claims.flat())
    expect(await claimShadows()).toEqual([])
    await judging.giveVerdict(shadows[7] ?? '', 'ACCEPTED')
    await judging.admin.delete(`/v1/admin/shadow_judgings/${shadows[0]}`, 204)
    const refused = await claimShadowMessages(db, 100, LONG_MS)
    expect(refused.map(({ body }) => body.id)).toEqual(shadows.slice(20, 22))
    await endClaims(db, refused, () => 0)
    expect(await claimShadows()).toEqual(shadows.slice(20, 22))
    await queueAgain(judging.service)
    expect(await claimShadows()).toHaveLength(MAX)
  })
})

test('the local queue gives its worker submissions, then runs, then shadow judgings (D30)', async () => {
  const work = gate()
  const handled: string[] = []
  const [running = '', ...waiting] = await createRuns(4)
  const shadows = await createShadows(2)
  const broker = openLocalBroker()
  relay({ database: db, broker })
  await broker.consume(1, async ({ type, id }) => {
    handled.push(id)
    await work.passed
    if (type === 'input') await finish(id)
    else await judging.giveVerdict(id, 'ACCEPTED')
  })
  await until(() => expect(handled).toEqual([running]))
  const submissions = [await submit(), await submit()]
  work.open()
  await until(async () => expect(await readRows(db)).toEqual([]))
  expect(handled).toEqual([running, ...submissions, ...waiting, ...shadows])
})

describe('the queue of RabbitMQ (TEST_AMQP_URL)', onRabbitMq, () => {
  async function publish(count: number) {
    const queue = openRabbitQueue()
    const broker = queue.connect()
    await untilReady(broker)
    const runs = await createRuns(count)
    relay({ database: db, broker })
    const untilQueued = (expected: number) =>
      until(async () => expect(await queue.countMessages()).toBe(expected))
    await untilQueued(MAX)
    return { queue, broker, runs, untilQueued }
  }

  test('has at most 20 of 200 runs before a submission; each finished run releases the next', async () => {
    const { queue, runs, untilQueued } = await publish(200)
    const submission = await submit()
    await untilQueued(MAX + 1)
    const messages = await queue.drain()
    expect(messages.map(({ body }) => body.id)).toEqual([...runs.slice(0, MAX), submission])

    const handled = messages.slice(0, MAX).map(({ body }) => body.id)
    const consumed = await queue.consume()
    for (let next = 0; next < runs.length; next += 1) {
      await finish(handled[next] ?? '')
      const expected = Math.min(runs.length, MAX + next + 1) - MAX
      await until(() => expect(consumed).toHaveLength(expected))
      if (expected > next) handled.push(consumed[next]?.body.id)
    }
    expect(handled).toEqual(runs)
  })

  test('gets all runs after 20 of them were lost', async () => {
    const { queue, broker, runs } = await publish(25)
    await queue.rabbit.queuePurge(queue.name)
    const options = { database: db, broker, logger: keepLog(), requeueAfterMs: 40, wakeRelay() {} }
    const recovery = startRecovery(options)
    onTestFinished(() => recovery.stop())
    const messages = await queue.consume()
    const finished = new Set<string>()
    await until(async () => {
      for (const { body } of messages.filter(({ body }) => !finished.has(body.id))) {
        finished.add(body.id)
        await finish(body.id)
      }
      expect(finished).toEqual(new Set(runs))
    })
  })

  test('gets a lost submission again while runs wait in the outbox', async () => {
    const { queue, broker, untilQueued } = await publish(25)
    const submission = await submit()
    await untilQueued(MAX + 1)
    await queue.rabbit.queuePurge(queue.name)
    const judgingOf = async () => (await judge.get(`/v1/submissions/${submission}`)).judging
    const options = { database: db, broker, logger: keepLog(), requeueAfterMs: 400, wakeRelay() {} }
    const recovery = startRecovery(options)
    onTestFinished(() => recovery.stop())
    await until(async () => expect(await judgingOf()).toBe(2))
    expect((await readRows(db)).length).toBeGreaterThan(0)
  })
})
