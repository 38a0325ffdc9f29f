import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Database, Queryable } from '../../src/db/database.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { unprepared } from '../../src/db/statement.ts'
import type { QueuedMessage } from '../../src/queue/broker.ts'
import { createInProcessBroker } from '../../src/queue/in-process.ts'
import { type Claim, claimMessages, deleteMessages, endClaims, queuedFrom } from '../../src/queue/outbox.ts'
import { openTestDatabase } from '../support/database.ts'
import { emptyOutbox, gate, queueRows, readRows, WITHIN } from '../support/queue.ts'

const LONG_MS = 60_000

const opened = await openTestDatabase()
const db = opened.database
beforeEach(() => emptyOutbox(db))
afterAll(() => opened?.close())

const dueIds = async () => (await readRows(db)).filter((row) => row.is_due).map((row) => row.subject_id)

describe('queuedFrom', () => {
  const createdFrom = (source: string) =>
    unprepared(
      `with created as (select $1::uuid as id, 3 as attempt ${source}), queued as (${queuedFrom('created', 'input')})
       select created.id from created`,
    )

  test('queues the subject, with its judging, in the statement that creates it', async () => {
    const id = randomUUID()
    await db.query(createdFrom(''), [id])
    const [message] = await claimMessages(db, 10, LONG_MS)
    expect(message).toMatchObject({ body: { type: 'input', id }, judging: 3 })
  })

  test('queues nothing when nothing is created', async () => {
    await db.query(createdFrom('where false'), [randomUUID()])
    expect(await readRows(db)).toEqual([])
  })
})

describe('claiming', () => {
  test('takes the oldest rows first, at most the limit', async () => {
    const ids = await queueRows(db, 5)
    const messages = await claimMessages(db, 3, LONG_MS)
    expect(messages.map((message) => message.body.id)).toEqual(ids.slice(0, 3))
    expect(await dueIds()).toEqual(ids.slice(3))
  })

  test('returns the body, the judging, the number of claims and the time of queueing in UTC', async () => {
    const [id] = await queueRows(db, 1)
    const [message] = await claimMessages(db, 1, LONG_MS)
    expect(message).toEqual({
      outboxId: expect.stringMatching(/^\d+$/),
      body: { type: 'submission', id },
      judging: 1,
      claims: 1,
      enqueuedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
    })
    expect(Math.abs(Date.parse(message?.enqueuedAt ?? '') - Date.now())).toBeLessThan(60_000)
  })

  test('never gives one row to two concurrent claims', async () => {
    const ids = await queueRows(db, 200)
    const claims = await Promise.all(Array.from({ length: 12 }, () => claimMessages(db, 20, LONG_MS)))
    const claimed = claims.flat().map((message) => message.body.id)
    expect(new Set(claimed).size).toBe(claimed.length)
    const rest = await claimMessages(db, 200, LONG_MS)
    expect([...claimed, ...rest.map((message) => message.body.id)].sort()).toEqual(ids.sort())
  })

  test('skips claimed rows', async () => {
    await queueRows(db, 1)
    await claimMessages(db, 1, LONG_MS)
    expect(await claimMessages(db, 1, LONG_MS)).toEqual([])
  })

  test('claims a row again after its lease has ended', async () => {
    await queueRows(db, 1)
    const [first] = await claimMessages(db, 1, 1)
    await vi.waitFor(async () => {
      expect(await claimMessages(db, 1, LONG_MS)).toEqual([{ ...first, claims: 2 }])
    }, WITHIN)
    expect(first?.claims).toBe(1)
  })
})

describe('confirmed and ended claims', () => {
  test('deletes exactly the confirmed rows', async () => {
    const ids = await queueRows(db, 3)
    const messages = await claimMessages(db, 2, LONG_MS)
    await deleteMessages(db, messages)
    expect((await readRows(db)).map((row) => row.subject_id)).toEqual(ids.slice(2))
  })

  test('ends a claim at once or after a delay', async () => {
    const [soon, late] = await queueRows(db, 2)
    const messages = await claimMessages(db, 2, LONG_MS)
    const [first] = messages
    await endClaims(db, messages, (claim) => (claim.outboxId === first?.outboxId ? 0 : LONG_MS))
    expect(await dueIds()).toEqual([soon])
    expect((await readRows(db)).map((row) => row.subject_id)).toContain(late)
  })

  test('extends a claim beyond its first end', async () => {
    await queueRows(db, 1)
    const claims = await claimMessages(db, 1, 1)
    await endClaims(db, claims, () => LONG_MS)
    expect(await dueIds()).toEqual([])
  })

  test('does not change the later claim of another relay', async () => {
    await queueRows(db, 1)
    const lapsed = await claimMessages(db, 1, 0)
    await claimMessages(db, 1, LONG_MS)
    const [before] = await readRows(db)
    await endClaims(db, lapsed, () => 0)
    await endClaims(db, lapsed, () => 2 * LONG_MS)
    expect(await readRows(db)).toEqual([{ ...before, is_due: false }])
  })
})

describe('synchronous commit', () => {
  const unknown = { outboxId: '1', claims: 1 }
  let held: readonly Claim[] = []
  const setting = unprepared<{ synchronous_commit: string }>('show synchronous_commit')
  const readSetting = async (queryable: Queryable) => (await queryable.query(setting))[0]?.synchronous_commit

  /** PGlite has only one connection. */
  async function openOneConnection(): Promise<Database> {
    if (opened.url === undefined) return db
    const bounds = { poolSize: 1, statementTimeoutMs: 10_000, connectTimeoutMs: 10_000 }
    const one = openPostgres({ url: opened.url, ...bounds })
    onTestFinished(() => one.close())
    return one
  }

  test.each([
    ['a claim', 'off', (tx: Queryable) => claimMessages(tx, 1, LONG_MS)],
    ['a deletion', 'off', (tx: Queryable) => deleteMessages(tx, [unknown, ...held])],
    ['an extended lease', 'on', (tx: Queryable) => endClaims(tx, [unknown], () => LONG_MS)],
  ])('the transaction of %s has it %s', async (_, expected, run) => {
    await queueRows(db, 2)
    held = await claimMessages(db, 1, LONG_MS)
    await db.transaction(async (tx) => {
      await tx.execute('set local synchronous_commit = on')
      await run(tx)
      expect(await readSetting(tx)).toBe(expected)
    })
  })

  test('is unchanged for later statements on the same connection', async () => {
    const only = await openOneConnection()
    const before = await readSetting(only)
    await queueRows(only, 1)
    await deleteMessages(only, await claimMessages(only, 1, LONG_MS))
    expect(await readSetting(only)).toBe(before)
  })
})

const messageFor = (id: string): QueuedMessage => ({
  outboxId: id,
  body: { type: 'submission', id },
  judging: 1,
  claims: 1,
  enqueuedAt: '2026-04-01T18:00:00Z',
})

describe('the in-process queue', () => {
  test('has no capacity without a consumer, and rejects messages', async () => {
    const broker = createInProcessBroker()
    expect(broker.capacity()).toBe(0)
    await expect(broker.publish(messageFor('a'))).rejects.toThrow('no worker')
  })

  test('has the capacity of its free consumers, and reports when one becomes free', async () => {
    const broker = createInProcessBroker()
    const rooms: number[] = []
    broker.onReady(() => void rooms.push(broker.capacity()))
    const first = gate()
    await broker.consume(2, () => first.passed)
    await broker.consume(1, () => first.passed)
    const published = broker.publish(messageFor('a'))
    expect(broker.capacity()).toBe(2)
    first.open()
    await published
    expect(rooms).toEqual([2, 3, 3])
  })

  test('hands over the body and confirms after the handler has finished', async () => {
    const broker = createInProcessBroker()
    const work = gate()
    const events: string[] = []
    await broker.consume(1, async (message) => {
      expect(message).toEqual({ type: 'submission', id: 'a' })
      await work.passed
      events.push('handled')
    })
    const published = broker.publish(messageFor('a')).then(() => events.push('confirmed'))
    work.open()
    await published
    expect(events).toEqual(['handled', 'confirmed'])
  })

  test('rejects when the handler throws, even before its first await, and is free again', async () => {
    const broker = createInProcessBroker()
    await broker.consume(1, () => {
      throw new Error('broken')
    })
    await expect(broker.publish(messageFor('a'))).rejects.toThrow('broken')
    expect(broker.capacity()).toBe(1)
  })

  test('stopping a consumer waits for its handlers and hands over no more messages', async () => {
    const broker = createInProcessBroker()
    const work = gate()
    const events: string[] = []
    const consumption = await broker.consume(2, async () => {
      await work.passed
      events.push('handled')
    })
    const published = broker.publish(messageFor('a'))
    const stopped = consumption.stop().then(() => events.push('stopped'))
    expect(broker.capacity()).toBe(0)
    work.open()
    await Promise.all([published, stopped])
    expect(events).toEqual(['handled', 'stopped'])
  })

  test('stopping requeues messages whose handlers do not finish in time', async () => {
    const broker = createInProcessBroker({ stopTimeoutMs: 20 })
    const consumption = await broker.consume(1, () => gate().passed)
    const published = expect(broker.publish(messageFor('a'))).rejects.toThrow('stopped before')
    await consumption.stop()
    await published
  })

  test('closing stops every consumer', async () => {
    const broker = createInProcessBroker()
    await broker.consume(1, async () => {})
    await broker.consume(1, async () => {})
    await broker.close()
    expect(broker.capacity()).toBe(0)
  })
})
