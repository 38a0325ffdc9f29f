import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { unprepared } from '../../src/db/statement.ts'
import { claimMessages, deleteMessages, endClaims, queuedFrom } from '../../src/queue/outbox.ts'
import { openPool, openTestDatabase } from '../support/database.ts'
import { onPostgres } from '../support/needs.ts'
import { emptyOutbox, gate, keepLog, queueRows, readRows } from '../support/queue.ts'
import { startProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'
import { openLocalBroker, relay, untilEmpty } from './harness.ts'

/** Longer than any test: no message of such a test has waited for the poll. */
const NEVER_MS = 600_000

const { database: db, url: databaseUrl = '' } = await openTestDatabase()
beforeEach(() => emptyOutbox(db))

const areDue = async () => (await readRows(db)).map((row) => row.is_due)

async function consuming(concurrency: number, work: (id: string) => Promise<void> = async () => {}) {
  const broker = openLocalBroker({ closeTimeoutMs: 500 })
  const received: string[] = []
  await broker.consume(concurrency, async ({ id }) => {
    received.push(id)
    await work(id)
  })
  return { broker, received }
}

describe('the relay', () => {
  test('finds the rows of other processes without being woken', async () => {
    const { broker, received } = await consuming(5)
    relay({ database: db, broker, pollMs: 50 })
    const ids: string[] = []
    for (let count = 1; count <= 3; count += 1) {
      ids.push(...(await queueRows(db, 1)))
      await untilEmpty(db)
    }
    expect(received).toEqual(ids)
  })

  test('publishes a row that was committed during a claim without waiting for the poll', async () => {
    const { broker, received } = await consuming(10)
    const late: string[] = []
    const held = async () => {
      if (late.length === 5) return
      late.push(...(await queueRows(db, 1)))
      started.wake()
    }
    const database: Database = {
      ...db,
      query: async (statement, ...values) => {
        const rows = await db.query(statement, ...values)
        if (statement.name === 'claim_outbox_rows' && rows.length > 0) await held()
        return rows
      },
    }
    const started = relay({ database, broker, pollMs: NEVER_MS, leaseMs: NEVER_MS })
    await queueRows(db, 1)
    started.wake()
    await until(() => expect(received).toHaveLength(6))
    expect(received.slice(1)).toEqual(late)
    await untilEmpty(db)
  })

  test('claims no more rows than the queue has capacity for, and more once it reports some', async () => {
    const work = gate()
    const broker = openLocalBroker()
    const started = relay({ database: db, broker, pollMs: NEVER_MS, leaseMs: NEVER_MS })
    const ids = await queueRows(db, 5)
    started.wake()
    const received: string[] = []
    await broker.consume(2, async ({ id }) => {
      received.push(id)
      await work.passed
    })
    await until(() => expect(received).toHaveLength(2))
    started.wake()
    expect((await readRows(db)).map(({ claims }) => claims)).toEqual([1, 1, 0, 0, 0])
    work.open()
    await untilEmpty(db)
    expect(received).toEqual(ids)
  })

  test('retries a message whose handler throws with growing pauses, without delaying others', async () => {
    const triedAtMs: number[] = []
    const [bad = ''] = await queueRows(db, 1)
    const others = await queueRows(db, 20)
    const { broker, received } = await consuming(1, async (id) => {
      if (id !== bad) return
      triedAtMs.push(performance.now())
      const othersAreDone = others.every((other) => received.includes(other))
      if (triedAtMs.length < 4 || !othersAreDone) throw new Error('the compiler is missing')
    })
    const logger = keepLog()
    const onFailure = vi.fn()
    relay({ database: db, broker, logger, onFailure })
    await untilEmpty(db)
    expect(received.filter((id) => id !== bad)).toEqual(others)
    // The worker has failed, not the queue.
    expect(onFailure).not.toHaveBeenCalled()
    const [third = 0, last = 0] = triedAtMs.slice(-2)
    expect(last - third).toBeGreaterThan(450)
    expect(logger.lines.map((line) => line.level)).toContain('warn')
  })
})

describe('a lease', () => {
  test('is extended while the worker is busy: no other relay publishes the row', async () => {
    const work = gate()
    const slow = await consuming(1, () => work.passed)
    relay({ database: db, broker: slow.broker, leaseMs: 600 })
    const ids = await queueRows(db, 1)
    await until(() => expect(slow.received).toEqual(ids))
    const other = await consuming(1)
    relay({ database: db, broker: other.broker })
    const ends = new Set<string | null | undefined>()
    await until(async () => {
      const [row] = await readRows(db)
      expect(row?.is_due).toBe(false)
      ends.add(row?.claimed_until)
      expect(ends.size).toBe(5)
    })
    work.open()
    await untilEmpty(db)
    expect([slow.received, other.received]).toEqual([ids, []])
  })

  test('keeps the rows of a dead relay until it ends, and no longer', async () => {
    const ids = await queueRows(db, 3)
    await claimMessages(db, 3, 500)
    const [abandoned] = await readRows(db)
    const hasEnded = unprepared<{ ended: boolean }>('select now() >= $1::timestamptz as ended')
    const { broker, received } = await consuming(3, async () => {
      const [row] = await db.query(hasEnded, [abandoned?.claimed_until ?? null])
      if (!row?.ended) received.push('too early')
    })
    relay({ database: db, broker })
    await untilEmpty(db)
    expect(received.sort()).toEqual(ids.sort())
  })
})

describe('a stopping relay', () => {
  test('waits for published messages, deletes their rows and claims no more; stops once', async () => {
    const work = gate()
    const { broker, received } = await consuming(2, () => work.passed)
    const started = relay({ database: db, broker, drainMs: 10_000 })
    const ids = await queueRows(db, 3)
    started.wake()
    await until(() => expect(received).toHaveLength(2))
    const stopped = Promise.all([started.stop(), started.stop()])
    started.wake()
    work.open()
    await stopped
    const rest = await readRows(db)
    expect(rest.map((row) => [row.subject_id, row.claims, row.is_due])).toEqual([[ids[2], 0, true]])
    expect(received).toEqual(ids.slice(0, 2))
  })

  test('releases rows that are not confirmed in time', async () => {
    const work = gate()
    const { broker, received } = await consuming(1, () => work.passed)
    const started = relay({ database: db, broker, drainMs: 50, leaseMs: NEVER_MS })
    const ids = await queueRows(db, 1)
    started.wake()
    await until(() => expect(received).toEqual(ids))
    await started.stop()
    expect(await areDue()).toEqual([true])
    work.open()
  })
})

// PGlite runs inside the process: no second process, and no connection to lose.
describe('on PostgreSQL (TEST_DATABASE_URL)', onPostgres, () => {
  async function openOverProxy() {
    const { proxy, url } = await startProxy(databaseUrl)
    const limits = { poolSize: 4, statementTimeoutMs: 5000, connectTimeoutMs: 1000 }
    return { proxy, database: openPool(url, limits) }
  }

  test('the relay keeps trying during an outage, logs it once, and continues afterwards', async () => {
    const { proxy, database } = await openOverProxy()
    const { broker, received } = await consuming(5)
    const logger = keepLog()
    relay({ database, broker, logger })
    const before = await queueRows(db, 1)
    await until(() => expect(received).toEqual(before))
    proxy.cut()
    const during = await queueRows(db, 3)
    const triesBefore = proxy.connectionCount
    await until(() => expect(proxy.connectionCount).toBeGreaterThan(triesBefore + 3))
    expect(logger.lines.map((line) => line.level)).toEqual(['error'])
    proxy.restore()
    await untilEmpty(db)
    expect(received).toEqual([...before, ...during])
    expect(logger.lines.map((line) => line.level)).toEqual(['error', 'info'])
  })

  test('a confirmed message is not published again, even if its lease ends before the deletion', async () => {
    const { proxy, database } = await openOverProxy()
    const work = gate()
    const { broker, received } = await consuming(5, () => work.passed)
    relay({ database, broker, leaseMs: 500 })
    const ids = await queueRows(db, 1)
    await until(() => expect(received).toEqual(ids))
    proxy.cut()
    work.open()
    await until(async () => expect(await areDue()).toEqual([true]))
    proxy.restore()
    await untilEmpty(db)
    expect(received).toEqual(ids)
  })
})

const LONG_MS = 60_000

test('a statement queues what it creates, with the number of the judging, and nothing else', async () => {
  const id = randomUUID()
  const createFrom = (source: string) =>
    unprepared(`with created as (select $1::uuid as id, 3 as attempt ${source}),
                     queued as (${queuedFrom('created', 'input')})
                select created.id from created`)
  await db.query(createFrom('where false'), [id])
  expect(await readRows(db)).toEqual([])
  await db.query(createFrom(''), [id])
  expect(await claimMessages(db, 10, LONG_MS)).toEqual([
    {
      outboxId: expect.stringMatching(/^\d+$/),
      body: { type: 'input', id },
      judging: 3,
      claims: 1,
      enqueuedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
    },
  ])
})

describe('a claim', () => {
  test('never takes a row that a concurrent claim takes', async () => {
    const ids = await queueRows(db, 200)
    const claims = await Promise.all(Array.from({ length: 12 }, () => claimMessages(db, 20, LONG_MS)))
    const rest = await claimMessages(db, 200, LONG_MS)
    expect([...claims.flat(), ...rest].map((message) => message.body.id).sort()).toEqual(ids.sort())
  })

  test('does not change the later claim of another relay when it ends', async () => {
    await queueRows(db, 1)
    const lapsed = await claimMessages(db, 1, 0)
    await claimMessages(db, 1, LONG_MS)
    const [before] = await readRows(db)
    await endClaims(db, lapsed, () => 0)
    await endClaims(db, lapsed, () => 2 * LONG_MS)
    expect(await readRows(db)).toEqual([{ ...before, is_due: false }])
  })
})

test('a deletion, which does not wait for the disk, leaves later statements on its connection as they were', async () => {
  // PGlite has only one connection.
  const only = databaseUrl === '' ? db : openPool(databaseUrl)
  const setting = unprepared<{ synchronous_commit: string }>('show synchronous_commit')
  const before = await only.query(setting)
  await queueRows(only, 1)
  await deleteMessages(only, await claimMessages(only, 1, LONG_MS))
  expect(await only.query(setting)).toEqual(before)
})
