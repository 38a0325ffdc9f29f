import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TestGroup } from '../src/service/judging-options.ts'
import { readText } from '../src/shared/cut-text.ts'
import { JudgeError } from '../src/validation/judge-error.ts'
import { type CaseOutcome, computeScore } from '../src/validation/score.ts'
import { parseScoreFiles } from '../src/validation/score-files.ts'
import type { CaseResult } from '../src/verdicts/case-result.ts'
import { VerdictBuilder } from '../src/verdicts/verdict.ts'

describe('the text of an output', () => {
  it('is the whole output if it fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀', '\0', '\ufeff') }), (text) => {
        const output = Buffer.from(text)
        expect(readText(output, output.length)).toBe(output.toString())
      }),
    )
  })

  it('is cut between characters, with a mark', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀', '\ufeff') }),
        fc.nat(20),
        (text, limitBytes) => {
          const output = Buffer.from(text)
          fc.pre(output.length > limitBytes)
          const shown = readText(output, limitBytes)
          expect(shown.endsWith('\n[cut]')).toBe(true)
          const kept = shown.slice(0, -'\n[cut]'.length)
          expect(text.startsWith(kept)).toBe(true)
          expect(Buffer.byteLength(kept)).toBeGreaterThan(limitBytes - 4)
        },
      ),
    )
  })

  it('replaces bytes that are not UTF-8', () => {
    expect(readText(Buffer.from([0x61, 0xff, 0x62]), 10)).toBe('a\ufffdb')
  })
})

describe('VerdictBuilder', () => {
  const text = 'x'.repeat(64 * 1024)
  const output = Buffer.from(text)
  const messages = { judgeMessage: text, teamMessage: text, transcript: text }
  const makeResult = (id: string, changes: Partial<CaseResult> = {}): CaseResult => ({
    ...{ testCase: { id, hidden: false }, status: 'ACCEPTED', stdout: output, stderr: output },
    ...{ end: 'exit code 0', cpuMs: 5, peakMemoryBytes: 2048, ...messages, ...changes },
  })

  it('keeps 4 MiB of 10,000 results, and all messages of the first failure', () => {
    const builder = new VerdictBuilder()
    for (let number = 1; number <= 10_000; number += 1)
      builder.add(makeResult(String(number), number === 5000 ? { status: 'WRONG_ANSWER' } : {}))
    const verdict = builder.finish()
    expect(verdict).toMatchObject({ status: 'WRONG_ANSWER', failed_test_case_id: '5000', stdout: text })
    const shown = { judge_message: text, team_message: text, transcript: text }
    expect(verdict.test_case_results?.[0]).toMatchObject({ stdout: text, stderr: text, ...shown })
    expect(verdict.test_case_results?.[4999]).toMatchObject({
      stdout: '',
      stderr: '',
      passed: false,
      ...shown,
    })
    expect(JSON.stringify(verdict).length).toBeLessThan(7 * 2 ** 20)
    expect(Object.keys(verdict.test_case_results?.[9999] ?? {})).not.toContain('judge_message')
  })

  it('lets a fault of the judge count more than a failure before it', () => {
    const builder = new VerdictBuilder()
    expect(builder.finishAtFault('no test case')).toBeUndefined()
    builder.add(makeResult('1', { status: 'WRONG_ANSWER' }))
    builder.add(makeResult('2'))
    const verdict = builder.finishAtFault('too many points')
    const fault = { status: 'INTERNAL_ERROR', judge_message: 'too many points' }
    expect(verdict).toMatchObject({ ...fault, failed_test_case_id: '2' })
    expect(verdict?.stderr).toContain('not the fault of the program')
    expect(verdict?.test_case_results).toMatchObject([
      { status: 'WRONG_ANSWER', judge_message: text },
      { ...fault, passed: false },
    ])
    expect(verdict).not.toHaveProperty('score')
  })
})

type Result = boolean | { multiplier: number } | { points: number } | CaseOutcome

const ofCases =
  (name: string, aggregation: 'sum' | 'min') =>
  (points: number, ...cases: number[]): TestGroup => ({ name, points, aggregation, cases })
const ofGroups =
  (name: string, aggregation: 'sum' | 'min') =>
  (points: number, ...groups: TestGroup[]): TestGroup => ({ name, points, aggregation, groups })
const [sum, min] = [ofCases('s', 'sum'), ofCases('m', 'min')]
const [sumOf, minOf] = [ofGroups('S', 'sum'), ofGroups('M', 'min')]

/** Runs the cases with these results; `ran` has their numbers in order. */
async function score(groups: TestGroup[], results: readonly Result[], runAll = false) {
  const numbers: number[] = []
  const computed = await computeScore({
    groups,
    caseCount: results.length,
    runAll,
    runCase: async (number) => {
      numbers.push(number)
      const result = results[number - 1]
      if (typeof result === 'boolean') return { accepted: result }
      if (result === undefined) throw new Error(`no case ${number}`)
      return 'accepted' in result ? result : { accepted: true, score: result }
    },
  })
  return { ...computed, ran: numbers.join(' ') }
}

const [Y, N] = [true, false]
const times = (value: number) => ({ multiplier: value })
const half = times(0.5)
const points = (value: number) => ({ points: value })
const third = points(33.33)
const nearThird = [points(33.333333333333336), points(33.33333333333333)]
const near03 = [points(0.1 + 0.2), points(0.3 - 2 ** -54)]
const nested = [sumOf(10, minOf(4, sumOf(4, min(3, 1), min(1, 2))), sum(6, 3, 4))]

type Row = readonly [
  ...[rule: string, groups: TestGroup[], results: Result[]],
  ...[score: number, maxScore: number, ran: string],
]

const ROWS: Row[] = [
  ['a sum of three thirds is exact', [sum(100, 1, 2, 3)], [Y, Y, Y], 100, 100, '1 2 3'],
  ['a failed case of a sum gives 0, others run', [sum(100, 1, 2, 3)], [Y, N, Y], 66.67, 100, '1 2 3'],
  ['a multiplier scales the maximum of the case', [sum(100, 1, 2)], [half, Y], 75, 100, '1 2'],
  ['points replace the maximum of the case', [sum(100, 1, 2)], [points(12.34), Y], 62.34, 100, '1 2'],
  ['points near a third count as it', [sum(100, 1, 2, 3)], [...nearThird, Y], 100, 100, '1 2 3'],
  ['the rounding of doubles is no loss', [sum(0.3, 1), sum(0.3, 2)], near03, 0.6, 0.6, '1 2'],
  ['points just below stay below', [sum(50, 1)], [points(49.9999999995)], 49.99, 50, '1'],
  ['points below a third stay below', [sum(100, 1, 2, 3)], [third, third, third], 99.99, 100, '1 2 3'],
  ['a score is not rounded to the maximum', [sum(100, 1)], [times(0.99999999)], 99.99, 100, '1'],
  ['a score above 0 may be rounded to 0', [sum(1, 1)], [times(0.004)], 0, 1, '1'],
  ['halves are rounded up', [sum(1, 1)], [times(0.125)], 0.13, 1, '1'],
  ['no binary noise: 1.005 is rounded up', [sum(2, 1)], [points(1.005)], 1.01, 2, '1'],
  ['points of groups are added exactly', [sum(0.1, 1), sum(0.2, 2)], [Y, Y], 0.3, 0.3, '1 2'],
  ['a min gives its points if all pass', [min(40, 1, 2)], [Y, Y], 40, 40, '1 2'],
  ['a min gives its lowest score', [min(40, 1, 2, 3)], [Y, points(20), points(30)], 20, 40, '1 2 3'],
  ['a min stops at a failed case', [min(40, 1, 2, 3)], [Y, N, Y], 0, 40, '1 2'],
  ['a min stops at a score of 0', [min(40, 1, 2)], [times(0), N], 0, 40, '1'],
  ['other groups run after a failure', [min(40, 1, 2), sum(60, 3, 4)], [N, Y, Y, Y], 60, 100, '1 3 4'],
  ['a sum of mins', [sumOf(100, min(30, 1, 2), min(70, 3, 4))], [Y, Y, Y, N], 30, 100, '1 2 3 4'],
  ['a min of sums', [minOf(9, sum(9, 1, 2), sum(9, 3, 4, 5))], [Y, half, Y, N, Y], 6, 9, '1 2 3 4 5'],
  ['a min stops after a group with 0', [minOf(9, sum(9, 1, 2), sum(9, 3))], [N, N, Y], 0, 9, '1 2'],
  ['a sum in a min runs on after a failure', [minOf(9, sum(9, 1, 2, 3))], [N, N, Y], 3, 9, '1 2 3'],
  ['deep nesting', nested, [Y, N, half, Y], 7.5, 10, '1 2 3 4'],
  ['cases without a group run first, for no points', [sum(10, 4, 2)], [Y, Y, Y, Y], 10, 10, '1 3 4 2'],
  ['a failed case without a group keeps the score', [sum(10, 3)], [N, Y, Y], 10, 10, '1 3'],
  ['scores without a group are ignored', [sum(10, 2)], [points(99), points(5)], 5, 10, '1 2'],
  ['groups and their cases run in the listed order', [sum(10, 3), sum(10, 1, 2)], [N, Y, N], 5, 20, '3 1 2'],
  ['a group of 0 points runs all its cases', [min(0, 1, 2), sum(5, 3)], [Y, N, Y], 5, 5, '1 2 3'],
  ['1,000,000 points in 3 cases are exact', [sum(1e6, 1, 2, 3)], [Y, Y, Y], 1e6, 1e6, '1 2 3'],
]

const twoFiles = (one: string, other: string) =>
  `case 2: the validator wrote ${one}.txt, but before ${other}.txt`

describe('the score of test groups', () => {
  it.each(ROWS)('%s', async (_, groups, results, expected, maxScore, ran) => {
    expect(await score(groups, results)).toMatchObject({
      ...{ score: expected, isFull: expected === maxScore, ran },
    })
    const all = await score(groups, results, true)
    expect(all).toMatchObject({ score: expected, isFull: expected === maxScore })
    expect(all.ran.split(' ').toSorted()).toEqual(results.map((_, index) => `${index + 1}`))
  })

  it.each<[string, TestGroup[], Result[]]>([
    ['more than its maximum of 50', [sum(50, 1)], [points(50.0000000005)]],
    [twoFiles('score_multiplier', 'score'), [sum(1, 2)], [points(1), half]],
    [twoFiles('score', 'score_multiplier'), [sum(1, 2)], [half, points(1)]],
    ['more than its maximum of 33.33', [sum(100, 1, 2, 3)], [points(33.34), Y, Y]],
    ['the points -1 are not a number from 0', [sum(1, 1)], [points(-1)]],
    ['the points Infinity are not a number from 0', [sum(1, 1)], [points(Number.POSITIVE_INFINITY)]],
    ['the multiplier 1.01 is not between 0 and 1', [sum(1, 1)], [times(1.01)]],
    ['the multiplier -0.5 is not between 0 and 1', [sum(1, 1)], [times(-0.5)]],
    ['the multiplier NaN is not between 0 and 1', [sum(1, 1)], [times(Number.NaN)]],
    ['group "S" has more than its 5 points', [sumOf(5, sum(3, 1), sum(3, 2))], [Y, Y]],
    ['group "s" names test case 2, but the problem has 1 test cases', [sum(1, 1, 2)], [Y]],
    ['group "s" names test case 0', [sum(1, 0)], [Y]],
    ['"S / m" names test case 1, which is in a group already', [sum(1, 1), sumOf(1, min(1, 1))], [Y]],
  ])('is a judge error: %s', async (message, groups, results) => {
    const scored = score(groups, results)
    await expect(scored).rejects.toThrow(JudgeError)
    await expect(scored).rejects.toThrow(message)
  })

  it('is the maximum for any multipliers of 1 and any number of cases, and below it otherwise', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 100_000_000 }),
        fc.array(fc.constantFrom(1, 1, 1 - 2 ** -53), { minLength: 1, maxLength: 30 }),
        async (hundredths, multipliers) => {
          const groups = [sum(hundredths / 100, ...multipliers.map((_, index) => index + 1))]
          const scored = await score(groups, multipliers.map(times))
          const isFull = multipliers.every((one) => one === 1)
          expect(scored).toMatchObject({ isFull, score: (isFull ? hundredths : hundredths - 1) / 100 })
        },
      ),
      { numRuns: 300 },
    )
  })
})

it.each([
  [{}, undefined],
  [{ score: '12.5\n' }, { points: 12.5 }],
  [{ score: ' -0 ' }, { points: 0 }],
  [{ score: '1e3' }, { points: 1000 }],
  [{ multiplier: '\t.25' }, { multiplier: 0.25 }],
  [{ multiplier: '1.0' }, { multiplier: 1 }],
  [{ multiplier: '0' }, { multiplier: 0 }],
])('the score files of a validator %j give %j', (files, expected) => {
  expect(parseScoreFiles(files)).toEqual(expected)
})
