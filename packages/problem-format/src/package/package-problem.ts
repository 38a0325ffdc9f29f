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

export interface Credits {
  readonly authors?: readonly Person[]
  readonly contributors?: readonly Person[]
  readonly testers?: readonly Person[]
  readonly translators?: Readonly<Record<string, readonly Person[]>>
  readonly packagers?: readonly Person[]
  readonly acknowledgements?: readonly Person[]
}

/** Limits of `problem.yaml`, in its units: seconds and MiB, `code` in KiB. */
export interface PackageLimits {
  readonly time_limit?: number
  readonly time_resolution?: number
  /** `legacy`: `time_multiplier` and `time_safety_margin`. */
  readonly time_multipliers?: { readonly ac_to_time_limit?: number; readonly time_limit_to_tle?: number }
  readonly memory?: number
  readonly output?: number
  readonly code?: number
  readonly compilation_time?: number
  readonly compilation_memory?: number
  readonly validation_time?: number
  readonly validation_memory?: number
  readonly validation_output?: number
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
  /**
   * True unless solvers see its input and answer: secret ones, and samples that show other texts.
   */
  readonly hidden: boolean
  readonly input: PackageFile
  readonly answer: PackageFile
  readonly hint?: string
  readonly description?: string
}

/** A group of test cases as the service has it (docs/writing-problems.md): either `cases` or `groups`. */
export interface PackageGroup {
  readonly name: string
  readonly points: number
  readonly aggregation: 'sum' | 'min'
  /** Numbers of test cases in their order, from 1. */
  readonly cases?: readonly number[]
  readonly groups?: readonly PackageGroup[]
}

/** Flags of single test cases by their numbers, as the service has them (docs/writing-problems.md). */
export interface PackageCaseFlags {
  readonly cases: readonly number[]
  readonly flags: string
}

/** How outputs are judged, as the service has it (docs/writing-problems.md). */
export interface PackageValidation {
  readonly type: 'default' | 'custom' | 'interactive'
  readonly flags?: string
  readonly case_flags?: readonly PackageCaseFlags[]
  readonly protocol?: 'testlib'
  readonly files?: readonly { readonly name: string; readonly content: string }[]
  /** A name or alias of the language file; else `run`, and `build` where it is needed. */
  readonly language?: string
  readonly build?: readonly string[]
  readonly run?: readonly string[]
}
