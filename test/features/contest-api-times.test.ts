import fc from 'fast-check'
import { expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { minutesSpanOf, spanBetween, timeOf } from '../../src/features/contest-api/times.ts'
import { openTestDatabase } from '../support/database.ts'

const { database } = await openTestDatabase()

const select = unprepared<{ time: string; span: string; minutes: string }>(`
  select ${timeOf('given.moment')} as time, ${spanBetween('given.start', 'given.moment')} as span,
         ${minutesSpanOf('given.minutes')} as minutes
  from (select $1::timestamptz as start, $2::timestamptz as moment, $3::integer as minutes) as given`)

const pad = (value: number, digits: number) => String(value).padStart(digits, '0')

/** The same as RELTIME, with integers. */
function writeSpan(milliseconds: number): string {
  const rest = Math.abs(milliseconds)
  const parts = [Math.floor(rest / 3_600_000), pad(Math.floor(rest / 60_000) % 60, 2)]
  const seconds = `${pad(Math.floor(rest / 1000) % 60, 2)}.${pad(rest % 1000, 3)}`
  return `${milliseconds < 0 ? '-' : ''}${[...parts, seconds].join(':')}`
}

const year = { min: new Date('1971-01-01Z'), max: new Date('2240-01-01Z'), noInvalidDate: true }

it('times and spans have milliseconds, and a contest time is the exact difference of two times (P26)', async () => {
  const instant = fc.tuple(fc.date(year), fc.integer({ min: 0, max: 999 }))
  const iso = ([date, rest]: [Date, number]) => date.toISOString().replace('Z', `${pad(rest, 3)}Z`)
  const property = fc.asyncProperty(instant, instant, fc.nat(1_000_000), async (start, moment, minutes) => {
    const [row] = await database.query(select, [iso(start), iso(moment), minutes])
    expect(row).toEqual({
      time: moment[0].toISOString(),
      span: writeSpan(moment[0].getTime() - start[0].getTime()),
      minutes: writeSpan(minutes * 60_000),
    })
  })
  // In 2106, seconds since 1970 begin to have a larger error as a float.
  const late: [Date, number] = [new Date('2106-03-17T19:14:54.651Z'), 999]
  await fc.assert(property, { numRuns: 200, examples: [[[new Date('1971-01-01Z'), 0], late, 0]] })
})
