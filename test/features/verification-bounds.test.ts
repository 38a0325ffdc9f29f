import { expect, it } from 'vitest'
import { JudgingList } from '../../src/features/verifications/judging-list.ts'

const planned = (source_code: string) => ({ language_id: 'python', source_code, task: {} })
const ADDED = { judging: expect.any(String) }
const FULL = { message: expect.stringContaining('1000 programs and validators of at most 32 MiB') }

it('a verification judges at most 1,000 programs and validators', () => {
  const list = new JudgingList()
  for (let i = 0; i < 1000; i += 1) expect(list.add(planned(''))).toEqual(ADDED)
  expect(list.add(planned(''))).toEqual(FULL)
  expect(list.all).toHaveLength(1000)
})

it('a verification judges at most 32 MiB of programs, and smaller ones after a refused one', () => {
  const list = new JudgingList()
  const half = 'x'.repeat(16 * 1024 * 1024 - 100)
  expect([list.add(planned(half)), list.add(planned(half))]).toEqual([ADDED, ADDED])
  expect([list.add(planned(half)), list.add(planned('x'))]).toEqual([FULL, ADDED])
})
