import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { unprepared } from '../../src/db/statement.ts'
import { createInProcessBroker, type InProcessBroker } from '../../src/queue/in-process.ts'
import { claimMessages } from '../../src/queue/outbox.ts'
import { type Relay, type RelayOptions, startRelay } from '../../src/queue/relay.ts'
import { openTestDatabase } from '../support/database.ts'
import { emptyOutbox, gate, keepLog, queueRows, readRows, WITHIN } from '../support/queue.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

/** Longer than any test: no message of such a test has waited for the poll. */
const NEVER_MS = 600_000
const endings: (() => Promise<unknown>)[] = []

const opened = await openTestDatabase()
const db = opened.database
beforeEach(() => emptyOutbox(db))
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})
afterAll(() => opened?.close())

function relay(broker: InProcessBroker, options: Partial<RelayOptions> = {}): Relay {
  const started = startRelay({ database: db, broker, logger: keepLog(), drainMs: 500, ...options })
  endings.push(() => started.stop())
  return started
}

/** A broker with one consumer that records the ids it receives. */
async function consuming(concurrency: number, work: (id: string) => Promise<void> = async () => {}) {
  const broker = createInProcessBroker({ stopTimeoutMs: 500 })
  endings.push(() => broker.close())
  const handed: string[] = []
  const consumption = await broker.consume(concurrency, async ({ id }) => {
    handed.push(id)
    await work(id)
  })
  return { broker, handed, consumption }
}

/** The real database; `hold` runs before a claim's rows are returned. */
function withClaimsHeld(hold: () => Promise<void>): Database {
  return {
    query: async (statement, ...values) => {
      const rows = await db.query(statement, ...values)
      if (statement.name === 'claim_outbox_rows' && rows.length > 0) await hold()
      return rows
    },
    transaction: (work) => db.transaction(work),
    usage: () => db.usage(),
    close: () => db.close(),
  }
}

/** The real database; records the time of each claim, in milliseconds. */
function withClaimTimes(claimedAtMs: number[]): Database {
  return {
    query: (statement, ...values) => {
      if (statement.name === 'claim_outbox_rows') claimedAtMs.push(performance.now())
      return db.query(statement, ...values)
    },
    transaction: (work) => db.transaction(work),
    usage: () => db.usage(),
    close: () => db.close(),
  }
}

const gapsOf = (timesMs: readonly number[]) =>
  timesMs.slice(1).map((timeMs, place) => timeMs - (timesMs[place] ?? Number.NaN))

const untilEmpty = () => vi.waitFor(async () => expect(await readRows(db)).toEqual([]), WITHIN)

describe('the relay', () => {
  test('publishes committed rows in order when woken, and deletes them once confirmed', async () => {
    const { broker, handed } = await consuming(1)
    const started = relay(broker, { pollMs: NEVER_MS, leaseMs: NEVER_MS })
    const ids = await queueRows(db, 30)
    started.wake()
    await untilEmpty()
    expect(handed).toEqual(ids)
  })

  test('collects rows that follow each other closely in rounds of 25 ms', async () => {
    const { broker, handed } = await consuming(200)
    const claimedAtMs: number[] = []
    const started = relay(broker, { database: withClaimTimes(claimedAtMs), pollMs: NEVER_MS })
    const ids: string[] = []
    for (let count = 1; count <= 30; count += 1) {
      ids.push(...(await queueRows(db, 1)))
      started.wake()
    }
    await untilEmpty()
    expect(new Set(handed)).toEqual(new Set(ids))
    expect(claimedAtMs.length).toBeGreaterThan(1)
    // Timers of Node may be early by less than a millisecond.
    expect(Math.min(...gapsOf(claimedAtMs))).toBeGreaterThan(23)
  })

  test('does not pause while a full claim leaves rows', async () => {
    const { broker } = await consuming(5)
    const claimedAtMs: number[] = []
    await queueRows(db, 60)
    relay(broker, { database: withClaimTimes(claimedAtMs), pollMs: NEVER_MS, batchSize: 1 })
    await untilEmpty()
    expect(claimedAtMs.length).toBeGreaterThanOrEqual(60)
    expect(Math.min(...gapsOf(claimedAtMs))).toBeLessThan(20)
  })

  test('finds the rows of other processes without being woken', async () => {
    const { broker, handed } = await consuming(5)
    relay(broker, { pollMs: 50 })
    const ids: string[] = []
    for (let count = 1; count <= 3; count += 1) {
      ids.push(...(await queueRows(db, 1)))
      await untilEmpty()
    }
    expect(handed).toEqual(ids)
  })

  test('publishes a row that was committed during a claim without waiting for the poll', async () => {
    const { broker, handed } = await consuming(10)
    const late: string[] = []
    const database = withClaimsHeld(async () => {
      if (late.length === 5) return
      late.push(...(await queueRows(db, 1)))
      started.wake()
    })
    const started = relay(broker, { database, pollMs: NEVER_MS, leaseMs: NEVER_MS })
    await queueRows(db, 1)
    started.wake()
    await vi.waitFor(() => expect(handed).toHaveLength(6), WITHIN)
    expect(handed.slice(1)).toEqual(late)
    await untilEmpty()
  })

  test('leaves messages unclaimed without a consumer, and publishes them once there is one', async () => {
    const broker = createInProcessBroker()
    endings.push(() => broker.close())
    const started = relay(broker, { pollMs: NEVER_MS, leaseMs: NEVER_MS })
    const ids = await queueRows(db, 3)
    started.wake()
    expect((await readRows(db)).map((row) => row.claimed_until)).toEqual([null, null, null])
    const handed: string[] = []
    const claims: number[][] = []
    await broker.consume(1, async ({ id }) => {
      handed.push(id)
      claims.push((await readRows(db)).map((row) => row.claims))
    })
    await untilEmpty()
    expect(handed).toEqual(ids)
    expect(claims[0]).toEqual([1, 0, 0])
  })

  test('claims no more rows than the broker has capacity for', async () => {
    const work = gate()
    const { broker, handed } = await consuming(2, () => work.passed)
    const started = relay(broker, { pollMs: 20 })
    const ids = await queueRows(db, 5)
    started.wake()
    await vi.waitFor(() => expect(handed).toHaveLength(2), WITHIN)
    started.wake()
    expect((await readRows(db)).filter((row) => row.is_due).map((row) => row.subject_id)).toEqual(
      ids.slice(2),
    )
    work.open()
    await untilEmpty()
    expect(handed).toEqual(ids)
  })

  test('retries a message whose handler throws with growing pauses, without delaying others', async () => {
    const triedAtMs: number[] = []
    const [bad = ''] = await queueRows(db, 1)
    const others = await queueRows(db, 20)
    const { broker, handed } = await consuming(1, async (id) => {
      if (id !== bad) return
      triedAtMs.push(performance.now())
      const othersAreDone = others.every((other) => handed.includes(other))
      if (triedAtMs.length < 4 || !othersAreDone) throw new Error('the compiler is missing')
    })
    const logger = keepLog()
    relay(broker, { logger, pollMs: 20 })
    await untilEmpty()
    expect(handed.filter((id) => id !== bad)).toEqual(others)
    const [third = 0, last = 0] = triedAtMs.slice(-2)
    expect(last - third).toBeGreaterThan(450)
    expect(logger.lines.map((line) => line.level)).toContain('warn')
  })

  test('several relays on one database publish each row once', async () => {
    const consumers = await Promise.all([consuming(7), consuming(7), consuming(7)])
    const relays = consumers.map(({ broker }) => relay(broker, { pollMs: 10, batchSize: 5 }))
    const ids = (await Promise.all(Array.from({ length: 6 }, () => queueRows(db, 50)))).flat()
    for (const one of relays) one.wake()
    await untilEmpty()
    const handed = consumers.flatMap((consumer) => consumer.handed)
    expect(handed.sort()).toEqual(ids.sort())
  })
})

describe('a lease', () => {
  test('is extended while the worker is busy: no other relay publishes the row', async () => {
    const work = gate()
    const slow = await consuming(1, () => work.passed)
    relay(slow.broker, { leaseMs: 600 })
    const ids = await queueRows(db, 1)
    await vi.waitFor(() => expect(slow.handed).toEqual(ids), WITHIN)
    const other = await consuming(1)
    relay(other.broker, { pollMs: 20 })
    const ends = new Set<string | null | undefined>()
    await vi.waitFor(async () => {
      const [row] = await readRows(db)
      expect(row?.is_due).toBe(false)
      ends.add(row?.claimed_until)
      expect(ends.size).toBe(6)
    }, WITHIN)
    work.open()
    await untilEmpty()
    expect([slow.handed, other.handed]).toEqual([ids, []])
  })

  test('keeps the rows of a dead relay until it ends, and no longer', async () => {
    const ids = await queueRows(db, 3)
    await claimMessages(db, 3, 700)
    const [abandoned] = await readRows(db)
    const { broker, handed } = await consuming(3, async () => {
      const [row] = await db.query(
        unprepared<{ has_ended: boolean }>('select now() >= $1::timestamptz as has_ended'),
        [abandoned?.claimed_until ?? null],
      )
      if (!row?.has_ended) handed.push('too early')
    })
    relay(broker, { pollMs: 20 })
    await untilEmpty()
    expect(handed.sort()).toEqual(ids.sort())
  })
})

describe('stopping', () => {
  test('waits for published messages, deletes their rows and claims no more', async () => {
    const work = gate()
    const { broker, handed } = await consuming(2, () => work.passed)
    const started = relay(broker, { drainMs: 10_000, pollMs: 20 })
    const ids = await queueRows(db, 3)
    started.wake()
    await vi.waitFor(() => expect(handed).toHaveLength(2), WITHIN)
    const stopped = started.stop()
    started.wake()
    work.open()
    await stopped
    const rest = await readRows(db)
    expect(rest.map((row) => [row.subject_id, row.claims, row.is_due])).toEqual([[ids[2], 0, true]])
    expect(handed).toEqual(ids.slice(0, 2))
  })

  test('releases rows that are not confirmed in time', async () => {
    const work = gate()
    const { broker, handed } = await consuming(1, () => work.passed)
    const started = relay(broker, { drainMs: 50, leaseMs: NEVER_MS })
    const ids = await queueRows(db, 1)
    started.wake()
    await vi.waitFor(() => expect(handed).toEqual(ids), WITHIN)
    await started.stop()
    expect((await readRows(db)).map((row) => row.is_due)).toEqual([true])
    work.open()
  })

  test('releases the rows of a running claim', async () => {
    const { broker, handed } = await consuming(1)
    const claimed = gate()
    const goOn = gate()
    const database = withClaimsHeld(async () => {
      claimed.open()
      await goOn.passed
    })
    await queueRows(db, 1)
    const started = relay(broker, { database, drainMs: 10_000, leaseMs: NEVER_MS })
    await claimed.passed
    const stopped = started.stop()
    goOn.open()
    await stopped
    expect((await readRows(db)).map((row) => row.is_due)).toEqual([true])
    expect(handed).toEqual([])
  })

  test('is idempotent', async () => {
    const started = relay((await consuming(1)).broker)
    await Promise.all([started.stop(), started.stop()])
  })
})

// PGlite runs inside the process: no second process, and no connection to lose.
describe.runIf(process.env.TEST_DATABASE_URL)('when a process is killed', () => {
  test('another relay publishes its rows once their leases end', async () => {
    const ids = await queueRows(db, 3)
    const script = fileURLToPath(new URL('./doomed-relay.ts', import.meta.url))
    const doomed = spawn(process.execPath, ['--import', 'tsx', script, opened.url ?? '', '1500'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    endings.push(async () => doomed.kill('SIGKILL'))
    let printed = ''
    doomed.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
    await vi.waitFor(() => expect(printed.trim().split('\n').sort()).toEqual([...ids].sort()), WITHIN)
    doomed.kill('SIGKILL')
    await once(doomed, 'exit')
    expect((await readRows(db)).map((row) => row.is_due)).toEqual([false, false, false])
    const { broker, handed } = await consuming(3)
    relay(broker, { pollMs: 20 })
    await untilEmpty()
    expect(handed.sort()).toEqual([...ids].sort())
  })
})

describe.runIf(process.env.TEST_DATABASE_URL)('during an outage of PostgreSQL', () => {
  async function overProxy() {
    const url = new URL(opened.url ?? '')
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) })
    endings.push(() => proxy.close())
    url.host = `127.0.0.1:${proxy.port}`
    const database = openPostgres({
      url: url.href,
      poolSize: 4,
      statementTimeoutMs: 5000,
      connectTimeoutMs: 1000,
    })
    endings.push(() => database.close())
    return { proxy, database }
  }

  test('the relay keeps trying, logs it once, and continues afterwards', async () => {
    const { proxy, database } = await overProxy()
    const { broker, handed } = await consuming(5)
    const logger = keepLog()
    relay(broker, { database, logger, pollMs: 20 })
    const before = await queueRows(db, 1)
    await vi.waitFor(() => expect(handed).toEqual(before), WITHIN)
    proxy.cut()
    const during = await queueRows(db, 3)
    const triesBefore = proxy.connectionCount
    await vi.waitFor(() => expect(proxy.connectionCount).toBeGreaterThan(triesBefore + 3), WITHIN)
    expect(logger.lines.map((line) => line.level)).toEqual(['error'])
    proxy.restore()
    await untilEmpty()
    expect(handed).toEqual([...before, ...during])
    expect(logger.lines.map((line) => line.level)).toEqual(['error', 'info'])
  })

  test('a confirmed message is not published again, even if its lease ends before the deletion', async () => {
    const { proxy, database } = await overProxy()
    const work = gate()
    const { broker, handed } = await consuming(5, () => work.passed)
    relay(broker, { database, pollMs: 20, leaseMs: 500 })
    const ids = await queueRows(db, 1)
    await vi.waitFor(() => expect(handed).toEqual(ids), WITHIN)
    proxy.cut()
    work.open()
    await vi.waitFor(
      async () => expect((await readRows(db)).map((row) => row.is_due)).toEqual([true]),
      WITHIN,
    )
    proxy.restore()
    await untilEmpty()
    expect(handed).toEqual(ids)
  })
})
