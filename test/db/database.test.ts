import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Database, DatabaseError, type Transaction } from '../../src/db/database.ts'
import { openPglite } from '../../src/db/pglite.ts'
import { openPools, shareConnections } from '../../src/db/pools.ts'
import { unprepared, type Value } from '../../src/db/statement.ts'
import { databaseKind, openTestDatabase } from '../support/database.ts'
import { onPostgres } from '../support/needs.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

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
// Without the tables, the next test file can use this database.
afterAll(() => db.database.transaction((tx) => tx.execute('drop table parents, children')))

const insertParent = unprepared<{ id: number }>('insert into parents (id) values ($1) returning id')
const insertChild = unprepared('insert into children (id, parent_id, amount) values ($1, $2, $3)')

async function parents(): Promise<number[]> {
  const rows = await db.database.query(unprepared<{ id: number }>('select id from parents order by id'))
  return rows.map((row) => row.id)
}

test('a transaction commits, and resolves to the result of its work', async () => {
  const result = await db.database.transaction(async (tx) => {
    const [row] = await tx.query(insertParent, [1])
    await tx.execute('insert into parents (id) values (2); insert into parents (id) values (3)')
    return row?.id
  })
  expect(result).toBe(1)
  expect(await parents()).toEqual([1, 2, 3])
})

test('a thrown error rolls the transaction back and is rethrown', async () => {
  const thrown = new Error('changed its mind')
  const work = db.database.transaction(async (tx) => {
    await tx.query(insertParent, [1])
    throw thrown
  })
  await expect(work).rejects.toBe(thrown)
  expect(await parents()).toEqual([])
})

test('a failed statement rolls the transaction back, even if its error is caught', async () => {
  const work = db.database.transaction(async (tx) => {
    await tx.query(insertParent, [1])
    await tx.query(insertParent, [1]).catch(() => undefined)
  })
  await expect(work).rejects.toMatchObject({ sqlState: '23505' })
  expect(await parents()).toEqual([])
})

test('a constraint that is violated at the commit fails the transaction', async () => {
  const work = db.database.transaction(async (tx) => {
    await tx.execute('set constraints children_parent_id_fkey deferred')
    await tx.query(insertChild, [1, 404, 1])
  })
  await expect(work).rejects.toMatchObject({ sqlState: '23503', constraint: 'children_parent_id_fkey' })
  expect(await parents()).toEqual([])
})

test('a transaction that has ended refuses statements', async () => {
  let kept: Transaction | undefined
  await db.database.transaction(async (tx) => {
    kept = tx
  })
  await expect(kept?.query(insertParent, [1])).rejects.toThrow('has ended')
  await expect(kept?.execute('insert into parents (id) values (1)')).rejects.toThrow('has ended')
  expect(await parents()).toEqual([])
})

test('other statements do not see uncommitted rows', async () => {
  let before: Promise<number[]> | undefined
  await db.database.transaction(async (tx) => {
    await tx.query(insertParent, [1])
    before = parents()
    // PGlite runs the read after this transaction, PostgreSQL during it.
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
  'a %s violation has its SQLSTATE and constraint',
  async (_kind, refused, values, ...[sqlState, constraint]) => {
    await db.database.query(insertParent, [1])
    const err = await db.database.query(refused, values).catch((thrown: unknown) => thrown)
    expect(err).toBeInstanceOf(DatabaseError)
    expect(err).toMatchObject({ sqlState, constraint })
  },
)

test('hundreds of concurrent statements and transactions each get their own rows', async () => {
  const numbers = Array.from({ length: 300 }, (_, index) => index)
  const echo = unprepared<{ value: number }>('select $1::integer as value')
  const echoed = await Promise.all(
    numbers.map(async (number) => {
      if (number % 10 === 0) await db.database.transaction((tx) => tx.query(insertParent, [number]))
      return db.database.query(echo, [number])
    }),
  )
  expect(echoed).toEqual(numbers.map((value) => [{ value }]))
  expect(await parents()).toEqual(numbers.filter((number) => number % 10 === 0))
})

async function openEmptyPglite(): Promise<Database> {
  const database = await openPglite({ dataDir: await makeTemporaryFolder() })
  afterAll(() => database.close())
  return database
}

/** On PostgreSQL also PGlite, so that both give the same values in one run. */
const databases: [string, Database][] = [[databaseKind, db.database]]
if (databaseKind === 'postgres') databases.push(['pglite', await openEmptyPglite()])

const uuid = '0190a7c4-2f1e-7c3b-9d55-6f0a3b1c2d4e'
const strange = [
  ...['', ' ', 'NULL', 'null', '{}', '{a,b}', '"', "'", '\\', '\\"', '\\x41', 'a,b', ' padded ', '$1', '%s'],
  ...['line\nfeed\r\n\ttab', "'; drop table users; --"],
  'Zoë 試験 🧪 e\u0301 \u200b\ufeff\uffff\u0001\u007f',
]

/** The bound values of each type, each with the value that comes back where that differs. */
const values: Record<string, [bound: Value, back?: unknown][]> = {
  text: [...strange.map((text): [Value] => [text]), ['x'.repeat(3e6)], [null], [42, '42'], [true, 'true']],
  'text[]': [[[]], [strange], [[null, ...strange, null]]],
  uuid: [[uuid], [null]],
  'uuid[]': [[[]], [[uuid, null, uuid]]],
  integer: [[0], [-2_147_483_648], ['42', 42], [null]],
  'integer[]': [[[]], [[1, null, -3]]],
  bigint: [[1, '1'], ['9223372036854775807']],
  'bigint[]': [[['9007199254740993', null]]],
  boolean: [[true], [false], [null]],
  'boolean[]': [[[]], [[true, null, false]]],
  'double precision': [[0.1], [-1.7976931348623157e308], [5e-324], [10], [null]],
  'double precision[]': [[[0.1, null, 1e21]]],
}

describe.each(databases)('%s returns bound values unchanged:', (_, database) => {
  async function echo(type: string, value: Value): Promise<unknown> {
    const text = `select $1::${type} as value`
    return (await database.query(unprepared<{ value: unknown }>(text), [value]))[0]?.value
  }

  test.each(Object.entries(values))('%s', async (type, ofType) => {
    for (const [value, expected = value] of ofType) expect(await echo(type, value)).toEqual(expected)
  })

  test('arrays of any texts', async () => {
    const text = fc.string({ unit: 'binary' }).filter((candidate) => !candidate.includes('\0'))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(text)), async (texts) => {
        expect(await echo('text[]', texts)).toEqual(texts)
      }),
    )
  })

  test('any finite double', async () => {
    // PostgreSQL keeps the sign of zero; the text of a bound number does not.
    const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
    await fc.assert(
      fc.asyncProperty(number, async (value) => {
        expect(await echo('double precision', value)).toBe(value)
      }),
    )
  })

  test('JSON text, bound as json and jsonb', async () => {
    const json = JSON.stringify({ text: strange, nested: [{ a: null }, true, 1.5] })
    const rows = await database.query(
      unprepared<{ json: string; jsonb: string }>('select $1::json::text as json, $1::jsonb::text as jsonb'),
      [json],
    )
    expect(rows[0]?.json).toBe(json)
    expect(JSON.parse(rows[0]?.jsonb ?? '')).toEqual(JSON.parse(json))
  })

  test.each([
    ['a text with U+0000', 'text', 'a\0b', '22021'],
    ['a malformed uuid', 'uuid', 'nonsense', '22P02'],
    ['an integer out of range', 'integer', 2 ** 31, '22003'],
  ])('refuses %s with its SQLSTATE, and runs the next statement', async (_what, type, value, sqlState) => {
    const err = await echo(type, value).catch((thrown: unknown) => thrown)
    expect(err).toBeInstanceOf(DatabaseError)
    expect(err).toMatchObject({ sqlState })
    expect(await echo('integer', 1)).toBe(1)
  })
})

const write = unprepared<{
  written: string
}>(`select utc(timestamptz 'epoch' + given.seconds * interval '1 second' + given.micros * interval '1 microsecond') as written
   from unnest($1::bigint[], $2::integer[]) with ordinality as given (seconds, micros, place)
   order by given.place`)

/** RFC 3339 with the shortest exact fraction (D4). */
function expected(seconds: number, micros: number): string {
  const second = new Date(seconds * 1000).toISOString().slice(0, 19)
  const digits = String(micros).padStart(6, '0')
  if (micros === 0) return `${second}Z`
  return micros % 1000 === 0 ? `${second}.${digits.slice(0, 3)}Z` : `${second}.${digits}Z`
}

const FIRST = Date.parse('0001-01-01T00:00:00Z') / 1000
const LAST = Date.parse('9999-12-31T23:59:59Z') / 1000
const seconds = fc.oneof(fc.integer({ min: FIRST, max: LAST }), fc.integer({ min: -3, max: 3 }))
const micros = fc.oneof(
  fc.integer({ min: 0, max: 999_999 }),
  fc.integer({ min: 0, max: 999 }).map((ms) => ms * 1000),
  fc.constantFrom(0, 1, 999, 1000, 100_000, 999_000, 999_999),
)

test('utc() writes an instant in RFC 3339, with the shortest exact fraction: none, milliseconds or microseconds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(seconds, micros), { minLength: 50, maxLength: 200 }),
      async (instants) => {
        const columns = [instants.map(([second]) => second), instants.map(([, micro]) => micro)]
        const rows = await db.database.query(write, columns)
        expect(rows.map(({ written }) => written)).toEqual(instants.map((instant) => expected(...instant)))
      },
    ),
    { numRuns: 20 },
  )
})

const limits = { poolSize: 4 }
const version = unprepared<{ version: string }>('select version() as version')

test('with a URL the server has the database, and no folder is made', onPostgres, async () => {
  const folder = await makeTemporaryFolder()
  const pools = await openPools({ ...limits, databaseUrl: db.url, dataDir: join(folder, 'data') })
  expect((await pools.quick.query(version))[0]?.version).not.toContain('PGlite')
  await pools.close()
  expect(await readdir(folder)).toEqual([])
})

test('no pool changes the durability settings of the server', onPostgres, async () => {
  const pools = await openPools({ ...limits, databaseUrl: db.url, dataDir: '' })
  onTestFinished(() => pools.close())
  const changed = unprepared<{ name: string }>(`select pg_settings.name from pg_settings
     where pg_settings.source in ('client', 'session') and pg_settings.name in ('synchronous_commit', 'jit')`)
  // Every pool sets jit, which shows that the query finds settings of a connection.
  for (const pool of [pools.quick, pools.lists, pools.bulk, pools.background])
    expect(await pool.query(changed)).toEqual([{ name: 'jit' }])
})

test.each([4, 5, 10, 100, 1000])(
  'of %i connections each pool gets at least one, and together they open no more',
  (poolSize) => {
    const shares = Object.values(shareConnections(poolSize))
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(1)
    expect(shares.reduce((sum, share) => sum + share)).toBe(poolSize)
  },
)
