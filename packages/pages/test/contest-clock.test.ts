import { describe, expect, it } from 'vitest'
import {
  formatDuration,
  hasEndedSince,
  relateClocks,
  serviceNow,
  viewClock,
} from '../browser/shared/contest-clock.ts'
import { formatTime } from '../browser/shared/format-time.ts'

const times = {
  now: '2026-01-01T10:00:00Z',
  state: 'frozen' as const,
  start_time: '2026-01-01T10:00:00Z',
  end_time: '2026-01-01T12:00:00Z',
}
const at = (text: string) => Date.parse(`2026-01-01T${text}Z`)

describe('the clock', () => {
  it.each([
    ['09:00:00', 'before', 'Starts in', '1:00:00'],
    ['10:00:00', 'running', 'Time left', '2:00:00'],
    ['11:59:59.500', 'running', 'Time left', '0:00:01'],
    ['12:00:00', 'over', 'Time is up', ''],
  ])('at %s is %s', (now, phase, label, time) => {
    expect(viewClock(times, at(now))).toEqual({ phase, label, time })
  })

  it('goes on until the own end', () => {
    expect(viewClock(times, at('12:10:00'), '2026-01-01T12:30:00Z').time).toBe('0:20:00')
  })

  const read = { ...times, now: '2026-01-01T12:00:00Z' }
  const late = { ...read, extra_time: true as const }
  const OWN_END = '2026-01-01T12:30:00Z'
  it.each([
    ['ended before it began', { ...times, end_time: times.start_time }, '09:00:00', undefined, 'Cancelled'],
    ['has ended for some', late, '12:00:01', undefined, 'Ended; some have extra time'],
    ['has ended for all', read, '12:00:01', undefined, 'Ended'],
    // Read before the own end, it may have ended for others or not.
    ['has reached the own end', { ...late, now: '2026-01-01T12:29:00Z' }, '12:30:00', OWN_END, 'Time is up'],
  ] as const)('says that a contest %s', (_, clock, now, ownEnd, label) => {
    expect(viewClock(clock, at(now), ownEnd)).toEqual({ phase: 'over', label, time: '' })
  })

  it('is read again once the end has passed', () => {
    expect(hasEndedSince(times, at('11:59:59.999'))).toBe(false)
    expect(hasEndedSince(times, at('12:00:00'))).toBe(true)
    expect(hasEndedSince({ ...times, now: times.end_time }, at('12:00:01'))).toBe(false)
  })
})

it('the time of the service goes on with the local monotonic clock, from the middle of the request', () => {
  const related = relateClocks('2026-01-01T10:00:00Z', 1000, 1200)
  expect(serviceNow(related, 1100)).toBe(at('10:00:00'))
  expect(serviceNow(related, 61_100)).toBe(at('10:01:00'))
})

it.each([
  [999, '0:00:01'],
  [3_600_000, '1:00:00'],
  [47 * 3_600_000, '47:00:00'],
  [100 * 3_600_000, '4 days 4:00:00'],
])('writes %i ms as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

it('a time names the zone, and counts 24 hours from 00', () => {
  expect(formatTime('2026-01-10T18:38:02Z', { zone: 'UTC' })).toBe('18:38:02 UTC')
  expect(formatTime('2026-01-10T00:05:00Z', { zone: 'UTC', withSeconds: false })).toBe('00:05 UTC')
  expect(formatTime('2026-01-10T18:38:02Z', { zone: 'Asia/Kathmandu' })).toBe('00:23:02 GMT+5:45')
})
