import { expect, it, vi } from 'vitest'
import { CaseMatcher, evaluate, type JudgedProgram, type Rule } from '../src/submissions/expectations.ts'
import { compileGlob } from '../src/submissions/glob-pattern.ts'

const LIMIT = 2

const SHORT: Readonly<Record<string, string>> = {
  AC: 'ACCEPTED',
  WA: 'WRONG_ANSWER',
  PE: 'PRESENTATION_ERROR',
  OLE: 'OUTPUT_LIMIT_EXCEEDED',
  TLE: 'TIME_LIMIT_EXCEEDED',
  MLE: 'MEMORY_LIMIT_EXCEEDED',
  RTE: 'RUNTIME_ERROR',
  IE: 'INTERNAL_ERROR',
}

/** Test cases `secret/1` and so on, each `AC` or `AC 2.5` with its seconds. */
function judged(results: readonly string[], extra: Partial<JudgedProgram> = {}): JudgedProgram {
  const cases = results.map((result, index) => {
    const [status = '', time = '0.1'] = result.split(' ')
    return { name: `secret/${index + 1}`, status: SHORT[status] ?? status, time: Number(time) }
  })
  return { status: cases.find((one) => one.status !== 'ACCEPTED')?.status ?? 'ACCEPTED', cases, ...extra }
}

const check = (rule: Rule, program: JudgedProgram) => evaluate({ rules: [rule] }, program, LIMIT)

const accepted: Rule = { permitted: ['AC'] }
const wrong: Rule = { permitted: ['AC', 'WA'], required: ['WA'] }
const slow: Rule = { permitted: ['AC', 'TLE'], required: ['TLE'] }
const crash: Rule = { permitted: ['AC', 'RTE'], required: ['RTE'] }
const rejected: Rule = { required: ['RTE', 'TLE', 'WA'] }

const TIME = 'TIME_LIMIT_EXCEEDED'
const ONLY = 'allowed are only'
const VERDICT = 'The verdict is WRONG_ANSWER'
const ofTwo: Rule = { cases: 'secret/{1,2}', required: ['TLE'] }

it.each<[Rule, string[], string, string | undefined]>([
  [accepted, ['AC', 'AC'], 'ACCEPTED', undefined],
  [accepted, ['AC', 'AC 2'], 'ACCEPTED', undefined],
  [accepted, ['AC', 'WA'], 'WRONG_ANSWER', `secret/2 is WRONG_ANSWER; ${ONLY} ACCEPTED`],
  [accepted, ['AC', 'AC 2.5'], TIME, `secret/2 is ${TIME} after 2.5 s; ${ONLY} ACCEPTED`],
  [wrong, ['AC', 'WA'], 'WRONG_ANSWER', undefined],
  [wrong, ['PE'], 'PRESENTATION_ERROR', undefined],
  [wrong, ['OLE'], 'OUTPUT_LIMIT_EXCEEDED', undefined],
  [wrong, ['AC', 'AC'], 'ACCEPTED', 'No test case is WRONG_ANSWER'],
  [wrong, ['WA', 'RTE'], 'WRONG_ANSWER', `secret/2 is RUNTIME_ERROR; ${ONLY} ACCEPTED and WRONG_ANSWER`],
  [slow, ['AC', 'AC 3'], TIME, undefined],
  [slow, ['AC', 'WA 3'], TIME, undefined],
  [slow, ['AC', 'TLE 0.1'], TIME, undefined],
  [slow, ['AC 1.9'], 'ACCEPTED', 'No test case is TIME_LIMIT_EXCEEDED'],
  [crash, ['AC', 'MLE'], 'MEMORY_LIMIT_EXCEEDED', undefined],
  [crash, ['RTE'], 'RUNTIME_ERROR', undefined],
  [rejected, ['AC', 'RTE'], 'RUNTIME_ERROR', undefined],
  [rejected, ['AC'], 'ACCEPTED', 'No test case is RUNTIME_ERROR, TIME_LIMIT_EXCEEDED or WRONG_ANSWER'],
  [{ statuses: ['WRONG_ANSWER', 'TIME_LIMIT_EXCEEDED'] }, ['AC', 'WA'], 'WRONG_ANSWER', undefined],
  [{ statuses: [TIME] }, ['AC', 'WA', 'AC 3'], 'WRONG_ANSWER', `${VERDICT} (secret/2); expected ${TIME}`],
  [{ cases: 'secret/1', permitted: ['AC'] }, ['AC', 'WA'], 'WRONG_ANSWER', undefined],
  [ofTwo, ['AC', 'AC', 'TLE'], TIME, `No test case in secret/{1,2} is ${TIME}`],
  [{ cases: 'sample', permitted: ['AC'] }, ['AC'], 'ACCEPTED', 'No test case in sample was judged'],
  [{}, ['AC', 'IE'], 'INTERNAL_ERROR', 'The judge failed: the program has no verdict'],
])('%j for %j', (rule, results, status, message) => {
  const { slowestTime, ...evaluation } = check(rule, judged(results))
  expect(evaluation).toEqual({ agrees: message === undefined, status, ...(message && { message }) })
  expect(slowestTime).toBe(Math.max(...judged(results).cases.map(({ time }) => time)))
})

it('wants all rules to hold, and any verdict without rules', () => {
  expect(evaluate({ rules: [rejected, wrong] }, judged(['RTE']), LIMIT).agrees).toBe(false)
  expect(evaluate({ rules: [] }, judged(['RTE']), LIMIT).agrees).toBe(true)
})

it('knows programs that do not compile', () => {
  const failed = judged([], { status: 'COMPILE_TIME_ERROR' })
  const right = { agrees: true, status: 'COMPILE_TIME_ERROR', slowestTime: undefined }
  expect(check({ statuses: ['COMPILE_TIME_ERROR'] }, failed)).toEqual(right)
  expect(check(rejected, failed).message).toBe('The program does not compile')
})

it.each([
  [0, 'The score is 0 of 100; expected some points, but not all'],
  [40, undefined],
  [100, 'The score is 100 of 100; expected some points, but not all'],
])('wants some points, but not all: %d', (score, message) => {
  const program = judged(['AC', 'WA'], { score, max_score: 100 })
  expect(check({ hasPartialScore: true }, program).message).toBe(message)
})

it.each<[readonly [number, number], string | undefined]>([
  [[40, 40], undefined],
  [[10, 40], undefined],
  [[41, 50], 'The score is 40; expected 41 to 50'],
  [[100, 100], 'The score is 40; expected 100'],
])('compares the score with %j', (score, message) => {
  expect(check({ score }, judged(['WA'], { score: 40 })).message).toBe(message)
})

it('computes scores of groups at the own limit', () => {
  const names = ['a/1', 'a/2', 'b/1', 'b/2'].map((name) => `secret/${name}`)
  const cases = [10, 20, 60, 70].map((score, index) => ({
    ...{ name: names[index] ?? '', status: 'ACCEPTED', score, time: index === 0 ? 3 : 1 },
  }))
  const groups = [
    { name: 'secret/a', points: 40, aggregation: 'sum', cases: names.slice(0, 2) },
    { name: 'secret/b', points: 80, aggregation: 'min', cases: names.slice(2) },
  ] as const
  const program: JudgedProgram = { status: 'ACCEPTED', score: 90, max_score: 100, cases, groups }
  const slow = { agrees: true, status: 'TIME_LIMIT_EXCEEDED', score: 80, slowestTime: 3 }
  expect(check({ score: [80, 80] }, program)).toEqual(slow)
  expect(check({ cases: 'secret/a', score: [20, 20] }, program).agrees).toBe(true)
  const messageFor = (cases: string) => check({ cases, score: [1, 2] }, program).message
  expect(messageFor('secret/b')).toBe('The score of secret/b is 60; expected 1 to 2')
  expect(messageFor('secret/c')).toBe('There is no score')
})

const round = (points: number) => Math.round(points * 100) / 100

/** A `sum` group with equal shares, of which the worker sends each case's rounded one. */
function sharing(name: string, points: number, count: number, right = count) {
  const names = Array.from({ length: count }, (_, i) => `secret/${name}/${i}`)
  const cases = names.map((test, i) => ({
    ...{ name: test, status: i < right ? 'ACCEPTED' : 'WRONG_ANSWER', time: 0 },
    score: i < right ? round(points / count) : 0,
  }))
  const group = { name: `secret/${name}`, points, aggregation: 'sum', cases: names } as const
  return { group, cases }
}

const ofGroups = (score: number, ...parts: readonly ReturnType<typeof sharing>[]): JudgedProgram => ({
  ...{ status: 'ACCEPTED', score, max_score: 100 },
  ...{ cases: parts.flatMap(({ cases }) => cases), groups: parts.map(({ group }) => group) },
})

it.each([3, 6, 7, 9])('adds the exact shares of %i test cases', (count) => {
  const whole = ofGroups(100, sharing('a', 100, count))
  const full: Rule = { score: [100, 100] }
  expect(check(full, whole)).toMatchObject({ agrees: true, score: 100 })
  expect(check({ ...full, cases: 'secret/a' }, whole).agrees).toBe(true)
  const sent = round((100 * (count - 1)) / count)
  const partial = { ...ofGroups(sent, sharing('a', 100, count, count - 1)), status: 'WRONG_ANSWER' }
  const rules: Rule[] = [
    { hasPartialScore: true },
    { score: [sent, sent] },
    { cases: 'secret/a', score: [sent, sent] },
  ]
  expect(evaluate({ rules }, partial, LIMIT)).toMatchObject({ agrees: true, score: sent })
})

it.each([3, 6, 7, 9])('takes the exact share of a slow one of %i test cases away', (count) => {
  const { group, cases } = sharing('a', 100, count)
  const slow = cases.map((one, i) => ({ ...one, time: i === 0 ? 3 : 0 }))
  const score = round((100 * (count - 1)) / count)
  const program = ofGroups(100, { group, cases: slow })
  expect(check({ hasPartialScore: true }, program)).toMatchObject({ agrees: true, score })
  expect(check({ cases: 'secret/a', score: [score, score] }, program).agrees).toBe(true)
})

it('adds the exact shares of nested groups', () => {
  const [a, b, c] = [sharing('a/x', 20, 3), sharing('a/y', 20, 6, 5), sharing('b', 60, 7)]
  const outer = { name: 'secret/a', points: 40, aggregation: 'sum', groups: [a.group, b.group] } as const
  const cases = [...a.cases, ...b.cases, ...c.cases]
  const program: JudgedProgram = {
    ...{ status: 'WRONG_ANSWER', score: 96.67, max_score: 100, cases, groups: [outer, c.group] },
  }
  const scoreOf = (name: string, score: number): Rule => ({ cases: name, score: [score, score] })
  const rules = [
    { score: [96.67, 96.67] } as const,
    ...[scoreOf('secret/a', 36.67), scoreOf('secret/a/x', 20), scoreOf('secret/a/y', 16.67)],
    scoreOf('secret/b', 60),
  ]
  expect(evaluate({ rules }, program, LIMIT)).toMatchObject({ agrees: true, score: 96.67 })
})

it("uses the judging's own score, and the twelve decimals that a worker sends", () => {
  const { group, cases } = sharing('a', 100, 6)
  const half = cases.map((one) => ({ ...one, score: 8.333333333333 }))
  const program = { ...ofGroups(50, { group, cases: half }), status: 'WRONG_ANSWER' }
  const rules: Rule[] = [{ score: [50, 50] }, { cases: 'secret/a', score: [50, 50] }]
  expect(evaluate({ rules }, program, LIMIT)).toMatchObject({ agrees: true, score: 50 })
})

it('gives all points that a limit leaves only to a program with all points', () => {
  const [a, b] = [sharing('a', 0.004, 1), sharing('b', 99.996, 1)]
  const slow = a.cases.map((one) => ({ ...one, time: 3, score: 0.004 }))
  const program = ofGroups(100, { group: a.group, cases: slow }, b)
  expect(check({ hasPartialScore: true }, program)).toMatchObject({ agrees: true, score: 99.99 })
})

it('scores 40 programs with 10,000 test cases each', () => {
  const names = Array.from({ length: 10_000 }, (_, i) => `secret/${'a'.repeat(100)}${i}`)
  let reads = 0
  const cases = names.map((name) => ({
    get name() {
      reads += 1
      return name
    },
    ...{ status: 'ACCEPTED', time: 0, score: 0.01 },
  }))
  const groups = [{ name: 'secret/a', points: 100, aggregation: 'sum', cases: names }] as const
  const program: JudgedProgram = { status: 'ACCEPTED', score: 100, max_score: 100, cases, groups }
  for (let i = 0; i < 40; i += 1) expect(evaluate({ rules: [] }, program, LIMIT).score).toBe(100)
  expect(reads).toBeLessThanOrEqual(10 * 40 * names.length)
})

it('compares a slow pattern with each test case once for 40 programs', () => {
  const names = Array.from({ length: 500 }, (_, i) => `secret/${'a'.repeat(200)}${i}`)
  const cases = names.map((name) => ({ name, status: 'ACCEPTED', time: 0 }))
  const rule: Rule = { ...accepted, cases: `secret/${'*a'.repeat(46)}` }
  const compare = vi.fn((pattern: string, name: string) => compileGlob(pattern)?.(name) ?? false)
  const matcher = new CaseMatcher(names, (pattern) => (name) => compare(pattern, name))
  for (let i = 0; i < 40; i += 1) {
    const { message } = evaluate({ rules: [rule] }, { status: 'ACCEPTED', cases }, LIMIT, matcher)
    expect(message).toBe(`No test case in ${rule.cases} was judged`)
  }
  expect(compare).toHaveBeenCalledTimes(names.length)
})

it('looks for the text in the judge messages, in the case of the text', () => {
  const cases = [{ name: 'secret/1', status: 'WRONG_ANSWER', time: 0, judgeMessage: 'line 3: too large' }]
  const program: JudgedProgram = { status: 'WRONG_ANSWER', cases }
  expect(check({ message: 'too large' }, program).agrees).toBe(true)
  expect(check({ message: 'Too' }, program).message).toBe('No judge message contains "Too"')
  expect(check({ cases: 'sample', message: 'too' }, program).agrees).toBe(false)
})
