import type { JudgedGroup, Rule } from '@judge-data-layer/problem-format/expectations'
import type { PackageLimits } from '@judge-data-layer/problem-format/read-package'

/** What a verification judges and compares the results with. The service stores it as JSON. */
export interface Plan {
  /** The problem's limit of CPU time, in seconds. */
  readonly limit: { readonly seconds: number; readonly provisional: boolean }
  /** The version of the test cases, limits and groups. */
  readonly tests_version: string
  /** The names of the test cases by their ids: they may change or be deleted later. */
  readonly case_names: Readonly<Record<string, string>>
  readonly max_score?: number
  readonly groups?: readonly JudgedGroup[]
  readonly package_limits: PackageLimits
  readonly programs: readonly PlannedProgram[]
  readonly validators: readonly PlannedValidator[]
}

interface Planned {
  readonly path: string
  /** The id of the shadow judging. Absent: `message` says why there is none. */
  readonly judging?: string
  readonly message?: string
}

export interface PlannedProgram extends Planned {
  readonly language?: string
  readonly expected: string
  readonly rules: readonly Rule[]
  /** The factor of its language for time limits. */
  readonly factor: number
}

export interface PlannedValidator extends Planned {
  readonly kind: 'input' | 'answer'
}

/** A shadow judging of a plan. */
export interface PlannedJudging {
  readonly id: string
  readonly language_id: string
  readonly source_code: string
  /** What the record shows judges beside the program. */
  readonly task: object
}

/** The limit of a verification of a provisional time limit, in seconds. */
const UNKNOWN_LIMIT = 10

/** The CPU limit of the judgings, in seconds: slow programs show how slow they are. */
export function raiseLimit({ limit, package_limits }: Pick<Plan, 'limit' | 'package_limits'>): number {
  if (limit.provisional) return UNKNOWN_LIMIT
  const { time_limit_to_tle = 1.5 } = package_limits.time_multipliers ?? {}
  return Math.max(2 * limit.seconds, limit.seconds * time_limit_to_tle + 1)
}
