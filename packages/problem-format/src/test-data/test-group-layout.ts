import type { TestGroup } from '../package/judging-options.ts'
import { isFolderName, type WritableTest } from './test-names.ts'
import { compareNames } from './test-tree.ts'

interface GroupSettings {
  readonly max_score: number
  readonly score_aggregation: 'sum' | 'min' | 'pass-fail'
}

/** The groups as 2025-09 has them: folders directly in `secret`, or none. */
export interface GroupLayout {
  /** The folder below `secret` of each hidden test case; empty: directly in `secret`. */
  readonly folders: readonly string[]
  readonly secret: GroupSettings
  readonly groups: readonly (GroupSettings & { readonly folder: string })[]
  /** All given names are in the folders of their groups. */
  readonly keepsNames: boolean
}

/** Hidden test cases in no group are here, among groups. It sorts before most names. */
const NO_POINTS = '000-no-points'

/** Plans the folders of groups. `names`: the test cases should keep these paths. */
export function planGroups(
  groups: readonly TestGroup[],
  tests: readonly WritableTest[],
  names?: readonly string[],
): GroupLayout {
  const areSecret = tests.map(({ hidden }, i) => names?.[i]?.startsWith('secret/') ?? hidden)
  const grouped = new Set(casesOf(groups))
  const hasUngrouped = areSecret.some((isSecret, i) => isSecret && !grouped.has(i + 1))
  const [only] = groups
  const outer = groups.length === 1 && only?.name === 'secret' ? only : undefined
  // All secret test cases are directly in `secret`, or in folders that are no groups.
  if (outer?.cases && !hasUngrouped)
    return { folders: areSecret.map(() => ''), secret: settingsOf(outer), groups: [], keepsNames: true }
  const aggregation = outer?.groups ? outer.aggregation : 'sum'
  const written = writeFolders(outer?.groups ?? groups, areSecret)
  const scores = written.map(({ max_score }) => max_score)
  const total = aggregation === 'min' ? (scores[0] ?? 0) : scores.reduce((sum, score) => sum + score, 0)
  // Under min all groups have the same points.
  const ungroupedPoints = aggregation === 'min' ? total : 0
  const ungrouped = { folder: NO_POINTS, max_score: ungroupedPoints, score_aggregation: 'pass-fail' } as const
  const folderOf = new Map(written.flatMap(({ folder, cases }) => cases.map((number) => [number, folder])))
  const folders = areSecret.map((_, i) => folderOf.get(i + 1) ?? (hasUngrouped ? NO_POINTS : ''))
  return {
    folders,
    secret: { max_score: total, score_aggregation: aggregation },
    groups: [...(hasUngrouped ? [ungrouped] : []), ...written.map(({ cases: _, ...settings }) => settings)],
    keepsNames: names?.every((name, i) => !areSecret[i] || name.startsWith(`secret/${folders[i]}/`)) ?? true,
  }
}

const settingsOf = ({ points, aggregation }: TestGroup) => ({
  ...{ max_score: Math.round(points), score_aggregation: aggregation },
})

/** The folders of groups that have secret test cases, with the numbers of these. */
function writeFolders(groups: readonly TestGroup[], areSecret: readonly boolean[]) {
  const names = nameFolders(groups)
  return groups.flatMap((group, i) => {
    const cases = casesOf([group])
      .filter((number) => areSecret[number - 1])
      .toSorted((a, b) => a - b)
    return cases.length === 0 ? [] : [{ folder: names[i] ?? '', ...settingsOf(group), cases }]
  })
}

/** The names of the groups if they are valid and in order, else numbered ones. */
function nameFolders(groups: readonly TestGroup[]): readonly string[] {
  const names = groups.map(({ name }) => name)
  const isOrdered = names.every((name, i) => i === 0 || compareNames(names[i - 1] ?? '', name) < 0)
  if (isOrdered && names.every(isFolderName) && !names.includes(NO_POINTS)) return names
  const digits = String(groups.length).length
  return groups.map((_, i) => `group${String(i + 1).padStart(digits, '0')}`)
}

const casesOf = (groups: readonly TestGroup[]): number[] =>
  groups.flatMap((group) => [...(group.cases ?? []), ...casesOf(group.groups ?? [])])
