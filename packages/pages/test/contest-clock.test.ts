import { describe, expect, it } from 'vitest'
import { formatDuration, relateClocks, serviceNow, viewClock } from '../browser/shared/contest-clock.ts'

const times = {
  ...{ now: '2026-01-01T10:00:00Z', state: 'running' as const },
  ...{ start_time: '2026-01-01T10:00:00Z', end_time: '2026-01-01T12:00:00Z' },
}
const at = (text: string) => Date.parse(`2026-01-01T${text}Z`)

describe('the clock', () => {
  it.each([
    ['09:00:00', 'before', 'Starts in', '1:00:00'],
    ['10:00:00', 'running', 'Time left', '2:00:00'],
    ['11:59:59.500', 'running', 'Time left', '0:00:01'],
    ['12:00:00', 'over', 'Ended; some have extra time', ''],
  ])('at %s is %s', (now, phase, label, time) => {
    expect(viewClock(times, at(now))).toEqual({ phase, label, time })
  })

  it('goes on until the own end', () => {
    expect(viewClock(times, at('12:10:00'), '2026-01-01T12:30:00Z').time).toBe('0:20:00')
  })

  it('says that a contest was ended before its start', () => {
    const cancelled = { ...times, end_time: times.start_time }
    expect(viewClock(cancelled, at('09:00:00'))).toEqual({ phase: 'over', label: 'Cancelled', time: '' })
  })

  it('says nothing of extra time after the end of all', () => {
    expect(viewClock({ ...times, state: 'ended' }, at('13:00:00')).label).toBe('Ended')
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
