import type { JudgingLimits } from './judging-options.ts'
import type { PackageFile } from './package-files.ts'

/** The versions of the problem package format that are read. */
export type FormatVersion = 'legacy' | 'legacy-icpc' | '2023-07-draft' | '2025-09'

/** True for the versions before 2023. */
export function isLegacy({ format }: Pick<PackageMetadata, 'format'>): boolean {
  return format === 'legacy' || format === 'legacy-icpc'
}

export type ProblemType = 'pass-fail' | 'scoring' | 'interactive' | 'multi-pass' | 'submit-answer'

/** A person of the credits. */
export interface Person {
  readonly name: string
  readonly email?: string
  readonly orcid?: string
  readonly kattis?: string
}

/** The roles of persons, beside translators. */
export const ROLES = ['authors', 'contributors', 'testers', 'packagers', 'acknowledgements'] as const

export interface Credits extends Partial<Readonly<Record<(typeof ROLES)[number], readonly Person[]>>> {
  readonly translators?: Readonly<Record<string, readonly Person[]>>
}

/** Limits of `problem.yaml`, in its units: seconds and MiB, `code` in KiB. */
export interface PackageLimits extends Omit<JudgingLimits, 'time_multipliers'> {
  readonly time_limit?: number
  readonly time_resolution?: number
  /** `legacy`: `time_multiplier` and `time_safety_margin`. */
  readonly time_multipliers?: { readonly ac_to_time_limit?: number; readonly time_limit_to_tle?: number }
  readonly memory?: number
  readonly code?: number
}

/**
 * The settings of a package, from `problem.yaml` of any version and DOMjudge's files, in the terms
 * of 2025-09. JSON: the service stores it with the problem.
 */
export interface PackageMetadata {
  /** The version that was read. */
  readonly format: FormatVersion
  /** At least `pass-fail` or `scoring`. */
  readonly type: readonly ProblemType[]
  /** By language; empty if `problem.yaml` has no name. */
  readonly names: Readonly<Record<string, string>>
  readonly uuid?: string
  readonly version?: string
  readonly credits?: Credits
  readonly source?: readonly { readonly name: string; readonly url?: string }[]
  readonly license?: string
  readonly rights_owner?: string
  readonly embargo_until?: string
  readonly keywords: readonly string[]
  readonly languages?: readonly string[]
  readonly allow_file_writing?: boolean
  /** Each with `value`, and the other variants. */
  readonly constants?: Readonly<Record<string, Readonly<Record<string, string | number>>>>
  readonly limits: PackageLimits
  /** Only of legacy packages: `validation: custom …`. */
  readonly has_custom_validator?: boolean
  /** Only of legacy packages: `validator_flags`. */
  readonly validator_flags?: string
  /** DOMjudge's `short-name` or `probid`. */
  readonly short_name?: string
}

/** A test case of a package. */
export interface PackageTest {
  /** Its path below `data`, without extension: `secret/group1/01`. */
  readonly name: string
  /** True if solvers do not see its input and answer: if it is secret, or shows other texts. */
  readonly hidden: boolean
  readonly input: PackageFile
  readonly answer: PackageFile
  readonly hint?: string
  readonly description?: string
}
