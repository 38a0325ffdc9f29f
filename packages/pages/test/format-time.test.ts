import { expect, it } from 'vitest'
import { formatTime } from '../browser/shared/format-time.ts'

it('names the zone, and counts 24 hours from 00', () => {
  expect(formatTime('2026-01-10T18:38:02Z', { zone: 'UTC' })).toBe('18:38:02 UTC')
  expect(formatTime('2026-01-10T00:05:00Z', { zone: 'UTC', withSeconds: false })).toBe('00:05 UTC')
  expect(formatTime('2026-01-10T18:38:02Z', { zone: 'Asia/Kathmandu' })).toBe('00:23:02 GMT+5:45')
})
