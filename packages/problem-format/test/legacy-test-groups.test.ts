import { describe, expect, it } from 'vitest'
import type { TestGroup } from '../src/package/judging-options.ts'
import * as reading from './support/read-package.ts'

const { inGroups, legacyScoring, minOf, readData, refusalOf, settingsOf, sumOf, testFiles } = reading

/** `testdata.yaml` of directories; `data` itself has the empty name. */
const settings = (values: Readonly<Record<string, string>>) => settingsOf('testdata.yaml', values)

const PASSED = 'the points of the test cases that it passes, and the status of its first failed one'
const RESULT = ['data/testdata.yaml', undefined, `a submission has ${PASSED}`]
const ignored = { '': 'grader_flags: ignore_sample\n' }
const four = testFiles('sample/1', 'secret/1', 'secret/2', 'secret/3', 'secret/4')
const direct = { ...four, ...settings(ignored) }
const grouped = { ...inGroups, ...settings(ignored) }
const MODES = 'sum first_error min accept_if_any_accepted'
const sumOfSecret = (points: number) => [sumOf('secret', points, 2, 3, 4, 5)]
const minOfSecret = (points: number) => [minOf('secret', points, 2, 3, 4, 5)]

/** Expects these groups, one warning, and a judging that ends as groups say. */
async function expectGroups(contents: reading.Contents, expected: readonly TestGroup[]): Promise<void> {
  const { groups, warnings, run } = await readData(contents, legacyScoring)
  expect({ groups, warnings, run }).toEqual({ groups: expected, warnings: [RESULT], run: undefined })
}

describe('groups of test cases directly in secret', () => {
  it.each<[string, string, TestGroup[]]>([
    ['have 1 point for each test case', '', sumOfSecret(4)],
    ['have accept_score for each test case', 'accept_score: 2.5\n', sumOfSecret(10)],
    ['have accept_score once under min', 'accept_score: 20\ngrader_flags: min\n', minOfSecret(20)],
    ['have accept_score once under avg', 'accept_score: 20\ngrader_flags: avg\n', sumOfSecret(20)],
    ['have the last mode', `accept_score: 20\ngrader_flags: ${MODES}\n`, minOfSecret(20)],
    ['have the end of the range without accept_score', 'range: 0 100\n', sumOfSecret(100)],
    ['have accept_score beside an infinite range', 'range: -inf +inf\naccept_score: 3\n', sumOfSecret(12)],
    ['have accept_score beside a range', 'range: 0 100\naccept_score: 5\n', sumOfSecret(20)],
    ['have sums of decimals without rounding errors', 'accept_score: 0.1\n', sumOfSecret(0.4)],
  ])('%s', async (_, yaml, groups) => {
    await expectGroups({ ...direct, ...settings({ secret: yaml }) }, groups)
  })

  it('have the range’s points if a validator can give points', async () => {
    const contents = { ...direct, ...settings({ secret: 'range: 0 100\naccept_score: 5\n' }) }
    const { groups } = await readData(contents, { ...legacyScoring, has_custom_validator: true })
    expect(groups).toEqual(sumOfSecret(100))
  })

  it('have the range of data', async () => {
    const contents = { ...direct, ...settings({ '': 'grader_flags: ignore_sample\nrange: 0 50\n' }) }
    expect((await readData(contents, legacyScoring)).groups).toEqual(sumOfSecret(50))
  })
})

it('on_reject gives a warning where a group is not judged as it says', async () => {
  const values = {
    ...{ '': 'on_reject: break\n', sample: 'on_reject: continue\n' },
    secret: 'grader_flags: min\non_reject: continue\n',
  }
  const { warnings } = await readData({ ...direct, ...settings(values) }, legacyScoring)
  const ignored = [
    ['', 1, 'on_reject break is ignored: only groups with min end with a failed test case'],
    ['secret/', 2, 'on_reject continue is ignored: a failed test case ends a group with min'],
  ].map(([folder, ...rest]) => [`data/${folder}testdata.yaml`, ...rest])
  expect(warnings).toEqual([...ignored, RESULT])
})

const twoLevels = {
  secret: 'range: 0 100\ngrader_flags: sum\n',
  'secret/g1': 'on_reject: break\naccept_score: 20\nrange: 0 20\ngrader_flags: min\n',
  'secret/g2': 'on_reject: break\naccept_score: 80\nrange: 0 80\ngrader_flags: min\n',
}
const bothMin = [minOf('g1', 20, 2, 3), minOf('g2', 80, 4)]
const shares = { 'secret/g1': 'accept_score: 5\n', 'secret/g2': 'accept_score: 7\n' }
const noneForSamples = { '': 'accept_score: 2\n', sample: 'accept_score: 0\n' }
const nested = [sumOf('test cases', 1, 5), sumOf('a', 2, 6, 7)]
const bothGroups = (one: number, other: number) => [sumOf('g1', one, 2, 3), sumOf('g2', other, 4)]
const withSample = [sumOf('sample', 2, 1), sumOf('secret', 6, ...bothGroups(4, 2))]
const ofMin = [minOf('secret', 30, minOf('g1', 30, 2, 3), minOf('g2', 30, 4))]

describe('groups of directories', () => {
  it.each<[string, Record<string, string>, TestGroup[]]>([
    ['are judged to the first failed test case under min', twoLevels, bothMin],
    ['have a share for each test case under sum', shares, bothGroups(10, 7)],
    ['do not inherit the range of their sum', { secret: 'range: 0 100\n' }, bothGroups(2, 1)],
    ['inherit accept_score and min', { secret: 'accept_score: 30\ngrader_flags: min\n' }, ofMin],
    ['have equal shares under avg', { secret: 'accept_score: 30\ngrader_flags: avg\n' }, bothGroups(15, 15)],
    ['have points for samples that are not ignored', { '': 'accept_score: 2\n' }, withSample],
    ['have no group for samples without points', noneForSamples, bothGroups(4, 2)],
  ])('%s', async (_, values, groups) => {
    await expectGroups({ ...grouped, ...settings(values) }, groups)
  })

  it('are nested, also beside test cases', async () => {
    const more = testFiles('secret/1', 'secret/g2/a/1', 'secret/g2/a/2')
    const groups = [sumOf('test cases', 1, 2), sumOf('g1', 2, 3, 4), sumOf('g2', 3, ...nested)]
    await expectGroups({ ...grouped, ...more }, groups)
  })
})

const RANGE = 'range must be two numbers, the smaller one first, such as 0 100'

/** Settings of the directories and their faults. */
const faults: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  secret: {
    'accept_score: 5\ngrader_flags: max\n':
      'line 2: grader_flags must not have max: groups have the sum or the minimum of their points',
    'reject_score: 5\n': 'line 1: reject_score must be 0: a failed test case has no points',
    'grading: custom\n': 'line 1: grading must be default: graders are not run',
  },
  'secret/g1': {
    'accept_score: 0.125\ngrader_flags: min\n':
      'line 1: the group has 0.125 points, but points have at most two decimals',
    'accept_score: -1\n': 'line 1: the group has -2 points, but points are from 0 to 1000000',
    'on_reject: break\nrange: "100"\n': `line 2: ${RANGE}`,
    'range: 0 many\n': `line 1: ${RANGE}`,
  },
}
const rows = Object.entries(faults).flatMap(([directory, texts]) =>
  Object.entries(texts).map(([yaml, message]) => [directory, yaml, message] as const),
)

describe('legacy points', () => {
  it.each(rows)('are refused: %s with %j', async (directory, yaml, message) => {
    expect(await refusalOf({ ...grouped, ...settings({ [directory]: yaml }) }, legacyScoring)).toBe(
      `PackageError: data/${directory}/testdata.yaml, ${message}`,
    )
  })

  const SECRET = 'data/secret/testdata.yaml, line 1: '
  const levels = 'abcdef'.split('').map((_, i, all) => `secret/g1/${all.slice(0, i + 1).join('/')}/1`)
  it.each(
    Object.entries({
      [`${SECRET}under min all groups must have the same points, but g1 has 2, and g2 1`]: settings({
        secret: 'grader_flags: min\n',
        'secret/g1': 'accept_score: 2\n',
      }),
      [`${SECRET}the group has 0.3333333333333333 points, but points have at most two decimals`]: {
        ...testFiles('secret/g3/1'),
        ...settings({ secret: 'grader_flags: avg\n' }),
      },
      'data/secret: groups must have at most 8 levels': testFiles(
        ...['secret/1', 'secret/g1/a/b/c/d/e/f/g/h/1', ...levels],
      ),
    }),
  )('are refused: %s', async (message, contents) => {
    expect(await refusalOf({ ...grouped, ...contents }, legacyScoring)).toBe(`PackageError: ${message}`)
  })

  it('come with a warning above their range', async () => {
    const contents = settings({ secret: 'range: 0 2\n', 'secret/g1': 'accept_score: 5\nrange: 0 8\n' })
    const { warnings } = await readData({ ...grouped, ...contents }, legacyScoring)
    expect(warnings).toEqual([
      RESULT,
      ['data/secret/g1/testdata.yaml', 2, 'range ends at 8, but the group has 10 points'],
      ['data/secret/testdata.yaml', 1, 'range ends at 2, but the group has 11 points'],
    ])
  })
})
