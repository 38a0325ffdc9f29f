import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { unprepared } from '../../src/db/statement.ts'
import { createRun } from '../../src/features/judging/runs/sql.ts'
import type { Broker } from '../../src/queue/broker.ts'
import { startRecovery } from '../../src/queue/recovery.ts'
import { serviceWithProblem } from '../support/judging.ts'
import { onPostgres, onRabbitMq } from '../support/needs.ts'
import { emptyOutbox, gate, keepLog, readRows } from '../support/queue.ts'
import { refusal } from '../support/refusals.ts'
import { startProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'
import {
  amqpUrl,
  endWork,
  openLocalBroker,
  openRabbitQueue,
  relay,
  untilEmpty,
  untilReady,
} from './harness.ts'

const judging = await serviceWithProblem()
const { judge, anonymous, database: db } = judging.service
const program = { language_id: judging.language.id, source_code: 'print(1)', stdin: '' }

const recoveries: ReturnType<typeof startRecovery>[] = []

beforeEach(async () => {
  recoveries.length = 0
  await endWork(db)
})

type Subject = { id: string; judging: number; queued_ms: number }

const selectPending = unprepared<Subject>(`
  select pending.id::text, pending.attempt as judging,
         (extract(epoch from pending.queued_at) * 1000)::float8 as queued_ms
  from (
    select id, attempt, queued_at from submissions where status = 'PENDING'
    union all
    select id, attempt, queued_at from runs where not finished
    union all
    select id, attempt, queued_at from shadow_judgings where status = 'PENDING'
  ) as pending
  order by pending.id`)
const readPending = () => db.query(selectPending)
const readJudgings = async () => (await readPending()).map((subject) => subject.judging)
const untilJudgings = (expected: number[]) =>
  until(async () => expect(await readJudgings()).toEqual(expected))

async function makeWork(): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < 2; n += 1) ids.push(await judging.submit(judging.user))
  const { id } = await judging.admin.post('/v1/admin/shadow_judgings', { submission_id: ids[0] })
  return [...ids, id, await anonymous.post('/v1/public/input_submissions', program)].sort()
}

/** Starts a recovery; `untilSearched` waits for searches, `beforeRequeue` runs before requeues. */
function recover(broker: Broker, requeueAfterMs = 40, beforeRequeue = async () => {}) {
  let searches = 0
  const database: Database = {
    ...db,
    query: async (statement, ...values) => {
      if (statement.name === 'read_outbox_age') searches += 1
      if (statement.name === 'requeue_lost_submissions') await beforeRequeue()
      return db.query(statement, ...values)
    },
  }
  const logger = keepLog()
  const recovery = startRecovery({ database, broker, logger, requeueAfterMs, wakeRelay() {} })
  onTestFinished(() => recovery.stop())
  recoveries.push(recovery)
  return {
    logger,
    untilSearched(times: number) {
      const wanted = searches + times
      return until(() => expect(searches).toBeGreaterThan(wanted))
    },
  }
}

interface TestedQueue {
  connect(): Promise<Broker>
  untilQueued(count: number): Promise<unknown>
  lose(): Promise<unknown>
  /** Stops the recoveries; resolves to the subject and judging of each message, in order. */
  drain(): Promise<[string, number][]>
}

const stopRecoveries = () => Promise.all(recoveries.map((recovery) => recovery.stop()))

/** Messages of the local queue wait in the outbox. */
function openLocal(): TestedQueue {
  const selectMessages = unprepared<{ id: string; judging: number }>(
    'select outbox.subject_id::text as id, outbox.attempt as judging from outbox order by outbox.subject_id',
  )
  return {
    connect: async () => openLocalBroker(),
    untilQueued: (count) => until(async () => expect(await readRows(db)).toHaveLength(count)),
    lose: () => emptyOutbox(db),
    drain: async () => {
      await stopRecoveries()
      return (await db.query(selectMessages)).map(({ id, judging }) => [id, judging])
    },
  }
}

function openRemote(queueType: 'classic' | 'quorum' = 'classic') {
  const queue = openRabbitQueue()
  return {
    rabbitQueue: queue,
    connect: async (options = {}) => {
      const broker = queue.connect({ queueType, ...options })
      await untilReady(broker)
      return broker
    },
    untilQueued: async (count: number) => {
      await until(async () => expect(await queue.countMessages()).toBe(count))
      await untilEmpty(db)
    },
    lose: () => queue.rabbit.queuePurge(queue.name),
    drain: async () => {
      await stopRecoveries()
      return (await queue.drain())
        .map(({ body, headers }): [string, number] => [body.id, headers?.judging])
        .sort(([a], [b]) => (a < b ? -1 : 1))
    },
  }
}

async function queueWork<Queue extends TestedQueue>(queue: Queue) {
  const broker = await queue.connect()
  relay({ database: db, broker })
  const ids = await makeWork()
  await queue.untilQueued(4)
  return { queue, broker, ids }
}

const queues: [string, () => TestedQueue][] = [
  ['the local queue', openLocal],
  ['a classic queue of RabbitMQ (TEST_AMQP_URL)', openRemote],
  ['a quorum queue of RabbitMQ (TEST_AMQP_URL)', () => openRemote('quorum')],
]

for (const [name, open] of queues) {
  describe(`recovery with ${name}`, open === openLocal ? {} : onRabbitMq, () => {
    test('queues lost work again, as the next judging, once in each interval', async () => {
      const { queue, broker, ids } = await queueWork(open())
      await queue.lose()
      const first = await readPending()
      const { logger } = recover(broker, 400)
      await untilJudgings([2, 2, 2, 2])
      const second = await readPending()
      await queue.untilQueued(4)
      await queue.lose()
      await untilJudgings([3, 3, 3, 3])
      const third = await readPending()
      await queue.untilQueued(4)
      for (const [n, { queued_ms = 0 } = {}] of second.entries()) {
        expect(queued_ms - (first[n]?.queued_ms ?? 0)).toBeGreaterThanOrEqual(400)
        expect((third[n]?.queued_ms ?? 0) - queued_ms).toBeGreaterThanOrEqual(400)
      }
      expect(await queue.drain()).toEqual(ids.map((id) => [id, 3]))
      expect(logger.lines.every(({ level }) => level === 'warn')).toBe(true)
    })

    // Only the loss of messages may differ between the types of queues.
    if (name.startsWith('a quorum')) return

    test('never queues a backlog again', async () => {
      const { queue, broker, ids } = await queueWork(open())
      await recover(broker, 8).untilSearched(30)
      expect(await readJudgings()).toEqual([1, 1, 1, 1])
      expect(await queue.drain()).toEqual(ids.map((id) => [id, 1]))
    })

    test('queues lost work once with two recoveries', async () => {
      const { queue, broker, ids } = await queueWork(open())
      await queue.lose()
      const both = [recover(broker), recover(await queue.connect())]
      await untilJudgings([2, 2, 2, 2])
      await queue.untilQueued(4)
      await Promise.all(both.map(({ untilSearched }) => untilSearched(10)))
      expect(await queue.drain()).toEqual(ids.map((id) => [id, 2]))
    })

    test('does not queue work again that has a verdict', async () => {
      const { queue, broker, ids } = await queueWork(open())
      const [first = '', ...others] = ids
      await queue.lose()
      expect(await judging.patch(first, { status: 'ACCEPTED' })).toMatchObject({ status: 204 })
      recover(broker)
      await untilJudgings([2, 2, 2])
      await queue.untilQueued(3)
      expect(await queue.drain()).toEqual(others.map((id) => [id, 2]))
    })
  })
}

describe('recovery', () => {
  test('never queues work again during a slow judging, nor the work behind it', async () => {
    await makeWork()
    const broker = openLocalBroker()
    relay({ database: db, broker })
    const [started, work] = [gate(), gate()]
    const handled: string[] = []
    await broker.consume(1, async ({ type, id }) => {
      started.open()
      await work.passed
      const url = `/v1/${type === 'input' ? 'input_' : ''}submissions/${id}`
      await judge.patch(url, { status: 'ACCEPTED' })
      handled.push(id)
    })
    await started.passed
    const { logger, untilSearched } = recover(broker, 8)
    await untilSearched(30)
    expect(await readJudgings()).toEqual([1, 1, 1, 1])
    work.open()
    await until(() => expect(new Set(handled).size).toBe(4))
    await untilEmpty(db)
    await untilSearched(10)
    expect(handled).toHaveLength(4)
    expect(logger.lines).toEqual([])
  })

  test('does not queue work again that a worker renews, and finds it as fast as other work after the last renewal', async () => {
    const [id = '', renewedId = ''] = [await judging.submit(judging.user), await judging.submit(judging.user)]
    await emptyOutbox(db)
    let [renewals, renewedMs] = [0, 0]
    const renew = async () => {
      if (renewals === 8) return
      await judge.post(`/v1/submissions/${renewedId}/heartbeat`, { judging: 1 }, 204)
      renewals += 1
      renewedMs = Date.now()
    }
    const { untilSearched } = recover(openLocalBroker(), 200, renew)
    await until(() => expect(renewals).toBe(8))
    const judgingOf = async (one: string) => (await readPending()).find((subject) => subject.id === one)
    expect([(await judgingOf(id))?.judging, (await judgingOf(renewedId))?.judging]).toEqual([2, 1])
    // The other message waits in the outbox, and no search finds work that is newer.
    await judging.giveVerdict(id, 'ACCEPTED')
    await emptyOutbox(db)
    await until(async () => expect(await judgingOf(renewedId)).toMatchObject({ judging: 2 }))
    const { queued_ms = 0 } = (await judgingOf(renewedId)) ?? {}
    expect(queued_ms - renewedMs).toBeGreaterThanOrEqual(190)
    await judge.post(`/v1/submissions/${renewedId}/heartbeat`, { judging: 1 }, refusal(409, 'JUDGING_ENDED'))
    await untilSearched(2)
    await judge.post(`/v1/submissions/${renewedId}/heartbeat`, { judging: 2 }, 204)
  })

  test(
    'does not queue work again that was committed after a search (TEST_DATABASE_URL)',
    onPostgres,
    async () => {
      const { untilSearched } = recover(openLocalBroker(), 1000)
      await db.transaction(async (tx) => {
        const anonymous = { actor: null, actor_role: 0, actor_session: null }
        const values = {
          id: randomUUID(),
          channel: 'public',
          user_id: null,
          owner_key: null,
          slots: 3,
          ...program,
        }
        await tx.query(createRun, { ...anonymous, ...values })
        await untilSearched(1)
      })
      await untilSearched(7)
      expect(await readJudgings()).toEqual([1])
      expect(await readRows(db)).toHaveLength(1)
    },
  )

  test('queues all lost work again, even more than a batch', async () => {
    const many = unprepared(`insert into runs (id, channel, language_id, source_code, stdin)
       select gen_random_uuid(), 'public', $1::uuid, '', '' from generate_series(1, 2104)`)
    await db.query(many, [judging.language.id])
    recover(openLocalBroker())
    await untilJudgings(Array.from({ length: 2104 }, () => 2))
    await until(async () => expect(await readRows(db)).toHaveLength(2104))
  })
})

describe('recovery with RabbitMQ (TEST_AMQP_URL)', onRabbitMq, () => {
  test('queues the work of a deleted queue again', async () => {
    const { queue, broker, ids } = await queueWork(openRemote())
    await queue.rabbitQueue.rabbit.queueDelete(queue.rabbitQueue.name)
    recover(broker)
    await untilJudgings([2, 2, 2, 2])
    await untilEmpty(db)
    expect(await queue.drain()).toEqual(ids.map((id) => [id, 2]))
  })

  test('queues waiting work once after an outage of RabbitMQ, which is logged once', async () => {
    const { proxy, url } = await startProxy(amqpUrl ?? '')
    const queue = openRemote()
    const broker = await queue.connect({ url })
    relay({ database: db, broker })
    const { logger, untilSearched } = recover(broker, 200)
    await untilSearched(6)
    proxy.cut()
    const ids = await makeWork()
    await untilSearched(6)
    proxy.restore()
    await queue.untilQueued(4)
    await untilSearched(6)
    expect(await queue.drain()).toEqual(ids.map((id) => [id, 1]))
    expect(logger.lines.map(({ level }) => level)).toEqual(['warn', 'info'])
  })
})
