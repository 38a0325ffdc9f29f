import type { JudgedGroup } from '@judge-data-layer/problem-format/group-scores'
import type { TestGroup } from '@judge-data-layer/problem-format/judging-options'
import { Warnings } from '@judge-data-layer/problem-format/package-files'
import { checkRules, readPrograms } from '@judge-data-layer/problem-format/submissions'
import { JudgingList, type Plan, type PlannedProgram } from './plan.ts'
import { planProgram } from './programs.ts'
import type { PlanSource } from './sql.ts'
import { planValidators } from './validators.ts'

/** The limit of a verification of a provisional time limit, in seconds. */
const UNKNOWN_LIMIT = 10

/** Reads what a verification judges. Throws `PackageError`. */
export async function makePlan(source: PlanSource) {
  const { metadata, max_score, test_groups, tests_version, cases } = source
  const seconds = Math.min(source.accept_timeout, source.execution_timeout)
  const limit = { seconds, provisional: source.timeout_is_provisional }
  const caseNames = cases.map(({ name }) => name)
  const groups = test_groups && nameGroups(test_groups, caseNames)
  const judgings = new JudgingList()
  const timeout = raiseLimit({ limit, package_limits: metadata.limits })
  const programs: PlannedProgram[] = []
  const found = await readPrograms(source.files, metadata, new Warnings())
  checkRules(found, cases)
  for (const program of found) programs.push(await planProgram(program, timeout, source, judgings))
  const validators = await planValidators(source, judgings)
  const plan: Plan = {
    ...{ limit, package_limits: metadata.limits, programs, validators, tests_version },
    case_names: Object.fromEntries(cases.map(({ id, name }) => [id, name])),
    ...(max_score !== null && { max_score }),
    ...(groups && { groups }),
  }
  return { plan, judgings: judgings.all }
}

/** The CPU limit of the judgings, in seconds: slow programs show how slow they are. */
export function raiseLimit({ limit, package_limits }: Pick<Plan, 'limit' | 'package_limits'>): number {
  if (limit.provisional) return UNKNOWN_LIMIT
  const { time_limit_to_tle = 1.5 } = package_limits.time_multipliers ?? {}
  return Math.max(2 * limit.seconds, limit.seconds * time_limit_to_tle + 1)
}

/** A problem's groups with the names of their folders and test cases. */
function nameGroups(groups: readonly TestGroup[], caseNames: readonly string[]): JudgedGroup[] {
  return groups.map((group) => {
    const cases = group.cases?.flatMap((number) => caseNames[number - 1] ?? [])
    const inner = group.groups && nameGroups(group.groups, caseNames)
    return {
      name: findFolder(cases ?? listCases(inner ?? [])) ?? group.name,
      points: group.points,
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
