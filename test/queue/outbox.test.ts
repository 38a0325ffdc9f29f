import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Database, Queryable } from '../../src/db/database.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { unprepared } from '../../src/db/statement.ts'
import { type Claim, claimMessages, deleteMessages, endClaims, queuedFrom } from '../../src/queue/outbox.ts'
import { openTestDatabase } from '../support/database.ts'
import { emptyOutbox, queueRows, readRows } from '../support/queue.ts'
import { until } from '../support/until.ts'

const LONG_MS = 60_000

const { database: db, url } = await openTestDatabase()
beforeEach(() => emptyOutbox(db))

const idsOf = (rows: { subject_id: string }[]) => rows.map((row) => row.subject_id)
const dueIds = async () => idsOf((await readRows(db)).filter((row) => row.is_due))

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
  test('takes the oldest unclaimed rows first, at most the limit, with the time of queueing', async () => {
    const ids = await queueRows(db, 5)
    const messages = await claimMessages(db, 3, LONG_MS)
    expect(messages.map((message) => message.body.id)).toEqual(ids.slice(0, 3))
    expect(await dueIds()).toEqual(ids.slice(3))
    expect(Math.abs(Date.parse(messages[0]?.enqueuedAt ?? '') - Date.now())).toBeLessThan(60_000)
    expect((await claimMessages(db, 9, LONG_MS)).map((message) => message.body.id)).toEqual(ids.slice(3))
  })

  test('never takes a row that a concurrent claim takes', async () => {
    const ids = await queueRows(db, 200)
    const claims = await Promise.all(Array.from({ length: 12 }, () => claimMessages(db, 20, LONG_MS)))
    const rest = await claimMessages(db, 200, LONG_MS)
    const claimed = [...claims.flat(), ...rest].map((message) => message.body.id)
    expect(claimed.sort()).toEqual(ids.sort())
  })

  test('takes a row again after its lease has ended', async () => {
    await queueRows(db, 1)
    const [first] = await claimMessages(db, 1, 1)
    await until(async () => {
      expect(await claimMessages(db, 1, LONG_MS)).toEqual([{ ...first, claims: 2 }])
    })
    expect(first?.claims).toBe(1)
  })

  test('can end at once, be extended, or be confirmed, which deletes exactly its rows', async () => {
    const [early, extended, confirmed, unclaimed] = await queueRows(db, 4)
    const claims = await claimMessages(db, 3, 1)
    await endClaims(db, claims, (claim) => (claim.outboxId === claims[0]?.outboxId ? 0 : LONG_MS))
    expect(await dueIds()).toEqual([early, unclaimed])
    expect(idsOf(await readRows(db))).toEqual([early, extended, confirmed, unclaimed])
    await deleteMessages(db, claims.slice(2))
    expect(idsOf(await readRows(db))).toEqual([early, extended, unclaimed])
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

describe('synchronous commit', () => {
  let held: readonly Claim[] = []
  const unknown = { outboxId: '1', claims: 1 }
  const setting = unprepared<{ synchronous_commit: string }>('show synchronous_commit')
  const readSetting = async (queryable: Queryable) => (await queryable.query(setting))[0]?.synchronous_commit

  test.each<[string, string, (tx: Queryable) => Promise<unknown>]>([
    ['off in the transaction of a claim', 'off', (tx) => claimMessages(tx, 1, LONG_MS)],
    ['off in the transaction of a deletion', 'off', (tx) => deleteMessages(tx, [unknown, ...held])],
    ['on in the transaction of an extended lease', 'on', (tx) => endClaims(tx, [unknown], () => LONG_MS)],
  ])('is %s', async (_, expected, run) => {
    await queueRows(db, 2)
    held = await claimMessages(db, 1, LONG_MS)
    await db.transaction(async (tx) => {
      await tx.execute('set local synchronous_commit = on')
      await run(tx)
      expect(await readSetting(tx)).toBe(expected)
    })
  })

  /** PGlite has only one connection. */
  function openOneConnection(): Database {
    if (url === undefined) return db
    const one = openPostgres({ url, poolSize: 1, statementTimeoutMs: 10_000, connectTimeoutMs: 10_000 })
    onTestFinished(() => one.close())
    return one
  }

  test('is unchanged for later statements on the same connection', async () => {
    const only = openOneConnection()
    const before = await readSetting(only)
    await queueRows(only, 1)
    await deleteMessages(only, await claimMessages(only, 1, LONG_MS))
    expect(await readSetting(only)).toBe(before)
  })
})
