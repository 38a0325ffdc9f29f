import { expect, onTestFinished, test } from 'vitest'
import { DatabaseOverloaded } from '../../src/db/database.ts'
import { openPglite } from '../../src/db/pglite.ts'
import { unprepared } from '../../src/db/statement.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const MAX_WAITING = 30
const OFFERED = 10 * MAX_WAITING

const one = unprepared('select 1 as one')
const offer = unprepared('insert into offered (number) values ($1)')
const selectOffered = unprepared<{ number: number }>('select number from offered order by number')

test('under overload as many statements are served as may wait; others are refused at once and never run; background work takes every second turn', async () => {
  const bounds = { maxWaiting: MAX_WAITING, requestMs: 600_000, backgroundMs: 600_000 }
  const database = await openPglite({ dataDir: await makeTemporaryFolder(), bounds })
  onTestFinished(() => database.close())
  await database.query(unprepared('create table offered (number integer primary key)'))
  const order: string[] = []
  const served: number[] = []
  const refused: unknown[] = []
  const ask = (number: number) =>
    database
      .forRequest({ isWaiting: () => true, isUrgent: false })
      .query(offer, [number])
      .then(
        () => {
          served.push(number)
          order.push('served')
        },
        (err) => {
          refused.push(err)
          order.push('refused')
        },
      )
  const background = async () => {
    for (let count = 0; count < MAX_WAITING; count += 1) {
      await database.query(one)
      order.push('background')
    }
  }
  const relay = background()
  await Promise.all([...Array.from({ length: OFFERED }, (_, number) => ask(number)), relay])
  expect(served).toHaveLength(MAX_WAITING)
  expect(await database.query(selectOffered)).toEqual(served.map((number) => ({ number })))
  for (const err of refused) expect(err).toBeInstanceOf(DatabaseOverloaded)
  expect(order.slice(0, refused.length)).not.toContain('served')
  expect(order.slice(-10)).toContain('background')
})
