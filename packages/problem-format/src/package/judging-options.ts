import Type from 'typebox'

export const MAX_PROGRAM_FILES = 100
/** In bytes of UTF-8, for the contents of all files of a program together. */
export const MAX_PROGRAM_BYTES = 4 * 1024 * 1024
export const MAX_FILE_NAME_LENGTH = 255
export const FILE_NAME = '^[\\w.-]+(?:/[\\w.-]+)*$'
/** Workers use names with this beginning in the folder of a validator. */
export const RESERVED_PREFIX = '.judging-'
export const MAX_TEST_GROUPS = 1000
/** In bytes of UTF-8, for the flags of all test cases together. */
export const CASE_FLAGS_BYTES = 1024 * 1024
export const MAX_CASE_FLAGS = 1000
export const MAX_FLAGS_LENGTH = 4096
export const MAX_GROUP_LEVELS = 8
export const MAX_POINTS = 1_000_000
/** 1,500,000 test cases exceeded the statement timeout, and their verdict the body limit. */
export const MAX_TEST_CASES = 10_000

/**
 * Makes the schemas of the options. Bodies and responses of the service have bounds and texts; own
 * settings of packages have none, because the service checks them later.
 */
export interface SchemaMaker {
  object<P extends Type.TProperties>(properties: P, options?: Type.TSchemaOptions): Type.TObject<P>
  array<S extends Type.TSchema>(items: S, options: Type.TSchemaOptions): Type.TArray<S>
  text(options?: Type.TSchemaOptions): Type.TString
  /** Text that is not only white space. */
  filled(options: Type.TSchemaOptions): Type.TString
  integer(options: Type.TSchemaOptions): Type.TInteger
  number(options: Type.TSchemaOptions): Type.TNumber
}

/** The options for judging of a problem. `ending` ends the titles of their schemas. */
export function judgingOptions(make: SchemaMaker, ending = '', groupLevels = MAX_GROUP_LEVELS) {
  return {
    validation: validationOf(make, `Validation${ending}`),
    test_groups: Type.Unsafe<readonly TestGroup[]>(
      groupsOf(make, groupLevels, { title: `TestGroup${ending}` }),
    ),
    run: Type.Enum(['all', 'first_failure'], {
      description:
        'The test cases to run: all, or those up to the first failure (default). With `test_groups`, the rules of the groups decide.',
    }),
    limits: limitsOf(make, `JudgingLimits${ending}`),
  }
}

export type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T

type Schemas = ReturnType<typeof judgingOptions>

export type JudgingOptions = { readonly [Name in keyof Schemas]: Frozen<Type.Static<Schemas[Name]>> }

/** The options of a problem; null: it does not have the option. */
export type OptionsOrNull = { readonly [Name in keyof JudgingOptions]: JudgingOptions[Name] | null }

export type Validation = JudgingOptions['validation']
export type CaseFlags = NonNullable<Validation['case_flags']>[number]
export type JudgingLimits = JudgingOptions['limits']

/** A group of test cases, or of groups. */
export interface TestGroup extends Frozen<Type.Static<Type.TObject<ReturnType<typeof groupFields>>>> {
  readonly groups?: readonly TestGroup[]
}

function validationOf(make: SchemaMaker, title: string) {
  const program = validatorProgram(make)
  return make.object(
    {
      type: Type.Enum(['default', 'custom', 'interactive'], {
        description:
          '`default`: the package format’s own comparison. `custom`: a program of the problem validates each output. `interactive`: this program talks with the submitted one.',
      }),
      flags: Type.Optional(
        flagsOf(
          make,
          'Arguments of the validator, separated by white space. For `default`: `case_sensitive`, `space_change_sensitive`, and `float_tolerance E` or `float_relative_tolerance E` and `float_absolute_tolerance E`.',
        ),
      ),
      case_flags: Type.Optional(caseFlagsOf(make)),
      protocol: Type.Optional(
        Type.Enum(['testlib'], {
          description:
            'The arguments and exit codes of testlib; absent: those of the package format. Only for programs.',
        }),
      ),
      ...program,
      files: Type.Optional(program.files),
    },
    { title },
  )
}

/** The fields of a program that validates. */
export function validatorProgram(make: SchemaMaker) {
  const command = (description: string) =>
    make.array(make.text({ minLength: 1, maxLength: 4096 }), { minItems: 1, maxItems: 100, description })
  return {
    files: make.array(
      make.object({
        name: make.text({
          maxLength: MAX_FILE_NAME_LENGTH,
          pattern: FILE_NAME,
          'x-wants': 'be a relative file name of letters, digits and ._-/',
        }),
        content: make.text(),
      }),
      {
        minItems: 1,
        maxItems: MAX_PROGRAM_FILES,
        description:
          'The files of the program, with at most 4 MiB together. With `language`, the first file is the program.',
      },
    ),
    language: Type.Optional(
      make.filled({
        maxLength: 255,
        description: 'The language of the program: a name or alias of the language file.',
      }),
    ),
    build: Type.Optional(
      command('The command that builds the program without `language`. `{dir}` is the folder of the files.'),
    ),
    run: Type.Optional(
      command('The command that runs the program without `language`. `{dir}` is the folder of the files.'),
    ),
  }
}

const flagsOf = (make: SchemaMaker, description: string) =>
  make.text({ maxLength: MAX_FLAGS_LENGTH, description })

function caseFlagsOf(make: SchemaMaker) {
  return make.array(
    make.object({
      cases: caseNumbers(make, 'CaseFlagsCases', 'Each is in one entry at most.'),
      flags: flagsOf(make, 'Arguments of the validator, as in `validation.flags`.'),
    }),
    {
      minItems: 1,
      maxItems: MAX_CASE_FLAGS,
      description: 'Flags of some test cases, in place of `flags`. They have at most 1 MiB together.',
    },
  )
}

const caseNumbers = (make: SchemaMaker, title: string, description: string) =>
  make.array(make.integer({ minimum: 1, maximum: MAX_TEST_CASES }), {
    title,
    minItems: 1,
    maxItems: MAX_TEST_CASES,
    description: `Numbers of test cases in their order, from 1. ${description}`,
  })

/** The fields of a group beside its groups. Their titles let the levels share them. */
function groupFields(make: SchemaMaker) {
  return {
    name: make.filled({
      title: 'TestGroupName',
      maxLength: 255,
      description: 'Unique among the groups beside it.',
    }),
    points: make.number({
      title: 'TestGroupPoints',
      minimum: 0,
      maximum: MAX_POINTS,
      description: 'At most two decimals.',
    }),
    aggregation: Type.Enum(['sum', 'min'], {
      title: 'TestGroupAggregation',
      description: '`sum`: the scores of the cases or groups are added up. `min`: the lowest of them counts.',
    }),
    cases: Type.Optional(caseNumbers(make, 'TestGroupCases', 'Each is in one group at most.')),
  }
}

/** The number of levels ends: functions that read groups call themselves for each level. */
function groupsOf(make: SchemaMaker, levels: number, options: Type.TSchemaOptions): Type.TArray {
  const innermost = Type.Array(Type.Unknown(), { maxItems: 0, description: 'This level has no groups.' })
  const groups = levels > 1 ? groupsOf(make, levels - 1, {}) : innermost
  return make.array(make.object({ ...groupFields(make), groups: Type.Optional(groups) }, options), {
    minItems: 1,
    maxItems: MAX_TEST_GROUPS,
    description: 'A group has either `cases` or `groups`.',
  })
}

function limitsOf(make: SchemaMaker, title: string) {
  const seconds = (description: string) =>
    Type.Optional(make.integer({ minimum: 1, maximum: 86_400, description }))
  const mebibytes = (maximum: number, description: string) =>
    Type.Optional(make.integer({ minimum: 1, maximum, description }))
  const multiplier = make.number({ exclusiveMinimum: 0, maximum: 1000 })
  return make.object(
    {
      output: mebibytes(256, 'MiB of output on one test case.'),
      compilation_time: seconds('Seconds for the compiler.'),
      compilation_memory: mebibytes(1_048_576, 'MiB for the compiler.'),
      validation_time: seconds('Seconds for the validator, on one test case.'),
      validation_memory: mebibytes(1_048_576, 'MiB for the validator.'),
      validation_output: mebibytes(256, 'MiB of output and feedback of the validator, on one test case.'),
      time_multipliers: Type.Optional(
        Type.Record(Type.String({ pattern: '^' }), multiplier, {
          description:
            'Factors for the time limits, by language: a name or alias of the language file. They replace those of the language file.',
        }),
      ),
    },
    { title },
  )
}
