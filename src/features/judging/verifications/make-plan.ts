import { Warnings } from '@judge-data-layer/problem-format/package-files'
import { checkRules, readPrograms } from '@judge-data-layer/problem-format/submissions'
import { nameGroups } from './groups.ts'
import { JudgingList } from './judging-list.ts'
import type { Plan, PlannedJudging, PlannedProgram, PlanSource } from './plan.ts'
import { planProgram } from './programs.ts'
import { planValidators } from './validators.ts'

/** The limit of a verification of a provisional time limit, in seconds. */
const UNKNOWN_LIMIT = 10

/** Reads what a verification judges. Throws `PackageError`. */
export async function makePlan(
  source: PlanSource,
): Promise<{ plan: Plan; judgings: readonly PlannedJudging[] }> {
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
  const plan = {
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
