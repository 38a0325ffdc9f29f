import { describe, expect, it } from 'vitest'
import { openContests } from './events-support.ts'

const contests = await openContests()

const create = (times: { start_time: unknown; end_time: unknown }) =>
  contests.ask(contests.admin, 'POST', '/v1/events', { title: 'An instant', ...times })

const FAR = '9999-12-31T23:59:59.999999Z'

describe('a date-time of an event (D4)', () => {
  it.each([
    ['as it leaves', '2026-04-01T18:00:00Z', '2026-04-01T18:00:00Z'],
    ['without an offset, which is UTC', '2026-04-01T18:00:00', '2026-04-01T18:00:00Z'],
    ['without seconds', '2026-04-01T18:30', '2026-04-01T18:30:00Z'],
    ['without minutes', '2026-04-01T18', '2026-04-01T18:00:00Z'],
    ['in lower case', '2026-04-01t18:00:00z', '2026-04-01T18:00:00Z'],
    ['of an eastern offset', '2026-04-01T01:00:00+02:00', '2026-03-31T23:00:00Z'],
    ['of a western offset', '2026-12-31T20:00:00-05:30', '2027-01-01T01:30:00Z'],
    ['of an offset of hours', '2026-04-01T18:00:00+14', '2026-04-01T04:00:00Z'],
    ['of an offset without a colon', '2026-04-01T18:00:00-0130', '2026-04-01T19:30:00Z'],
    ['of an offset of minutes only', '2026-04-01T18:00:00-00:30', '2026-04-01T18:30:00Z'],
    ['of an offset of nothing', '2026-04-01T18:00:00-00:00', '2026-04-01T18:00:00Z'],
    ['in the basic format', '20260401T183000Z', '2026-04-01T18:30:00Z'],
    ['in the basic format with an offset', '20260401T1830+0200', '2026-04-01T16:30:00Z'],
    ['by week', '2026-W14-3T18:00:00Z', '2026-04-01T18:00:00Z'],
    ['by week in the basic format', '2026W143T18', '2026-04-01T18:00:00Z'],
    ['by a week of the year before', '2025-W01-1T00:00', '2024-12-30T00:00:00Z'],
    ['by the 53rd week', '2026-W53-7T00:00', '2027-01-03T00:00:00Z'],
    ['by the day of the year', '2026-091T18:00:00Z', '2026-04-01T18:00:00Z'],
    ['by the day of the year in the basic format', '2024366T1800', '2024-12-31T18:00:00Z'],
    ['on a leap day', '2024-02-29T10:00Z', '2024-02-29T10:00:00Z'],
    ['with tenths of a second', '2026-04-01T18:00:00.5Z', '2026-04-01T18:00:00.500Z'],
    ['with a decimal comma', '2026-04-01T18:00:00,25+01:00', '2026-04-01T17:00:00.250Z'],
    ['with a fraction of zero', '2026-04-01T18:00:00.000000Z', '2026-04-01T18:00:00Z'],
    ['to the microsecond', '2026-04-01T18:00:00.123456Z', '2026-04-01T18:00:00.123456Z'],
    ['beyond the microsecond, cut off', '2026-04-01T18:00:00.999999999Z', '2026-04-01T18:00:00.999999Z'],
    ['with a fraction of a minute', '2026-04-01T18:00.25Z', '2026-04-01T18:00:15Z'],
    ['with a fraction of an hour', '2026-04-01T18,505Z', '2026-04-01T18:30:18Z'],
    ['at the end of a day', '2026-02-28T24:00:00Z', '2026-03-01T00:00:00Z'],
    ['at the end of a day, with a fraction of zero', '2026-12-31T24:00:00.0', '2027-01-01T00:00:00Z'],
    ['in the first year', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ])('is taken %s: %s', async (_, sent, answered) => {
    const { status, body } = await create({ start_time: sent, end_time: FAR })
    expect(status).toBe(201)
    expect(body).toMatchObject({ start_time: answered, end_time: FAR })
    const read = await contests.ask(contests.admin, 'GET', `/v1/events/${body.id}`)
    expect(read.body).toMatchObject({ start_time: answered, end_time: FAR })
  })

  it.each([
    ['a date', '2026-04-01'],
    ['a date in the basic format', '20260401'],
    ['a date with a T', '2026-04-01T'],
    ['a week', '2026-W14-3'],
    ['a time', '18:00:00Z'],
    ['a time with a T', 'T18:00:00Z'],
    ['a year with a time', '2026T18:00:00Z'],
    ['a month with a time', '2026-04T18:00:00Z'],
    ['a week without its day', '2026-W14T18:00:00Z'],
    ['nothing', ''],
    ['white space before', ' 2026-04-01T18:00:00Z'],
    ['white space after', '2026-04-01T18:00:00Z\n'],
    ['a space between', '2026-04-01 18:00:00'],
    ['words', 'tomorrow at noon'],
    ['a number in a string', '1775066400'],
    ['an American date', '04/01/2026 18:00'],
    ['a date of an e-mail', 'Wed, 01 Apr 2026 18:00:00 GMT'],
    ['a word of PostgreSQL', 'now'],
    ['another', 'infinity'],
    ['a day that is not there', '2026-02-29T18:00:00Z'],
    ['a month that is not there', '2026-13-01T18:00:00Z'],
    ['a day of the year that is not there', '2026-366T18:00:00Z'],
    ['a week that is not there', '2025-W53-1T18:00:00Z'],
    ['an eighth day of the week', '2026-W14-8T18:00:00Z'],
    ['hour 25', '2026-04-01T25:00:00Z'],
    ['hour 24 with minutes', '2026-04-01T24:01:00Z'],
    ['hour 24 with a fraction', '2026-04-01T24:00:00.0000001Z'],
    ['minute 60', '2026-04-01T18:60:00Z'],
    ['an offset of a day', '2026-04-01T18:00:00+24:00'],
    ['an offset of 60 minutes', '2026-04-01T18:00:00+01:60'],
    ['an offset of one digit', '2026-04-01T18:00:00+2'],
    ['an empty fraction', '2026-04-01T18:00:00.Z'],
    ['years of two digits', '26-04-01T18:00:00Z'],
    ['one digit of a month', '2026-4-1T18:00:00Z'],
    ['the year 0', '0000-06-01T00:00:00Z'],
    ['the year 0 in UTC', '0001-01-01T00:00:00+00:01'],
    ['the year 10000', '10000-01-01T00:00:00Z'],
    ['the year 10000 in UTC', '9999-12-31T23:59:59-00:01'],
    ['the end of the year 9999', '9999-12-31T24:00:00Z'],
    ['a year before the era', '-0044-03-15T12:00:00Z'],
    ['digits that are none of ASCII', '２０２６-04-01T18:00:00Z'],
  ])('is refused where it is %s: "%s" (400) [Error: 400]', async (_, sent) => {
    const message = 'must be an ISO 8601 date-time, for example 2026-04-01T18:00:00Z'
    expect(await create({ start_time: sent, end_time: FAR })).toMatchObject({
      status: 400,
      body: { code: '400', message: `start_time ${message}` },
    })
    expect(await create({ start_time: '0001-01-01T00:00Z', end_time: sent })).toMatchObject({
      status: 400,
      body: { code: '400', message: `end_time ${message}` },
    })
  })

  it.each([1775066400, 1775066400000, null, true, ['2026-04-01T18:00:00Z'], {}])(
    'is refused where it is no text: %j (400)',
    async (sent) => {
      const message = 'end_time must be a string'
      const answer = await create({ start_time: '2026-04-01T18:00:00Z', end_time: sent })
      expect(answer).toMatchObject({ status: 400, body: { code: '400', message } })
    },
  )

  it('is refused at any length without delay', async () => {
    const sent = `2026-04-01T18:00:00.${'1'.repeat(500_000)}`
    expect(await create({ start_time: `${sent}x`, end_time: FAR })).toMatchObject({ status: 400 })
    expect(await create({ start_time: `${sent}Z`, end_time: FAR })).toMatchObject({ status: 201 })
  })
})
