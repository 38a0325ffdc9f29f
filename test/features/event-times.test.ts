import { describe, expect, it } from 'vitest'
import { openTestApp } from '../support/app.ts'
import type { Expected } from '../support/caller.ts'
import { refusal } from '../support/refusals.ts'

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })

const LAST = '9999-12-31T23:59:59.999999Z'

const create = (start_time: string, end_time: string, expected: Expected = 201) =>
  admin.post('/v1/events', { title: 'An instant', start_time, end_time }, expected)

async function expectRefused(sent: string): Promise<void> {
  const error = 'must be an ISO 8601 date-time, for example 2026-04-01T18:00:00Z'
  await create(sent, LAST, refusal(400, '400', `start_time ${error}`))
  await create('0001-01-01T00:00Z', sent, refusal(400, '400', `end_time ${error}`))
}

describe('a date-time of an event (D4)', () => {
  it.each([
    [
      'in UTC, without an offset',
      '2026-04-01T18:00:00Z',
      '2026-04-01T18 2026-04-01T18:00 2026-04-01T18:00:00',
    ],
    ['in UTC, with one', '2026-04-01T18:00:00Z', '2026-04-01t18:00:00z 2026-04-01T18:00:00-00:00'],
    ['with an eastern offset', '2026-03-31T23:00:00Z', '2026-04-01T01:00:00+02:00'],
    ['with a western offset', '2027-01-01T01:30:00Z', '2026-12-31T20:00:00-05:30'],
    ['with an offset in hours', '2026-04-01T04:00:00Z', '2026-04-01T18:00:00+14'],
    ['with an offset without a colon', '2026-04-01T19:30:00Z', '2026-04-01T18:00:00-0130'],
    ['without seconds', '2026-04-01T18:30:00Z', '2026-04-01T18:30 2026-04-01T18:00-00:30'],
    ['in the basic format', '2026-04-01T18:30:00Z', '20260401T183000Z 20260401T2030+0200'],
    ['by week or day of year', '2026-04-01T18:00:00Z', '2026-W14-3T18:00:00Z 2026W143T18 2026-091T18:00:00Z'],
    ['by a week that begins in the year before', '2024-12-30T00:00:00Z', '2025-W01-1T00:00'],
    ['by week 53', '2027-01-03T00:00:00Z', '2026-W53-7T00:00'],
    ['by day 366', '2024-12-31T18:00:00Z', '2024366T1800'],
    ['on a leap day', '2024-02-29T10:00:00Z', '2024-02-29T10:00Z'],
    ['with tenths of a second', '2026-04-01T18:00:00.500Z', '2026-04-01T18:00:00.5Z'],
    ['with a decimal comma', '2026-04-01T17:00:00.250Z', '2026-04-01T18:00:00,25+01:00'],
    ['with a fraction of zero', '2026-04-01T18:00:00Z', '2026-04-01T18:00:00.000000Z'],
    ['to the microsecond', '2026-04-01T18:00:00.123456Z', '2026-04-01T18:00:00.123456Z'],
    ['beyond the microsecond, truncated', '2026-04-01T18:00:00.999999Z', '2026-04-01T18:00:00.999999999Z'],
    ['with a fraction of a minute', '2026-04-01T18:00:15Z', '2026-04-01T18:00.25Z'],
    ['with a fraction of an hour', '2026-04-01T18:30:18Z', '2026-04-01T18,505Z'],
    ['at hour 24', '2026-03-01T00:00:00Z', '2026-02-28T24:00:00Z'],
    ['at hour 24 with a fraction of zero', '2027-01-01T00:00:00Z', '2026-12-31T24:00:00.0'],
    ['in the year 1', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ])('is accepted %s, and returned as %s', async (_, returned, sent) => {
    for (const start_time of sent.split(' '))
      expect(await create(start_time, LAST)).toMatchObject({ start_time: returned, end_time: LAST })
  })

  it.each([
    ['without a time', '2026-04-01 20260401 2026-04-01T 2026-W14-3'],
    ['without a date', '18:00:00Z T18:00:00Z'],
    ['without a day', '2026T18:00:00Z 2026-04T18:00:00Z 2026-W14T18:00:00Z'],
    ['as a number or a PostgreSQL keyword', '1775066400 now infinity'],
    ['on a date that does not exist', '2026-02-29T18:00:00Z 2026-13-01T18:00:00Z 2026-366T18:00:00Z'],
    ['on a day of a week that does not exist', '2025-W53-1T18:00:00Z 2026-W14-8T18:00:00Z'],
    ['after hour 24', '2026-04-01T25:00:00Z 2026-04-01T24:01:00Z 2026-04-01T24:00:00.0000001Z'],
    ['at minute 60', '2026-04-01T18:60:00Z'],
    ['with a wrong offset', '2026-04-01T18:00:00+24:00 2026-04-01T18:00:00+01:60 2026-04-01T18:00:00+2'],
    ['with missing digits', '2026-04-01T18:00:00.Z 26-04-01T18:00:00Z 2026-4-1T18:00:00Z'],
    ['before the year 1', '0000-06-01T00:00:00Z 0001-01-01T00:00:00+00:01 -0044-03-15T12:00:00Z'],
    ['after the year 9999', '10000-01-01T00:00:00Z 9999-12-31T23:59:59-00:01 9999-12-31T24:00:00Z'],
    ['with digits outside ASCII', '２０２６-04-01T18:00:00Z'],
  ])('is refused %s (400): %s [Error: 400]', async (_, sent) => {
    for (const text of sent.split(' ')) await expectRefused(text)
  })

  it('is refused if empty, with white space or in words (400), and without delay after a fraction of 500,000 digits, which it may have', async () => {
    const spaced = ['', ' 2026-04-01T18:00:00Z', '2026-04-01T18:00:00Z\n', '2026-04-01 18:00:00']
    const words = ['tomorrow at noon', '04/01/2026 18:00', 'Wed, 01 Apr 2026 18:00:00 GMT']
    for (const text of [...spaced, ...words]) await expectRefused(text)
    const long = `2026-04-01T18:00:00.${'1'.repeat(500_000)}`
    await create(`${long}x`, LAST, 400)
    await create(`${long}Z`, LAST)
  })
})
