import type { NamedLanguage } from '@judge-data-layer/languages'
import type { JudgedGroup, Rule } from '@judge-data-layer/problem-format/expectations'
import type { TestGroup } from '@judge-data-layer/problem-format/judging-options'
import type { PackageFiles } from '@judge-data-layer/problem-format/package-files'
import type { PackageLimits, StoredMetadata } from '@judge-data-layer/problem-format/read-package'

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

export interface PlannedProgram {
  readonly path: string
  readonly language?: string
  readonly expected: string
  readonly rules: readonly Rule[]
  /** The factor of its language for time limits. */
  readonly factor: number
  /** The id of the shadow judging. Absent: `message` says why there is none. */
  readonly judging?: string
  readonly message?: string
}

export interface PlannedValidator {
  readonly path: string
  readonly kind: 'input' | 'answer'
  readonly judging?: string
  readonly message?: string
}

/** A shadow judging of a plan. */
export interface PlannedJudging {
  readonly id: string
  readonly language_id: string
  readonly source_code: string
  /** What the record shows judges beside the program. */
  readonly task: object
}

/** A language that the service offers. */
export interface OfferedLanguage {
  readonly id: string
  readonly name: string
  readonly extension: string
}

/** A problem with the files of its package. */
export interface PlanSource {
  readonly files: PackageFiles
  readonly metadata: StoredMetadata
  readonly accept_timeout: number
  readonly execution_timeout: number
  readonly timeout_is_provisional: boolean
  readonly max_score: number | null
  readonly test_groups: readonly TestGroup[] | null
  readonly time_multipliers: Readonly<Record<string, number>> | null
  readonly tests_version: string
  /** The test cases in their order. */
  readonly cases: readonly { readonly id: string; readonly name: string }[]
  readonly offered: readonly OfferedLanguage[]
  /** The language file. */
  readonly languages: readonly NamedLanguage[]
  readonly mostSourceBytes: number
}
