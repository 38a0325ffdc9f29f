import { describe, expect, it } from 'vitest'
import { callerOf } from '../../support/caller.ts'
import { serviceWithProblem } from '../../support/judging.ts'
import { makeVerifiedProblems, RIGHT } from '../../support/verified-problems.ts'

const judging = await serviceWithProblem()
const { service } = judging
const { importProblem, findJudging } = makeVerifiedProblems(judging)
const capabilities = 'test-groups/1, verification/1'
const worker = callerOf(service, service.judgeToken, { 'judge-capabilities': capabilities })

const PARTIAL = 'submissions/partially_accepted/partial.py'
const round = (points: number) => Math.round(points * 100) / 100

/** Verifies a right program, and one that fails the last test case, with points for each case. */
async function verifyShares(names: readonly string[], test_groups: object[], shares: readonly number[]) {
  const test_cases = names.map((name) => ({ input: name, expected_output: '42' }))
  const metadata = { format: 'legacy', type: ['scoring'] }
  const files = { [RIGHT]: 'print(42)', [PARTIAL]: 'print(1)' }
  const problem = await importProblem(files, { names, metadata }, { test_cases, test_groups })
  const id = await problem.verify()
  const judge = async (path: string, failed: number, score: number) => {
    const results = problem.cases.map((test_case_id, i) => ({
      ...{ test_case_id, passed: i < failed, status: i < failed ? 'ACCEPTED' : 'WRONG_ANSWER' },
      ...{ time_elapsed: 0.1, score: i < failed ? round(shares[i] ?? 0) : 0 },
    }))
    const status = failed < names.length ? 'WRONG_ANSWER' : 'ACCEPTED'
    const verdict = { status, score, test_case_results: results }
    await worker.patch(`/v1/submissions/${await findJudging(id, path)}`, verdict, 204)
  }
  const partial = round(100 - (shares.at(-1) ?? 0))
  await judge(RIGHT, names.length, 100)
  await judge(PARTIAL, names.length - 1, partial)
  const report = await problem.read(id)
  expect(report).toMatchObject({ status: 'DONE', agrees: true })
  expect(report.programs).toMatchObject([
    { path: RIGHT, score: 100, agrees: true },
    { path: PARTIAL, score: partial, agrees: true },
  ])
}

describe('a right program has all points, and a partly right one some, however they are rounded', () => {
  it.each([3, 6, 7, 9])('in a group of %i test cases', async (count) => {
    const names = Array.from({ length: count }, (_, i) => `secret/${i + 1}`)
    const cases = names.map((_, i) => i + 1)
    const test_groups = [{ name: 'secret', points: 100, aggregation: 'sum', cases }]
    await verifyShares(
      names,
      test_groups,
      names.map(() => 100 / count),
    )
  })

  it('in nested groups', async () => {
    const names = ['a/x/1', 'a/x/2', 'a/x/3', 'a/y/1', 'a/y/2', 'a/y/3', 'b/1', 'b/2', 'b/3']
    const sum = { aggregation: 'sum' }
    const test_groups = [
      {
        ...{ ...sum, name: 'a', points: 40 },
        groups: [
          { ...sum, name: 'x', points: 20, cases: [1, 2, 3] },
          { ...sum, name: 'y', points: 20, cases: [4, 5, 6] },
        ],
      },
      { ...sum, name: 'b', points: 60, cases: [7, 8, 9] },
    ]
    const shares = [...Array(6).fill(20 / 3), ...Array(3).fill(20)]
    await verifyShares(
      names.map((name) => `secret/${name}`),
      test_groups,
      shares,
    )
  })
})
