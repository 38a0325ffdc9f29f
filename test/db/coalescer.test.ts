import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { actorStatement } from '../../src/db/actor-statement.ts'
import { coalescedStatement } from '../../src/db/batch-form.ts'
import { coalesceStatements } from '../../src/db/coalescer.ts'
import { DatabaseError, DatabaseUnavailable, StatementUnwanted } from '../../src/db/database.ts'
import { unprepared } from '../../src/db/statement.ts'
import { openPool, openTestDatabase } from '../support/database.ts'
import { onPostgres } from '../support/needs.ts'
import { observeStatements } from '../support/observed-statements.ts'

const { database, url = '' } = await openTestDatabase()
const coalesced = coalesceStatements(database, { reads: 1, writes: 1 })
await database.transaction((tx) =>
  tx.execute('create table counters (name text primary key, count integer not null check (count < 100))'),
)
afterAll(() => database.transaction((tx) => tx.execute('drop table counters')))

const double = coalescedStatement({
  name: 'double_number',
  params: { number: 'integer', words: 'text[]' },
  columns: { doubled: 'integer', words: 'text[]' },
  sql: 'select :number * 2 as doubled, :words as words where :number <> 13',
})

const divide = coalescedStatement({
  name: 'divide_number',
  params: { number: 'integer' },
  columns: { quotient: 'integer' },
  sql: 'select 12 / :number as quotient',
})

const anonymous = { actor: null, actor_role: 0, actor_session: null }

const add = actorStatement({
  name: 'add_to_counter',
  coalesced: { writesApart: 'name' },
  params: { name: 'text', count: 'integer' },
  columns: { count: 'integer' },
  with: `locked as (
      select requests.place, counters.name
      from requests
      join counters on counters.name = :name
      order by counters.name
      for update of counters
    ), added as (
      update counters
      set count = counters.count + :count
      from requests
      join locked using (place)
      where counters.name = locked.name
      returning counters.name, counters.count
    )`,
  select: 'select added.count from added where added.name = :name',
})
const addSlowly = actorStatement({
  name: 'add_slowly',
  coalesced: 'writes',
  params: { name: 'text' },
  with: `added as (
      update counters
      set count = counters.count + 1
      from requests
      where counters.name = :name and pg_sleep(10) is not null
      returning counters.name
    )`,
  select: 'select added.name from added where added.name = :name',
})

const endSleepingSession = unprepared(`
  select pg_terminate_backend(activity.pid)
  from pg_stat_activity as activity
  where activity.datname = current_database() and activity.wait_event = 'PgSleep'`)

const addTo = (name: string, count: number) => coalesced.query(add, { ...anonymous, name, count })

const readCount = unprepared<{ count: number }>('select count from counters where name = $1')
const countOf = async (name: string) => (await database.query(readCount, [name]))[0]?.count

let names: string[] = []
beforeEach(async () => {
  await database.transaction((tx) =>
    tx.execute(`truncate counters; insert into counters select 'c' || n, 0 from generate_series(1, 9) as n`),
  )
  names = []
  return observeStatements(database, (name) => names.push(name))
})

describe('requests of one statement', () => {
  it('that arrive together run as one, and each gets its own rows, or none', async () => {
    const words = ['', 'a "b" \\', '{},', 'NULL', 'é']
    const answers = [1, 13, 3, 4].map((number) => coalesced.query(double, { number, words }))
    expect(await Promise.all(answers)).toEqual([
      [expect.objectContaining({ doubled: 2, words })],
      [],
      [expect.objectContaining({ doubled: 6, words })],
      [expect.objectContaining({ doubled: 8, words })],
    ])
    expect(names).toEqual(['double_number_batch'])
  })

  it('run 64 at a time, and at most 1 MiB of texts', async () => {
    await Promise.all(
      Array.from({ length: 150 }, (_, number) => coalesced.query(double, { number: number + 20, words: [] })),
    )
    expect(names).toEqual(Array(3).fill('double_number_batch'))
    names = []
    const words = ['x'.repeat(400_000)]
    await Promise.all([1, 2, 3].map((number) => coalesced.query(double, { number, words })))
    expect(names).toEqual(['double_number_batch', 'double_number'])
  })

  it('wait for a statement in flight, and then share the next one', async () => {
    const first = coalesced.query(double, { number: 1, words: [] })
    await new Promise(setImmediate)
    await Promise.all([first, ...[2, 3].map((number) => coalesced.query(double, { number, words: [] }))])
    expect(names).toEqual(['double_number', 'double_number_batch'])
  })

  it('get an error of their own, and none of the others', async () => {
    const outcomes = await Promise.allSettled([1, 0, 3].map((number) => coalesced.query(divide, { number })))
    expect(outcomes).toMatchObject([
      { value: [{ quotient: 12 }] },
      { reason: expect.any(DatabaseError) },
      { value: [{ quotient: 4 }] },
    ])
    expect(names[0]).toBe('divide_number_batch')
  })

  it('are not run once nobody waits for them', async () => {
    const waiting = (isWaiting: boolean) =>
      coalesced
        .forRequest({ isWaiting: () => isWaiting, isUrgent: false })
        .query(double, { number: 1, words: [] })
    const [gone, ...others] = await Promise.allSettled([waiting(false), waiting(true), waiting(true)])
    expect(gone).toMatchObject({ reason: expect.any(StatementUnwanted) })
    expect(others).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }])
  })
})

describe('coalesced writes', () => {
  it('are all stored, those of one key in batches of their own', async () => {
    const rows = await Promise.all([
      addTo('c1', 1),
      addTo('c2', 5),
      addTo('c1', 1),
      addTo('c9', 2),
      addTo('c1', 1),
    ])
    expect(rows.map(([first]) => first?.count)).toEqual([1, 5, 2, 2, 3])
    expect(names.filter((name) => name.startsWith('add_to_counter'))).toEqual([
      'add_to_counter_batch',
      'add_to_counter',
      'add_to_counter',
    ])
  })

  it('are stored although one of them violates a constraint', async () => {
    const outcomes = await Promise.allSettled([
      addTo('c1', 1),
      addTo('c2', 100),
      addTo('c3', 1),
      addTo('none', 1),
    ])
    expect(outcomes).toMatchObject([
      { value: [{ count: 1 }] },
      { reason: { constraint: 'counters_count_check' } },
      { value: [{ count: 1 }] },
      { value: [{ is_found: null }] },
    ])
    expect([await countOf('c1'), await countOf('c2'), await countOf('c3')]).toEqual([1, 0, 1])
  })
})

describe('on PostgreSQL', onPostgres, () => {
  it('a request that waits for a lock delays only itself', async () => {
    let others: Promise<unknown> = Promise.resolve()
    let blocked: Promise<unknown> = Promise.resolve()
    await database.transaction(async (tx) => {
      await tx.execute(`update counters set count = 50 where name = 'c2'`)
      blocked = addTo('c2', 1)
      others = Promise.all([addTo('c1', 1), addTo('c3', 1)])
      await others
      expect([await countOf('c1'), await countOf('c3')]).toEqual([1, 1])
    })
    expect(await blocked).toMatchObject([{ count: 51 }])
  })

  it('no write of a batch is run again whose connection was lost', async () => {
    const victim = openPool(url)
    const ran: string[] = []
    observeStatements(victim, (name) => ran.push(name))
    const own = coalesceStatements(victim, { reads: 1, writes: 1 })
    const answers = Promise.allSettled(
      ['c1', 'c2', 'c3'].map((name) => own.query(addSlowly, { ...anonymous, name })),
    )
    let ended = 0
    while (ended === 0) ended = (await database.query(endSleepingSession)).length
    expect(await answers).toMatchObject(Array(3).fill({ reason: expect.any(DatabaseUnavailable) }))
    expect(ran).toEqual(['add_slowly_batch'])
    expect([await countOf('c1'), await countOf('c2'), await countOf('c3')]).toEqual([0, 0, 0])
  })
})
