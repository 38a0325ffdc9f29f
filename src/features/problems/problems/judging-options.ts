import Type, { type TArray, type TObject, type TProperties, type TSchemaOptions } from 'typebox'
import { Filled, Nullable, ResponseObject, Written } from '../../../http/routing/schema.ts'

/** In bytes of UTF-8, for the contents of all files of a validator together. */
export const VALIDATOR_FILES_BYTES = 4 * 1024 * 1024
export const MAX_TEST_GROUPS = 1000
/** In bytes of UTF-8, for the flags of all test cases together. */
export const CASE_FLAGS_BYTES = 1024 * 1024
const MAX_CASE_FLAGS = 1000
const MAX_GROUP_LEVELS = 8
const MAX_POINTS = 1_000_000
/** 1,500,000 test cases exceeded the statement timeout, and their verdict the body limit. */
export const MAX_TEST_CASES = 10_000

type MakeObject = <P extends TProperties>(properties: P, options?: TSchemaOptions) => TObject<P>

const command = (description: string) =>
  Type.Array(Written({ minLength: 1, maxLength: 4096 }), { minItems: 1, maxItems: 100, description })

const filesOf = (object: MakeObject) =>
  Type.Array(
    object({
      name: Written({
        maxLength: 255,
        pattern: '^[\\w.-]+(?:/[\\w.-]+)*$',
        'x-wants': 'be a relative file name of letters, digits and ._-/',
      }),
      content: Written(),
    }),
    {
      minItems: 1,
      maxItems: 100,
      description:
        'The files of the program, with at most 4 MiB together. With `language`, the first file is the program.',
    },
  )

/** The fields of a program that validates. */
const programOf = (object: MakeObject) => ({
  files: Type.Optional(filesOf(object)),
  language: Type.Optional(
    Filled({
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
})

const flagsOf = (description: string) => Written({ maxLength: 4096, description })

/** Numbers of test cases. */
const caseNumbers = (description: string) =>
  Type.Array(Type.Integer({ minimum: 1, maximum: MAX_TEST_CASES }), {
    minItems: 1,
    maxItems: MAX_TEST_CASES,
    description: `Numbers of test cases in their order, from 1. ${description}`,
  })

const caseFlagsOf = (object: MakeObject) =>
  Type.Array(
    object({
      cases: caseNumbers('Each is in one entry at most.'),
      flags: flagsOf('Arguments of the validator, as in `validation.flags`.'),
    }),
    {
      minItems: 1,
      maxItems: MAX_CASE_FLAGS,
      description: 'Flags of some test cases, in place of `flags`. They have at most 1 MiB together.',
    },
  )

const validationOf = (object: MakeObject, title: string) =>
  object(
    {
      type: Type.Enum(['default', 'custom', 'interactive'], {
        description:
          '`default`: the package format’s own comparison. `custom`: a program of the problem validates each output. `interactive`: this program talks with the submitted one.',
      }),
      flags: Type.Optional(
        flagsOf(
          'Arguments of the validator, separated by white space. For `default`: `case_sensitive`, `space_change_sensitive`, and `float_tolerance E` or `float_relative_tolerance E` and `float_absolute_tolerance E`.',
        ),
      ),
      case_flags: Type.Optional(caseFlagsOf(object)),
      protocol: Type.Optional(
        Type.Enum(['testlib'], {
          description:
            'The arguments and exit codes of testlib; absent: those of the package format. Only for programs.',
        }),
      ),
      ...programOf(object),
    },
    { title },
  )

/** A group of test cases, or of groups. */
export interface TestGroup {
  readonly name: string
  readonly points: number
  readonly aggregation: 'sum' | 'min'
  readonly cases?: readonly number[]
  readonly groups?: readonly TestGroup[]
}

const testGroupsOf = (object: MakeObject, title: string) =>
  Type.Unsafe<readonly TestGroup[]>(groupsOf(object, MAX_GROUP_LEVELS, { title }))

function groupsOf(object: MakeObject, levels: number, options: TSchemaOptions): TArray {
  const innermost = Type.Array(Type.Unknown(), { maxItems: 0, description: 'This level has no groups.' })
  const group = object(
    {
      name: Filled({ maxLength: 255, description: 'Unique among the groups beside it.' }),
      points: Type.Number({ minimum: 0, maximum: MAX_POINTS, description: 'At most two decimals.' }),
      aggregation: Type.Enum(['sum', 'min'], {
        description:
          '`sum`: the scores of the cases or groups are added up. `min`: the lowest of them counts.',
      }),
      cases: Type.Optional(caseNumbers('Each is in one group at most.')),
      groups: Type.Optional(levels > 1 ? groupsOf(object, levels - 1, {}) : innermost),
    },
    options,
  )
  return Type.Array(group, {
    minItems: 1,
    maxItems: MAX_TEST_GROUPS,
    description: 'A group has either `cases` or `groups`.',
  })
}

const seconds = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400, description }))
const mebibytes = (maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, description }))

const limitsOf = (object: MakeObject, title: string) =>
  object(
    {
      output: mebibytes(256, 'MiB of output on one test case.'),
      compilation_time: seconds('Seconds for the compiler.'),
      compilation_memory: mebibytes(1_048_576, 'MiB for the compiler.'),
      validation_time: seconds('Seconds for the validator, on one test case.'),
      validation_memory: mebibytes(1_048_576, 'MiB for the validator.'),
      validation_output: mebibytes(256, 'MiB of output and feedback of the validator, on one test case.'),
      time_multipliers: Type.Optional(
        Type.Record(Type.String({ pattern: '^' }), Type.Number({ exclusiveMinimum: 0, maximum: 1000 }), {
          description:
            'Factors for the time limits, by language: a name or alias of the language file. They replace those of the language file.',
        }),
      ),
    },
    { title },
  )

const Run = Type.Enum(['all', 'first_failure'], {
  description:
    'The test cases to run: all, or those up to the first failure (default). With `test_groups`, the rules of the groups decide.',
})

/** The judging options in a body of `POST` and `PUT`; on `PUT`, null removes one. */
export const judgingOptionFields = {
  validation: Nullable(validationOf(Type.Object, 'ValidationBody')),
  test_groups: Nullable(testGroupsOf(Type.Object, 'TestGroupBody')),
  run: Nullable(Run),
  limits: Nullable(limitsOf(Type.Object, 'JudgingLimitsBody')),
}

/** The fields of a validator's program in responses. */
export const validatorProgramShown = { ...programOf(ResponseObject), files: filesOf(ResponseObject) }

/** The judging options in responses, each absent if the problem does not have it. */
export const judgingOptionsShown = {
  validation: Type.Optional(validationOf(ResponseObject, 'Validation')),
  test_groups: Type.Optional(testGroupsOf(ResponseObject, 'TestGroup')),
  max_score: Type.Optional(
    Type.Number({ description: 'The sum of the points of `test_groups`; absent without them.' }),
  ),
  run: Type.Optional(Run),
  limits: Type.Optional(limitsOf(ResponseObject, 'JudgingLimits')),
}
