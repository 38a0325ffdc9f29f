import { describe, expect, it } from 'vitest'
import type { TestGroup } from '../src/package/judging-options.ts'
import { checkGroups } from '../src/test-data/group-points.ts'
import * as reading from './support/read-package.ts'

const { inGroups, latestScoring, minOf, readData, refusalOf, settingsOf, sumOf, testFiles } = reading

const direct = testFiles('sample/1', 'secret/1', 'secret/a/2')
/** `test_group.yaml` of directories below `data`. */
const settings = (values: Readonly<Record<string, string>>) => settingsOf('test_group.yaml', values)
const underMin = {
  secret: 'score_aggregation: min\nmax_score: 50\n',
  'secret/g1': 'max_score: 50\nscore_aggregation: min\n',
  'secret/g2': 'max_score: 50\nscore_aggregation: sum\n',
}
const two = (first: string, second: string, secret?: string) => ({
  ...inGroups,
  ...settings({ ...(secret && { secret }), 'secret/g1': first, 'secret/g2': second }),
})
const ofSecret = (yaml: string) => ({ ...direct, ...settings({ secret: yaml }) })
const ownPoints = ofSecret('max_score: 7\nscore_aggregation: pass-fail\n')

describe('groups of points', () => {
  it.each<[string, reading.Contents, TestGroup[]]>([
    ['secret has 100 points by default, and their sum', direct, [sumOf('secret', 100, 2, 3)]],
    ['secret has its own points and aggregation', ownPoints, [minOf('secret', 7, 2, 3)]],
    [
      'groups are all or nothing by default, and samples are in none',
      two('max_score: 40\n', 'max_score: 60\nscore_aggregation: sum\n'),
      [minOf('g1', 40, 2, 3), sumOf('g2', 60, 4)],
    ],
    [
      'groups under min are in one group',
      { ...inGroups, ...settings(underMin) },
      [minOf('secret', 50, minOf('g1', 50, 2, 3), sumOf('g2', 50, 4))],
    ],
    [
      'groups under pass-fail have the points of secret',
      two('max_score: 40\n', 'max_score: 60\n', 'score_aggregation: pass-fail\n'),
      [minOf('secret', 100, minOf('g1', 100, 2, 3), minOf('g2', 100, 4))],
    ],
  ])('%s', async (_, contents, groups) => {
    const data = await readData(contents, latestScoring)
    expect(data.groups).toEqual(groups)
    expect(data.warnings).toEqual([])
  })

  it('have constants replaced', async () => {
    const contents = ofSecret('max_score: {{most}}\n')
    const { groups } = await readData(contents, { ...latestScoring, constants: { most: { value: 30 } } })
    expect(groups?.[0]?.points).toBe(30)
  })

  const UNBOUNDED = 'max_score must be a number: groups with unbounded points cannot be judged'
  it.each(
    Object.entries({
      'max_score: unbounded\n': UNBOUNDED,
      'max_score: -5\n': 'max_score must be >= 0',
      'max_score: 1000001\n': 'the group has 1000001 points, but points are from 0 to 1000000',
      'score_aggregation: max\n': 'score_aggregation must be equal to one of the allowed values',
      'static_validation_score: 5\n':
        'static_validation_score must be 0: static validators are not run, so nobody could get these points',
    }),
  )('are refused: %j', async (yaml, message) => {
    expect(await refusalOf(ofSecret(yaml), latestScoring)).toBe(
      `PackageError: data/secret/test_group.yaml, line 1: ${message}`,
    )
  })

  const g1 = { 'secret/g1': 'max_score: 40\n' }
  const g2 = 'data/secret/g2/test_group.yaml'
  const passFail = 'score_aggregation: pass-fail\n'
  const sixty = 'max_score: 60\n'
  const UNEQUAL = 'under min all groups must have the same points, but g1 has 40, and g2 60'
  const ONLY = 'only data/sample, data/secret and the directories of data/secret may have this file'
  it.each(
    Object.entries({
      'data/secret/g2: the directory must have a test_group.yaml, as those beside it': g1,
      'data/secret/g3: the group must have a test case': { ...g1, 'secret/g2': '', 'secret/g3': '' },
      [`data/secret/test_group.yaml, line 1: ${UNEQUAL}`]: {
        ...g1,
        secret: 'score_aggregation: min\n',
        'secret/g2': sixty,
      },
      [`${g2}: ${UNBOUNDED}`]: { ...g1, 'secret/g2': 'args: []\n' },
      [`data/secret/g1/a/test_group.yaml: ${ONLY}`]: { ...g1, 'secret/g2': '', 'secret/g1/a': '' },
      [`${g2}, line 2: score_aggregation must be pass-fail, as in secret`]: {
        ...{ ...g1, secret: passFail, 'secret/g2': `${sixty}score_aggregation: sum\n` },
      },
    }),
  )('are refused: %s', async (message, values) => {
    const contents = { ...inGroups, ...settings(values) }
    expect(await refusalOf(contents, latestScoring)).toBe(`PackageError: ${message}`)
  })

  it.each([
    ['data/sample/test_group.yaml, line 1: max_score is not allowed in sample', 'sample'],
    ['data/secret/1.in: data/secret must not have test cases beside groups', 'secret/a'],
  ])('are refused: %s', async (message, directory) => {
    const contents = { ...direct, ...settings({ [directory]: 'max_score: 5\n' }) }
    expect(await refusalOf(contents, latestScoring)).toBe(`PackageError: ${message}`)
  })

  it('are refused: more than 1000', () => {
    const groups = Array.from({ length: 1001 }, (_, i) => sumOf(`${i}`, 1))
    expect(() => checkGroups(groups)).toThrow('data/secret: the problem must have at most 1000 groups')
    expect(checkGroups(groups.slice(1))).toHaveLength(1000)
  })

  it('come with warnings for another sum and for required groups', async () => {
    const contents = two(
      'max_score: 40\nrequire_pass: sample\n',
      'max_score: 50\nrequire_pass: [sample, g1]\n',
    )
    const { warnings, groups } = await readData(contents, latestScoring)
    const ignored =
      'require_pass is ignored: the group gets its points also if test cases of the required groups or samples fail'
    expect(warnings).toEqual([
      ['data/secret/g1/test_group.yaml', 2, ignored],
      ['data/secret/g2/test_group.yaml', 2, ignored],
      ['data/secret', undefined, 'max_score is 100, but the groups give 90 points: the problem has 90'],
    ])
    expect(groups).toHaveLength(2)
  })
})
