/** How a problem's submissions are judged. Without options: by the default comparison (D41). */
export interface JudgingOptions {
  readonly validation?: Validation
  readonly testGroups?: readonly TestGroup[]
  /** Default: `first_failure`. */
  readonly run?: 'all' | 'first_failure'
  readonly limits?: JudgingLimits
}

type Validation = DefaultValidation | ProgramValidation | UnknownValidation

/** The arguments of a validator. */
export interface ValidatorFlags {
  readonly flags?: string
  /** Flags of test cases by their numbers, in place of `flags`. */
  readonly caseFlags?: readonly CaseFlags[]
}

interface CaseFlags {
  readonly cases: readonly number[]
  readonly flags: string
}

/** The package format's default validator. */
export interface DefaultValidation extends ValidatorFlags {
  readonly type: 'default'
}

/** A program of the problem that validates. */
export interface ValidatorFiles {
  readonly files: readonly ValidatorFile[]
  /** The language of the first file; undefined: the validator has its own commands. */
  readonly language?: string
  readonly build?: readonly string[]
  readonly run?: readonly string[]
}

/** The problem's own output validator or interactor. */
export interface ProgramValidation extends ValidatorFiles, ValidatorFlags {
  readonly type: 'custom' | 'interactive'
  /** `format`: the package format's exit codes and arguments. */
  readonly protocol: 'format' | 'testlib'
}

/** A program that validates the inputs or the answers of test cases. */
export interface TestsValidator extends ValidatorFiles {
  readonly type: 'input' | 'answer'
  /** By the ids of test cases; none for others. */
  readonly arguments: Readonly<Record<string, readonly string[]>>
}

/** A newer service may have more types and protocols. */
interface UnknownValidation {
  readonly type: 'unknown'
  /** For messages: the type, and the protocol if that is unknown. */
  readonly name: string
}

interface ValidatorFile {
  /** A relative path. */
  readonly name: string
  readonly content: string
}

/** A program of several files, for the commands of its language. */
export interface FilesProgram {
  readonly files: readonly ValidatorFile[]
  /** Names of the files that the commands get; the first one starts the program. */
  readonly sources: readonly string[]
  /** The class that starts the program; default: the one that the worker finds. */
  readonly main_class?: string
}

/** A group has either test cases or groups. */
export interface TestGroup {
  readonly name: string
  readonly points: number
  readonly aggregation: 'sum' | 'min'
  /** Numbers of test cases in their order, from 1. */
  readonly cases?: readonly number[]
  readonly groups?: readonly TestGroup[]
}

/** In seconds and MiB. */
export interface JudgingLimits {
  readonly outputMib?: number
  readonly compilationSeconds?: number
  readonly compilationMib?: number
  readonly validationSeconds?: number
  readonly validationMib?: number
  readonly validationOutputMib?: number
  /** By the names of languages. */
  readonly timeMultipliers?: Readonly<Record<string, number>>
}

/** The capabilities of this worker (D41). */
export const CAPABILITIES =
  'validation/1, case-flags/1, test-groups/1, limits/1, verification/1, program-files/1'

/** The fields of a problem's tests that the service has for a problem with judging options. */
export interface ServedOptions {
  readonly problem_id: number
  readonly validation?: {
    readonly type: string
    readonly flags?: string
    readonly case_flags?: readonly CaseFlags[]
    readonly protocol?: string
    readonly files?: readonly ValidatorFile[]
    readonly language?: string
    readonly build?: readonly string[]
    readonly run?: readonly string[]
  }
  readonly test_groups?: readonly unknown[]
  readonly run?: 'all' | 'first_failure'
  readonly limits?: {
    readonly output?: number
    readonly compilation_time?: number
    readonly compilation_memory?: number
    readonly validation_time?: number
    readonly validation_memory?: number
    readonly validation_output?: number
    readonly time_multipliers?: Readonly<Record<string, number>>
  }
}

/** The fields of a record in a verification. */
export interface ServedTask {
  /** Replaces the problem's `run`. */
  readonly run?: JudgingOptions['run']
  /** Replaces the source code. */
  readonly program?: FilesProgram
  /** Judged instead of a program. */
  readonly validator?: TestsValidator
}

/** Reads the options of a problem; older services send none. */
export function readOptions({ validation, test_groups, run, limits }: ServedOptions): JudgingOptions {
  return {
    ...(validation && { validation: readValidation(validation) }),
    ...(test_groups && { testGroups: test_groups.map(readGroup) }),
    ...(run && { run }),
    ...(limits && { limits: readLimits(limits) }),
  }
}

/** The schema ends at the deepest level. The client accepts only the service's bodies. */
function readGroup(group: unknown): TestGroup {
  return Object(group)
}

function readValidation({
  type,
  protocol = 'format',
  files = [],
  flags,
  case_flags: caseFlags,
  ...rest
}: NonNullable<ServedOptions['validation']>): Validation {
  const given = dropAbsent({ flags, caseFlags })
  if (type === 'default') return { type, ...given }
  if (type !== 'custom' && type !== 'interactive') return { type: 'unknown', name: type }
  if (protocol === 'format' || protocol === 'testlib') return { type, protocol, files, ...given, ...rest }
  return { type: 'unknown', name: `${type} with the protocol ${protocol}` }
}

function readLimits(limits: NonNullable<ServedOptions['limits']>): JudgingLimits {
  return dropAbsent({
    outputMib: limits.output,
    compilationSeconds: limits.compilation_time,
    compilationMib: limits.compilation_memory,
    validationSeconds: limits.validation_time,
    validationMib: limits.validation_memory,
    validationOutputMib: limits.validation_output,
    timeMultipliers: limits.time_multipliers,
  })
}

type WithoutUndefined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

/** The entries of an object that have a value. */
function dropAbsent<T extends object>(values: T): WithoutUndefined<T>
function dropAbsent(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
