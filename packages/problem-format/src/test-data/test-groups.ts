import type { TestGroup } from '../package/judging-options.ts'
import { PackageError, type Warnings } from '../package/package-files.ts'
import type { PackageMetadata } from '../package/package-problem.ts'
import { faultOfPart } from '../package/yaml-part.ts'
import { checkGroups, fault, minGroups, placeOf, sumOfPoints, toPoints } from './group-points.ts'
import { findSetting, type Settings, warnOfSetting } from './test-settings.ts'
import { type DirectoryNode, directoriesIn, testsIn, withInner } from './test-tree.ts'

const POINTS_KEYS = ['max_score', 'score_aggregation', 'require_pass'] as const

/**
 * Checks the directories of a package of 2025-09: groups are directly in `secret`, beside no test
 * cases. Throws `PackageError`, also for settings that are not allowed there.
 */
export function checkGroupSettings(root: DirectoryNode, metadata: PackageMetadata): void {
  const isScoring = metadata.type.includes('scoring')
  for (const top of directoriesIn(root)) {
    for (const directory of withInner(top)) checkNames(directory)
    const inner = top.base === 'secret' ? checkSecret(top) : directoriesIn(top)
    for (const directory of inner) refuseGroups(directory)
    const groups = [top, ...(top.base === 'secret' ? directoriesIn(top) : [])]
    for (const directory of groups) {
      if (top.base === 'sample') refuseKeys(directory, 'is not allowed in sample')
      else if (!isScoring) refuseKeys(directory, 'is only for scoring problems')
      checkStaticValidation(directory)
      warnOfSetting(own(directory, 'require_pass'), REQUIRE_PASS)
    }
  }
}

const REQUIRE_PASS =
  'is ignored: the group gets its points also if test cases of the required groups or samples fail'

/**
 * The groups of a scoring problem of 2025-09. Samples are in no group. Groups of `secret` are the
 * problem's groups if it has their sum, else they are in one group `secret`; without groups,
 * `secret` is the only one. `pass-fail` is `min`: one failed test case costs all points.
 */
export function readTestGroups(
  root: DirectoryNode,
  numbers: ReadonlyMap<string, number>,
  _metadata: PackageMetadata,
  warnings: Warnings,
): readonly TestGroup[] {
  const secret = directoriesIn(root).find(({ base }) => base === 'secret')
  if (secret === undefined) return []
  const aggregation = own(secret, 'score_aggregation')?.value ?? 'sum'
  const directories = groupsOf(secret)
  if (directories.length === 0) return [toGroup(secret, readPoints(secret, 100), aggregation, numbers)]
  const points = directories.map((directory) => readPoints(directory, 'unbounded'))
  const groups = directories.map((directory, i) => {
    const groupAggregation = own(directory, 'score_aggregation')?.value ?? 'pass-fail'
    if (aggregation === 'pass-fail' && groupAggregation !== 'pass-fail')
      throw fault(
        placeOf(own(directory, 'score_aggregation'), directory.path),
        'score_aggregation must be pass-fail, as in secret',
      )
    const groupPoints = aggregation === 'pass-fail' ? readPoints(secret, 100) : (points[i] ?? 0)
    return toGroup(directory, groupPoints, groupAggregation, numbers)
  })
  const place = placeOf(own(secret, 'score_aggregation'), secret.path)
  const all = aggregation === 'sum' ? groups : [minGroups('secret', groups, place)]
  warnOfOtherSum(secret, sumOfPoints(all), warnings)
  return checkGroups(all)
}

type Aggregation = 'pass-fail' | 'sum' | 'min'

const own = <K extends keyof Settings>(directory: DirectoryNode, key: K) => findSetting([directory.own], key)
const groupsOf = (secret: DirectoryNode) =>
  directoriesIn(secret).filter(({ settingsFile }) => settingsFile !== undefined)

function toGroup(
  directory: DirectoryNode,
  points: number,
  aggregation: Aggregation,
  numbers: ReadonlyMap<string, number>,
): TestGroup {
  const cases = testsIn(directory).flatMap(({ name }) => numbers.get(name) ?? [])
  return { name: directory.base, points, aggregation: aggregation === 'sum' ? 'sum' : 'min', cases }
}

function readPoints(directory: DirectoryNode, standard: number | 'unbounded'): number {
  const setting = own(directory, 'max_score')
  const value = setting?.value ?? standard
  const place = placeOf(setting, directory.own?.yaml.path ?? directory.path)
  if (value === 'unbounded')
    throw fault(place, 'max_score must be a number: groups with unbounded points cannot be judged')
  return toPoints(value, place)
}

function warnOfOtherSum(secret: DirectoryNode, points: number, warnings: Warnings): void {
  const setting = own(secret, 'max_score')
  const value = setting?.value ?? 100
  if (value === points) return
  const { file, line } = placeOf(setting, secret.path)
  const message = `max_score is ${value}, but the groups give ${points} points: the problem has ${points}`
  warnings.add(file, message, line)
}

/** The directories of `secret` that may not have groups in them. */
function checkSecret(secret: DirectoryNode): readonly DirectoryNode[] {
  const directories = directoriesIn(secret)
  if (groupsOf(secret).length === 0) return directories
  const [test] = secret.children.filter(({ kind }) => kind === 'test')
  if (test?.kind === 'test')
    throw new PackageError(test.input.path, 'data/secret must not have test cases beside groups')
  for (const directory of directories) {
    if (directory.settingsFile === undefined)
      throw new PackageError(directory.path, 'the directory must have a test_group.yaml, as those beside it')
    if (testsIn(directory).length === 0)
      throw new PackageError(directory.path, 'the group must have a test case')
  }
  return directories.flatMap(directoriesIn)
}

function refuseGroups(directory: DirectoryNode): void {
  const file = withInner(directory).find(({ settingsFile }) => settingsFile)?.settingsFile
  const places = 'data/sample, data/secret and the directories of data/secret'
  if (file) throw new PackageError(file.path, `only ${places} may have this file`)
}

function checkNames(directory: DirectoryNode): void {
  const inner = directoriesIn(directory)
  for (const child of directory.children) {
    if (child.kind !== 'test') continue
    const { path } = child.input
    if (child.base === 'test_group')
      throw new PackageError(path, 'a test case must not have the name test_group')
    if (inner.some(({ base }) => base === child.base))
      throw new PackageError(path, `the test case must not have the name of the directory data/${child.name}`)
  }
}

function refuseKeys(directory: DirectoryNode, message: string): void {
  for (const key of POINTS_KEYS) {
    const setting = own(directory, key)
    if (setting) throw faultOfPart(setting, message)
  }
}

function checkStaticValidation(directory: DirectoryNode): void {
  const setting = own(directory, 'static_validation_score')
  if (setting === undefined) return
  if (setting.value !== 'pass-fail' && setting.value > 0)
    throw faultOfPart(setting, 'must be 0: static validators are not run, so nobody could get these points')
  warnOfSetting(setting, 'is ignored: static validators are not run')
}
