import { randomUUID } from 'node:crypto'
import { type AsyncMessage, Connection } from 'rabbitmq-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { unprepared } from '../../src/db/statement.ts'
import { createRun } from '../../src/features/runs/sql.ts'
import type { Broker } from '../../src/queue/broker.ts'
import { createInProcessBroker } from '../../src/queue/in-process.ts'
import { connectRabbitMq } from '../../src/queue/rabbitmq.ts'
import { type Recovery, startRecovery } from '../../src/queue/recovery.ts'
import { startRelay } from '../../src/queue/relay.ts'
import { databaseKind } from '../support/database.ts'
import { type ProblemService, serviceWithProblem } from '../support/judging.ts'
import { emptyOutbox, gate, keepLog, readRows, WITHIN } from '../support/queue.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const amqpUrl = process.env.TEST_AMQP_URL

let judging: ProblemService
let db: Database
const endings: (() => Promise<unknown>)[] = []
const recoveries: Recovery[] = []

beforeAll(async () => {
  judging = await serviceWithProblem()
  db = judging.service.database
})
beforeEach(async () => {
  await emptyOutbox(db)
  await db.query(unprepared(`update submissions set status = 'ACCEPTED'`))
  await db.query(unprepared('update runs set finished = true'))
})
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})
afterAll(() => judging.service.close())

type Subject = { id: string; judging: number; queued_ms: number }

const selectPending =
  unprepared<Subject>(`select pending.id::text, pending.attempt as judging, (extract(epoch from pending.queued_at) * 1000)::float8 as queued_ms
   from (
     select id, attempt, queued_at from submissions where status = 'PENDING'
     union all
     select id, attempt, queued_at from runs where not finished
   ) as pending
   order by pending.id`)
const readPending = () => db.query(selectPending)
const judgings = async () => (await readPending()).map((subject) => subject.judging)
const untilJudgings = (expected: number[]) =>
  vi.waitFor(async () => expect(await judgings()).toEqual(expected), WITHIN)

/** Makes three submissions and a run, and returns their ids; the messages wait in the outbox. */
async function makeWork(): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < 3; n += 1) ids.push(await judging.submit(judging.user))
  const body = { language_id: judging.language.id, source_code: 'print(1)', stdin: '' }
  const url = '/v1/public/input_submissions'
  const run = await judging.service.send({ method: 'POST', url, body })
  return [...ids, run.text].sort()
}

function relay(broker: Broker) {
  const started = startRelay({ database: db, broker, logger: keepLog(), pollMs: 20 })
  endings.push(() => started.stop())
  return started
}

/** Starts a recovery; `untilSearched` waits for more searches. */
function recover(broker: Broker, requeueAfterMs = 40) {
  let searches = 0
  const database: Database = {
    ...db,
    query: (asked, ...values) => {
      if (asked.name === 'read_outbox_age') searches += 1
      return db.query(asked, ...values)
    },
  }
  const logger = keepLog()
  const recovery = startRecovery({ database, broker, logger, requeueAfterMs, wakeRelay() {} })
  endings.push(() => recovery.stop())
  recoveries.push(recovery)
  return {
    logger,
    untilSearched(times: number) {
      const wanted = searches + times
      return vi.waitFor(() => expect(searches).toBeGreaterThan(wanted), WITHIN)
    },
  }
}

describe('recovery with the in-process queue', () => {
  test('never queues work again that waits for a worker', async () => {
    const ids = await makeWork()
    const broker = createInProcessBroker()
    relay(broker)
    await recover(broker, 8).untilSearched(30)
    expect(await judgings()).toEqual([1, 1, 1, 1])
    expect((await readRows(db)).map(({ subject_id }) => subject_id).sort()).toEqual(ids)
  })

  test('never queues work again during a slow judging, nor the work behind it', async () => {
    await makeWork()
    const broker = createInProcessBroker()
    relay(broker)
    const [started, work] = [gate(), gate()]
    const handled: string[] = []
    const consumption = await broker.consume(1, async ({ type, id }) => {
      started.open()
      await work.passed
      const url = `/v1/${type === 'input' ? 'input_' : ''}submissions/${id}`
      const body = { status: 'ACCEPTED' }
      await judging.service.send({ method: 'PATCH', url, token: judging.service.judgeToken, body })
      handled.push(id)
    })
    endings.push(() => consumption.stop())
    await started.passed
    const { logger, untilSearched } = recover(broker, 8)
    await untilSearched(30)
    expect(await judgings()).toEqual([1, 1, 1, 1])
    work.open()
    await vi.waitFor(() => expect(new Set(handled).size).toBe(4), WITHIN)
    await vi.waitFor(async () => expect(await readRows(db)).toEqual([]), WITHIN)
    await untilSearched(10)
    expect(handled).toHaveLength(4)
    expect(logger.lines).toEqual([])
  })

  test.runIf(databaseKind === 'postgres')(
    'does not queue work again that was committed after a search (TEST_DATABASE_URL)',
    async () => {
      const { untilSearched } = recover(createInProcessBroker(), 1000)
      await db.transaction(async (tx) => {
        const anonymous = { actor: null, actor_role: 0, actor_session: null }
        const program = { language_id: judging.language.id, source_code: 'print(1)', stdin: '' }
        const values = { id: randomUUID(), channel: 'public', user_id: null, ...program }
        await tx.query(createRun, { ...anonymous, ...values })
        await untilSearched(1)
      })
      await untilSearched(7)
      expect(await judgings()).toEqual([1])
      expect(await readRows(db)).toHaveLength(1)
    },
  )

  test('queues all work again whose messages were lost, even more than a batch', async () => {
    const many = unprepared(`insert into runs (id, channel, language_id, source_code, stdin)
       select gen_random_uuid(), 'public', $1::uuid, '', '' from generate_series(1, 2100)`)
    await db.query(many, [judging.language.id])
    await makeWork()
    await emptyOutbox(db)
    recover(createInProcessBroker())
    await untilJudgings(Array.from({ length: 2104 }, () => 2))
    await vi.waitFor(async () => expect(await readRows(db)).toHaveLength(2104), WITHIN)
  })
})

describe.runIf(amqpUrl)('recovery with RabbitMQ (TEST_AMQP_URL)', () => {
  const url = amqpUrl ?? ''
  let rabbit: Connection
  let queue: string

  beforeAll(() => {
    rabbit = new Connection({ url, acquireTimeout: 5000 })
    rabbit.on('error', () => {})
  })
  beforeEach(() => {
    queue = `test_${randomUUID()}`
    endings.push(() => rabbit.queueDelete(queue))
  })
  afterAll(() => rabbit?.close())

  function connect(options: { url?: string; queueType?: 'quorum' } = {}): Broker {
    const broker = connectRabbitMq({ url, queue, queueType: 'classic', logger: keepLog(), ...options })
    endings.push(() => broker.close())
    return broker
  }
  const countMessages = async () => (await rabbit.queueDeclare({ queue, passive: true })).messageCount
  const untilQueued = (count: number) =>
    vi.waitFor(async () => expect(await countMessages()).toBe(count), WITHIN)
  const untilReady = (broker: Broker) =>
    vi.waitFor(() => expect(broker.capacity()).toBeGreaterThan(0), WITHIN)

  /** Stops the recoveries, consumes every message, and returns subjects and judgings. */
  async function drain(): Promise<[string, number][]> {
    await Promise.all(recoveries.splice(0).map((recovery) => recovery.stop()))
    const taken: AsyncMessage[] = []
    const consumer = rabbit.createConsumer({ queue, queueOptions: { passive: true } }, (message) => {
      taken.push(message)
    })
    endings.push(() => consumer.close())
    await vi.waitFor(async () => expect(await countMessages()).toBe(0), WITHIN)
    await consumer.close()
    return taken
      .map(({ body, headers }): [string, number] => [body.id, headers?.judging])
      .sort(([a], [b]) => (a < b ? -1 : 1))
  }

  /** Makes work and waits until all its messages are in the queue. */
  async function queueWork(broker: Broker): Promise<string[]> {
    await untilReady(broker)
    relay(broker)
    const ids = await makeWork()
    await untilQueued(4)
    await vi.waitFor(async () => expect(await readRows(db)).toEqual([]), WITHIN)
    return ids
  }

  test.each([['classic'], ['quorum']] as const)(
    'queues lost work of a %s queue again, as the next judging, once in each interval',
    async (queueType) => {
      const broker = connect(queueType === 'quorum' ? { queueType } : {})
      const ids = await queueWork(broker)
      await rabbit.queuePurge(queue)
      const first = await readPending()
      const { logger } = recover(broker, 400)
      await untilJudgings([2, 2, 2, 2])
      const second = await readPending()
      await untilQueued(4)
      await rabbit.queuePurge(queue)
      await untilJudgings([3, 3, 3, 3])
      const third = await readPending()
      await untilQueued(4)
      for (const [n, { queued_ms = 0 } = {}] of second.entries()) {
        expect(queued_ms - (first[n]?.queued_ms ?? 0)).toBeGreaterThanOrEqual(400)
        expect((third[n]?.queued_ms ?? 0) - queued_ms).toBeGreaterThanOrEqual(400)
      }
      expect(await drain()).toEqual(ids.map((id) => [id, 3]))
      expect(logger.lines.every(({ level }) => level === 'warn')).toBe(true)
    },
  )

  test('queues the work of a deleted queue again', async () => {
    const broker = connect()
    const ids = await queueWork(broker)
    await rabbit.queueDelete(queue)
    recover(broker)
    await untilJudgings([2, 2, 2, 2])
    await vi.waitFor(async () => expect(await readRows(db)).toEqual([]), WITHIN)
    expect(await drain()).toEqual(ids.map((id) => [id, 2]))
  })

  test('never queues a backlog again', async () => {
    const broker = connect()
    const ids = await queueWork(broker)
    await recover(broker, 8).untilSearched(30)
    expect(await judgings()).toEqual([1, 1, 1, 1])
    expect(await drain()).toEqual(ids.map((id) => [id, 1]))
  })

  test('does not queue work again whose message is in the outbox', async () => {
    const broker = connect()
    await untilReady(broker)
    await makeWork()
    await recover(broker, 8).untilSearched(30)
    expect(await judgings()).toEqual([1, 1, 1, 1])
    expect(await readRows(db)).toHaveLength(4)
  })

  test('queues waiting work once after an outage of RabbitMQ, which is logged once', async () => {
    const { hostname, port } = new URL(url)
    const proxy = await startTcpProxy({ host: hostname, port: Number(port || 5672) })
    endings.push(() => proxy.close())
    const proxyUrl = new URL(url)
    proxyUrl.host = `127.0.0.1:${proxy.port}`
    const broker = connect({ url: proxyUrl.href })
    await untilReady(broker)
    relay(broker)
    const { logger, untilSearched } = recover(broker, 200)
    await untilSearched(6)
    proxy.cut()
    const ids = await makeWork()
    await untilSearched(6)
    proxy.restore()
    await untilQueued(4)
    await untilSearched(6)
    expect(await drain()).toEqual(ids.map((id) => [id, 1]))
    expect(logger.lines.map(({ level }) => level)).toEqual(['warn', 'info'])
  })

  test('queues lost work once with two recoveries', async () => {
    const broker = connect()
    const ids = await queueWork(broker)
    await rabbit.queuePurge(queue)
    const both = [recover(broker), recover(connect())]
    await untilJudgings([2, 2, 2, 2])
    await untilQueued(4)
    await Promise.all(both.map(({ untilSearched }) => untilSearched(10)))
    expect(await drain()).toEqual(ids.map((id) => [id, 2]))
  })

  test('does not queue work again that has a verdict', async () => {
    const broker = connect()
    const [first = '', ...others] = await queueWork(broker)
    await rabbit.queuePurge(queue)
    expect(await judging.patch(first, { status: 'ACCEPTED' })).toMatchObject({ status: 204 })
    recover(broker)
    await untilJudgings([2, 2, 2])
    await untilQueued(3)
    expect(await drain()).toEqual(others.map((id) => [id, 2]))
  })
})
