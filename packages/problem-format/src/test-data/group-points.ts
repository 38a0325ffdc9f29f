import { MAX_GROUP_LEVELS, MAX_POINTS, MAX_TEST_GROUPS, type TestGroup } from '../package/judging-options.ts'
import { PackageError } from '../package/package-files.ts'
import type { Setting, Settings } from './test-settings.ts'

/** The place of a fault. */
export interface Place {
  readonly file: string
  readonly line?: number | undefined
}

/** The place of a setting; without one, the directory. */
export function placeOf(setting: Setting<keyof Settings> | undefined, directory: string): Place {
  if (setting === undefined) return { file: directory }
  const { file, place } = setting
  return { file: file.path, line: file.lineOf(place) }
}

/** Points with two decimals. Throws `PackageError` for others than 0 to 1,000,000. */
export function toPoints(value: number, place: Place): number {
  const rounded = Math.round(value * 100) / 100
  if (!(value >= 0 && value <= MAX_POINTS))
    throw fault(place, `the group has ${value} points, but points are from 0 to ${MAX_POINTS}`)
  // Products and quotients of decimals are not exact.
  if (Math.abs(rounded - value) > 1e-9 * Math.max(1, value))
    throw fault(place, `the group has ${value} points, but points have at most two decimals`)
  return rounded
}

/** A group of groups with the sum of their points. */
export function sumGroups(name: string, groups: readonly TestGroup[], place: Place): TestGroup {
  return { name, points: toPoints(sumOfPoints(groups), place), aggregation: 'sum', groups }
}

/** The sum of the points of groups. */
export function sumOfPoints(groups: readonly TestGroup[]): number {
  return groups.reduce((sum, { points }) => sum + Math.round(points * 100), 0) / 100
}

/** A group whose worst inner group counts. Throws `PackageError` if their points differ. */
export function minGroups(name: string, groups: readonly TestGroup[], place: Place): TestGroup {
  const points = groups[0]?.points ?? 0
  const other = groups.find((group) => group.points !== points)
  if (other)
    throw fault(
      place,
      `under min all groups must have the same points, but ${groups[0]?.name} has ${points}, and ${other.name} ${other.points}`,
    )
  return { name, points, aggregation: 'min', groups }
}

/** Checks the number and the levels of groups. Returns them; throws `PackageError`. */
export function checkGroups(groups: readonly TestGroup[]): readonly TestGroup[] {
  const count = (list: readonly TestGroup[]): number =>
    list.reduce((sum, group) => sum + 1 + count(group.groups ?? []), 0)
  const levels = (list: readonly TestGroup[]): number =>
    list.reduce((most, group) => Math.max(most, 1 + levels(group.groups ?? [])), 0)
  const place = { file: 'data/secret' }
  if (count(groups) > MAX_TEST_GROUPS)
    throw fault(place, `the problem must have at most ${MAX_TEST_GROUPS} groups`)
  if (levels(groups) > MAX_GROUP_LEVELS)
    throw fault(place, `groups must have at most ${MAX_GROUP_LEVELS} levels`)
  return groups
}

/** The error of a place. */
export const fault = ({ file, line }: Place, message: string) => new PackageError(file, message, line)
