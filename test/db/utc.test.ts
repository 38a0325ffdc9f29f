import fc from 'fast-check'
import { expect, it } from 'vitest'
import { statement } from '../../src/db/database.ts'
import { openTestDatabase } from '../support/database.ts'

const test = await openTestDatabase()

const write = statement<{ written: string }>(
  'test_write_instants',
  `select utc(timestamptz 'epoch' + given.seconds * interval '1 second' + given.micros * interval '1 microsecond') as written
   from unnest($1::bigint[], $2::integer[]) with ordinality as given (seconds, micros, place)
   order by given.place`,
)

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
        const rows = await test.database.query(write, columns)
        expect(rows.map(({ written }) => written)).toEqual(instants.map((instant) => expected(...instant)))
      },
    ),
    { numRuns: 20 },
  )
})
