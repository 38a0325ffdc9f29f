import { expect, onTestFinished, test } from 'vitest'
import { type Database, DatabaseOverloaded } from '../../src/db/database.ts'
import { openPglite } from '../../src/db/pglite.ts'
import { unprepared } from '../../src/db/statement.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const one = unprepared('select 1 as one')
const createOffered = unprepared('create table offered (number integer primary key)')
const selectOffered = unprepared<{ number: number }>('select number from offered order by number')
/** Takes some milliseconds, so that the database is the bottleneck. */
const offer = unprepared(`insert into offered (number)
  select $1::integer from generate_series(1, 20000) having count(*) > 0`)

const anybody = () => ({ isWaiting: () => true, isUrgent: false })

/**
 * Offers three times as many statements as the database serves, each for its own request, for some
 * seconds, however fast the machine is at the moment. Waits for all of them.
 */
async function overload(database: Database, ms: number) {
  const [succeeded, refused, work]: [number[], unknown[], Promise<unknown>[]] = [[], [], []]
  const startedMs = performance.now()
  const spentMs = () => performance.now() - startedMs
  let slowestMs = 0
  const ask = async (number: number) => {
    const askedMs = performance.now()
    await database
      .forRequest(anybody())
      .query(offer, [number])
      .then(
        () => succeeded.push(number),
        (err) => refused.push(err),
      )
    slowestMs = Math.max(slowestMs, performance.now() - askedMs)
  }
  while (spentMs() < ms) {
    while (work.length < 30 + 3 * succeeded.length) work.push(ask(work.length))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  const perSecondServed = (succeeded.length / spentMs()) * 1000
  await Promise.all(work)
  return { succeeded, refused, perSecondServed, slowestMs }
}

/** Runs one statement after the other for a second; returns how many. Their numbers are negative. */
async function measureCalm(database: Database): Promise<number> {
  const before = (await database.query(selectOffered)).length
  const startedMs = performance.now()
  let count = 0
  for (; performance.now() - startedMs < 1000; count += 1) await database.query(offer, [-before - count - 1])
  return count
}

test('at three times its load the database serves as many statements as before; others are refused within seconds and never run; background work goes on', async () => {
  const database = await openPglite({ dataDir: await makeTemporaryFolder() })
  onTestFinished(() => database.close())
  const ratios: number[] = []
  // Another program may have slowed down one of the measurements.
  while (ratios.length < 3 && ratios.every((ratio) => ratio < 0.6)) {
    await database.query(createOffered)
    const before = await measureCalm(database)
    let isOver = false
    let background = 0
    const relay = (async () => {
      for (; !isOver; background += 1) await database.query(one)
    })()
    const load = await overload(database, 4000)
    isOver = true
    await relay
    const ran = (await database.query(selectOffered)).map((row) => row.number).filter((row) => row >= 0)
    expect(ran).toEqual(load.succeeded.toSorted((a, b) => a - b))
    for (const err of load.refused) expect(err).toBeInstanceOf(DatabaseOverloaded)
    expect(load.refused.length).toBeGreaterThan(load.perSecondServed)
    expect(background).toBeGreaterThan(load.perSecondServed)
    expect(load.slowestMs).toBeLessThan(4000)
    ratios.push(load.perSecondServed / Math.min(before, await measureCalm(database)))
    await database.query(unprepared('drop table offered'))
  }
  expect(Math.max(...ratios)).toBeGreaterThan(0.6)
})
