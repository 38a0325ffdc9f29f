import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import { unprepared } from '../../src/db/statement.ts'
import { claimMessages, deleteMessages, endClaims, queuedFrom } from '../../src/queue/outbox.ts'
import { openTestDatabase } from '../support/database.ts'
import { emptyOutbox, queueRows, readRows } from '../support/queue.ts'

const LONG_MS = 60_000

const { database: db, url } = await openTestDatabase()
beforeEach(() => emptyOutbox(db))

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
    const claimed = [...claims.flat(), ...rest].map((message) => message.body.id)
    expect(claimed.sort()).toEqual(ids.sort())
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
  const limits = { statementTimeoutMs: 10_000, connectTimeoutMs: 10_000 }
  // PGlite has only one connection.
  const only = url === undefined ? db : openPostgres({ url, poolSize: 1, ...limits })
  onTestFinished(() => (only === db ? undefined : only.close()))
  const setting = unprepared<{ synchronous_commit: string }>('show synchronous_commit')
  const before = await only.query(setting)
  await queueRows(only, 1)
  await deleteMessages(only, await claimMessages(only, 1, LONG_MS))
  expect(await only.query(setting)).toEqual(before)
})
