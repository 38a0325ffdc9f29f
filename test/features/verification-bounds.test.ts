import { expect, it } from 'vitest'
import { JudgingList } from '../../src/features/verifications/judging-list.ts'
import { serviceWithProblem } from '../support/judging.ts'
import { invalid } from '../support/refusals.ts'
import { makeVerifiedProblems, RIGHT } from '../support/verified-problems.ts'

const judging = await serviceWithProblem()
const { importProblem } = makeVerifiedProblems(judging)

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

it('a verification refuses patterns that would keep the service busy in each report (400)', async () => {
  const pattern = `secret/${'*a'.repeat(46)}`
  const files = { [RIGHT]: '', 'submissions/submissions.yaml': `accepted:\n  "${pattern}": {permitted: AC}` }
  const names = ['sample/1', `secret/${'a'.repeat(600_000)}`]
  const problem = await importProblem(files, { names })
  const { message } = await judging.admin.post(problem.url, undefined, invalid)
  expect(message).toContain('submissions/submissions.yaml: it has too many patterns')
})
