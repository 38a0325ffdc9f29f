import { expect, it } from 'vitest'
import type { JudgingFigure } from '../judging-bench.ts'
import { isMet, writeJudgingTable } from '../judging-report.ts'

const seconds = (values: number[], target?: number): JudgingFigure => {
  return { name: 'tests', unit: 's', values, ...(target !== undefined && { target }) }
}

it('compares the median of the rounds with the target', () => {
  expect(isMet(seconds([9, 1, 1.4], 1.5))).toBe(true)
  expect(isMet(seconds([1, 2], 1.5))).toBe(false)
  expect(isMet(seconds([1]))).toBeUndefined()
  expect(isMet({ name: 'requests', unit: 'requests', target: 1, values: [0] })).toBe(false)
  expect(isMet({ name: 'ratio', unit: 'ratio', target: 0.7, values: [0.7] })).toBe(true)
})

it('shows each figure with its target', () => {
  const figures = [{ ...seconds([1, 3, 2], 1.5), cpuMs: [900, 1000, 800] }, seconds([4])]
  const lines = writeJudgingTable({ isolation: 'bubblewrap', figures }).trimEnd().split('\n')
  expect(lines[0]).toBe('Sandbox: bubblewrap.')
  expect(lines.slice(4)).toEqual([
    '| tests | 2.00 s | 1.00 s | 3.00 s | 900 | below 1.5 s | no |',
    '| tests | 4.00 s | 4.00 s | 4.00 s | – | – | – |',
  ])
})
