import { beforeEach, expect, test } from 'vitest'
import { DatabaseError, statement, type Transaction } from '../../src/db/database.ts'
import { openTestDatabase } from '../support/database.ts'

const db = await openTestDatabase()
await db.database.transaction((tx) =>
  tx.execute(`
      create table parents (id integer constraint parents_pkey primary key);
      create table children (
        id        integer constraint children_pkey primary key,
        parent_id integer not null constraint children_parent_id_fkey references parents (id)
                  deferrable initially immediate,
        amount    integer constraint children_amount_check check (amount > 0)
      );`),
)
beforeEach(() => db.database.transaction((tx) => tx.execute('truncate parents, children')))

const insertParent = statement<{ id: number }>(
  'insert_parent',
  'insert into parents (id) values ($1) returning id',
)
const insertChild = statement(
  'insert_child',
  'insert into children (id, parent_id, amount) values ($1, $2, $3)',
)

async function parents(): Promise<number[]> {
  const rows = await db.database.query(
    statement<{ id: number }>('read_parents', 'select parents.id from parents order by parents.id'),
  )
  return rows.map((row) => row.id)
}

test('a transaction that ends well is kept, and answers what its work answers', async () => {
  const answer = await db.database.transaction(async (tx) => {
    const [row] = await tx.query(insertParent, [1])
    await tx.execute('insert into parents (id) values (2); insert into parents (id) values (3)')
    return row?.id
  })
  expect(answer).toBe(1)
  expect(await parents()).toEqual([1, 2, 3])
})

test('a throw rolls the transaction back and is thrown on', async () => {
  const thrown = new Error('changed its mind')
  const work = db.database.transaction(async (tx) => {
    await tx.query(insertParent, [1])
    throw thrown
  })
  await expect(work).rejects.toBe(thrown)
  expect(await parents()).toEqual([])
})

test('a failed statement rolls the transaction back even if its error is caught', async () => {
  const work = db.database.transaction(async (tx) => {
    await tx.query(insertParent, [1])
    await tx.query(insertParent, [1]).catch(() => undefined)
  })
  await expect(work).rejects.toMatchObject({ sqlState: '23505' })
  expect(await parents()).toEqual([])
})

test('a constraint that is checked at the commit fails the transaction', async () => {
  const work = db.database.transaction(async (tx) => {
    await tx.execute('set constraints children_parent_id_fkey deferred')
    await tx.query(insertChild, [1, 404, 1])
  })
  await expect(work).rejects.toMatchObject({ sqlState: '23503', constraint: 'children_parent_id_fkey' })
  expect(await parents()).toEqual([])
})

test('no statement runs in a transaction that has ended', async () => {
  let kept: Transaction | undefined
  await db.database.transaction(async (tx) => {
    kept = tx
  })
  await expect(kept?.query(insertParent, [1])).rejects.toThrow('has ended')
  await expect(kept?.execute('insert into parents (id) values (1)')).rejects.toThrow('has ended')
  expect(await parents()).toEqual([])
})

test('statements outside do not see what a transaction has not committed', async () => {
  let before: Promise<number[]> | undefined
  await db.database.transaction(async (tx) => {
    await tx.query(insertParent, [1])
    before = parents()
    // PGlite answers it after this transaction, PostgreSQL within.
    await tx.query(insertParent, [2])
  })
  expect([[], [1, 2]]).toContainEqual(await before)
  expect(await parents()).toEqual([1, 2])
})

test.each([
  ['unique', insertParent, [1], '23505', 'parents_pkey'],
  ['foreign key', insertChild, [1, 404, 1], '23503', 'children_parent_id_fkey'],
  ['check', insertChild, [1, 1, 0], '23514', 'children_amount_check'],
  ['not null', insertChild, [1, null, 1], '23502', undefined],
] as const)(
  'a %s violation arrives with its SQLSTATE and constraint',
  async (_kind, refused, values, ...[sqlState, constraint]) => {
    await db.database.query(insertParent, [1])
    const err = await db.database.query(refused, values).catch((thrown: unknown) => thrown)
    expect(err).toBeInstanceOf(DatabaseError)
    expect(err).toMatchObject({ sqlState, constraint })
  },
)

test('hundreds of statements and transactions at once are all answered, each with its own rows', async () => {
  const numbers = Array.from({ length: 300 }, (_, index) => index)
  const echo = statement<{ value: number }>('echo', 'select $1::integer as value')
  const answers = await Promise.all(
    numbers.map(async (number) => {
      if (number % 10 === 0) await db.database.transaction((tx) => tx.query(insertParent, [number]))
      return db.database.query(echo, [number])
    }),
  )
  expect(answers).toEqual(numbers.map((value) => [{ value }]))
  expect(await parents()).toEqual(numbers.filter((number) => number % 10 === 0))
})
