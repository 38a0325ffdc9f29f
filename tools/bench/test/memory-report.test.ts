import { expect, it } from 'vitest'
import { growthOf } from '../memory.ts'
import { writeMemoryTable } from '../memory-report.ts'

const readings = (...mebibytes: number[]) =>
  mebibytes.map((residentMebibytes, minutes) => ({
    ...{ minutes, residentMebibytes, requestsPerSecond: minutes * 1000, refusedShare: 0.126 },
  }))

it('shows idle and loaded memory with their targets', () => {
  const rows = writeMemoryTable(readings(109.9, 250, 250.4)).split('\n')
  expect(rows.slice(2)).toEqual([
    '| idle | 110 | below 110 | yes | – | – |',
    '| 1 | 250 | at most 250 | yes | 1,000 | 13 % |',
    '| 2 | 250 | at most 250 | no | 2,000 | 13 % |',
    '',
  ])
})

it('compares the memory of the second half of the minutes with the first half', () => {
  expect(growthOf(readings(100, 200, 210, 220, 231))).toBe(1.1)
  expect(writeMemoryTable(readings(100, 200, 210, 220, 231))).toContain('1.10 times')
  expect(writeMemoryTable(readings(100, 200, 210, 220, 231))).toContain('at most 1.05; missed')
  expect(writeMemoryTable(readings(100, 200, 230, 215, 215))).toContain('1.00 times')
  expect(growthOf(readings(100, 200, 210, 220))).toBeUndefined()
})
