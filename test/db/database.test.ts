import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, test } from 'vitest'
import { type Database, DatabaseError, type Transaction } from '../../src/db/database.ts'
import { openPglite } from '../../src/db/pglite.ts'
import { openPools, shareConnections } from '../../src/db/pools.ts'
import { unprepared, type Value } from '../../src/db/statement.ts'
import { databaseKind, openTestDatabase, type TestDatabase } from '../support/database.ts'
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

const insertParent = unprepared<{ id: number }>('insert into parents (id) values ($1) returning id')
const insertChild = unprepared('insert into children (id, parent_id, amount) values ($1, $2, $3)')

async function parents(): Promise<number[]> {
  const rows = await db.database.query(
    unprepared<{ id: number }>('select parents.id from parents order by parents.id'),
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
  const echo = unprepared<{ value: number }>('select $1::integer as value')
  const answers = await Promise.all(
    numbers.map(async (number) => {
      if (number % 10 === 0) await db.database.transaction((tx) => tx.query(insertParent, [number]))
      return db.database.query(echo, [number])
    }),
  )
  expect(answers).toEqual(numbers.map((value) => [{ value }]))
  expect(await parents()).toEqual(numbers.filter((number) => number % 10 === 0))
})

interface Opened {
  readonly database: Database
  close(): Promise<void>
}

async function openEmptyPglite(): Promise<Opened> {
  const dataDir = await mkdtemp(join(tmpdir(), 'judge-test-'))
  const database = await openPglite({ dataDir })
  const close = async (): Promise<void> => {
    await database.close()
    await rm(dataDir, { recursive: true })
  }
  return { database, close }
}

const ports: [string, () => Promise<TestDatabase | Opened>][] =
  databaseKind === 'postgres'
    ? [
        ['pg', openTestDatabase],
        ['PGlite', openEmptyPglite],
      ]
    : [['PGlite', openTestDatabase]]

const uuid = '0190a7c4-2f1e-7c3b-9d55-6f0a3b1c2d4e'
const strange = [
  '',
  ' ',
  'NULL',
  'null',
  '{}',
  '{a,b}',
  '"',
  "'",
  '\\',
  '\\"',
  '\\x41',
  'a,b',
  ' padded ',
  'line\nfeed\r\n\ttab',
  '$1',
  '%s',
  "'; drop table users; --",
  'Zoë 試験 🧪 e\u0301 \u200b\ufeff\uffff\u0001\u007f',
]

// The type, what is bound, and what comes back where that differs.
const cases: [string, Value, unknown?][] = [
  ...strange.map((text): [string, Value] => ['text', text]),
  ['text', 'x'.repeat(3_000_000)],
  ['text', null],
  ['text', 42, '42'],
  ['text', true, 'true'],
  ['text[]', []],
  ['text[]', strange],
  ['text[]', [null, ...strange, null]],
  ['uuid', uuid],
  ['uuid', null],
  ['uuid[]', []],
  ['uuid[]', [uuid, null, uuid]],
  ['integer', 0],
  ['integer', -2_147_483_648],
  ['integer', '42', 42],
  ['integer', null],
  ['integer[]', []],
  ['integer[]', [1, null, -3]],
  ['bigint', 1, '1'],
  ['bigint', '9223372036854775807'],
  ['bigint[]', ['9007199254740993', null]],
  ['boolean', true],
  ['boolean', false],
  ['boolean', null],
  ['boolean[]', []],
  ['boolean[]', [true, null, false]],
  ['double precision', 0.1],
  ['double precision', -1.7976931348623157e308],
  ['double precision', 5e-324],
  ['double precision', 10],
  ['double precision', null],
  ['double precision[]', [0.1, null, 1e21]],
]

describe.each(ports)('a value comes back as it was bound, through %s', (_name, open) => {
  let opened: Opened
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())

  async function echo(type: string, value: Value): Promise<unknown> {
    const text = `select $1::${type} as value`
    const rows = await opened.database.query(unprepared<{ value: unknown }>(text), [value])
    return rows[0]?.value
  }

  test.each(cases)('%s, case %#', async (type, value, expected = value) => {
    expect(await echo(type, value)).toEqual(expected)
  })

  test('any texts in an array', async () => {
    const text = fc.string({ unit: 'binary' }).filter((candidate) => !candidate.includes('\0'))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(text)), async (texts) => {
        expect(await echo('text[]', texts)).toEqual(texts)
      }),
    )
  })

  test('any finite number as a double', async () => {
    // PostgreSQL keeps the sign of a zero, the text of a bound number does not.
    const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
    await fc.assert(
      fc.asyncProperty(number, async (value) => {
        expect(await echo('double precision', value)).toBe(value)
      }),
    )
  })

  test('JSON text reaches json and jsonb parameters, and comes back as text', async () => {
    const json = JSON.stringify({ text: strange, nested: [{ a: null }, true, 1.5] })
    const rows = await opened.database.query(
      unprepared<{ json: string; jsonb: string }>('select $1::json::text as json, $1::jsonb::text as jsonb'),
      [json],
    )
    expect(rows[0]?.json).toBe(json)
    expect(JSON.parse(rows[0]?.jsonb ?? '')).toEqual(JSON.parse(json))
  })

  test('parallel arrays become rows', async () => {
    const rows = await opened.database.query(
      unprepared(`select given.id, given.body, given.hidden, given.position
         from unnest($1::uuid[], $2::text[], $3::boolean[]) with ordinality as given (id, body, hidden, position)`),
      [
        [uuid, uuid],
        ['a"', null],
        [true, false],
      ],
    )
    expect(rows).toEqual([
      { id: uuid, body: 'a"', hidden: true, position: '1' },
      { id: uuid, body: null, hidden: false, position: '2' },
    ])
  })

  test.each([
    ['a text with U+0000', 'text', 'a\0b', '22021'],
    ['a text that is no uuid', 'uuid', 'nonsense', '22P02'],
    ['an integer out of range', 'integer', 2 ** 31, '22003'],
  ])('refuses %s by SQLSTATE and goes on', async (_what, type, value, sqlState) => {
    const err = await echo(type, value).catch((thrown: unknown) => thrown)
    expect(err).toBeInstanceOf(DatabaseError)
    expect(err).toMatchObject({ sqlState })
    expect(await echo('integer', 1)).toBe(1)
  })
})

const opened = await openTestDatabase()

const write = unprepared<{
  written: string
}>(`select utc(timestamptz 'epoch' + given.seconds * interval '1 second' + given.micros * interval '1 microsecond') as written
   from unnest($1::bigint[], $2::integer[]) with ordinality as given (seconds, micros, place)
   order by given.place`)

/** RFC 3339 with no fraction, milliseconds or microseconds, whichever is the shortest that is exact (D4). */
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

it('an instant is written as RFC 3339 in UTC, to the millisecond where that suffices, whole seconds without a fraction', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(seconds, micros), { minLength: 50, maxLength: 200 }),
      async (instants) => {
        const columns = [instants.map(([second]) => second), instants.map(([, micro]) => micro)]
        const rows = await opened.database.query(write, columns)
        expect(rows.map(({ written }) => written)).toEqual(instants.map((instant) => expected(...instant)))
      },
    ),
    { numRuns: 20 },
  )
})

const limits = { poolSize: 4 }
const version = unprepared<{ version: string }>('select version() as version')

test.runIf(databaseKind === 'postgres')(
  'with an address the server has it, and no folder is made',
  async () => {
    const db = await openTestDatabase()
    onTestFinished(() => db.close())
    const folder = await makeTemporaryFolder()
    const pools = await openPools({ ...limits, databaseUrl: db.url, dataDir: join(folder, 'data') })
    expect((await pools.quick.query(version))[0]?.version).not.toContain('PGlite')
    await pools.close()
    expect(await readdir(folder)).toEqual([])
  },
)

test.runIf(databaseKind === 'postgres')('no pool changes what the server does for durability', async () => {
  const db = await openTestDatabase()
  onTestFinished(() => db.close())
  const pools = await openPools({ ...limits, databaseUrl: db.url, dataDir: '' })
  onTestFinished(() => pools.close())
  const changed = unprepared<{ name: string }>(`select pg_settings.name from pg_settings
     where pg_settings.source in ('client', 'session') and pg_settings.name in ('synchronous_commit', 'jit')`)
  // That what a pool sets when it connects would be seen.
  for (const pool of [pools.quick, pools.lists, pools.bulk, pools.background])
    expect(await pool.query(changed)).toEqual([{ name: 'jit' }])
})

test.each([4, 5, 10, 100, 1000])(
  'of %i connections every pool has one at least, and no more are opened',
  (poolSize) => {
    const shares = Object.values(shareConnections(poolSize))
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(1)
    expect(shares.reduce((sum, share) => sum + share)).toBe(poolSize)
  },
)
