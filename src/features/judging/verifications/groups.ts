import type { JudgedGroup } from '@judge-data-layer/problem-format/expectations'
import type { TestGroup } from '@judge-data-layer/problem-format/judging-options'

/** A problem's groups with the names of their folders and test cases. */
export function nameGroups(groups: readonly TestGroup[], caseNames: readonly string[]): JudgedGroup[] {
  return groups.map((group) => {
    const cases = group.cases?.flatMap((number) => caseNames[number - 1] ?? [])
    const inner = group.groups && nameGroups(group.groups, caseNames)
    return {
      name: findFolder(cases ?? listCases(inner ?? [])) ?? group.name,
      aggregation: group.aggregation,
      ...(cases && { cases }),
      ...(inner && { groups: inner }),
    }
  })
}

const listCases = (groups: readonly JudgedGroup[]): string[] =>
  groups.flatMap(({ cases = [], groups: inner = [] }) => [...cases, ...listCases(inner)])

/** The innermost folder with all of these test cases, such as `secret/group1`. */
function findFolder(names: readonly string[]): string | undefined {
  const [first = [], ...others] = names.map((name) => name.split('/').slice(0, -1))
  const differs = first.findIndex((part, place) => others.some((other) => other[place] !== part))
  const folder = differs < 0 ? first : first.slice(0, differs)
  return folder.length === 0 ? undefined : folder.join('/')
}
