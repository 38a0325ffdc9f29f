import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, DatabaseError, statement, type Value } from '../../src/db/database.ts'
import { openPglite } from '../../src/db/pglite.ts'
import { databaseKind, openTestDatabase, type TestDatabase } from '../support/database.ts'

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
    const rows = await opened.database.query(statement<{ value: unknown }>(`echo ${type}`, text), [value])
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
      statement<{ json: string; jsonb: string }>(
        'echo json',
        'select $1::json::text as json, $1::jsonb::text as jsonb',
      ),
      [json],
    )
    expect(rows[0]?.json).toBe(json)
    expect(JSON.parse(rows[0]?.jsonb ?? '')).toEqual(JSON.parse(json))
  })

  test('parallel arrays become rows', async () => {
    const rows = await opened.database.query(
      statement(
        'unnest',
        `select given.id, given.body, given.hidden, given.position
         from unnest($1::uuid[], $2::text[], $3::boolean[]) with ordinality as given (id, body, hidden, position)`,
      ),
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
