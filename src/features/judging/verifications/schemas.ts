import Type from 'typebox'
import { Instant, IntegerId, ResponseObject, Uuid } from '../../../http/routing/schema.ts'

const seconds = (description: string) => Type.Number({ minimum: 0, description })

const agrees = (description: string) => Type.Optional(Type.Boolean({ description }))

const ProgramResponse = ResponseObject(
  {
    path: Type.String({ description: 'The file, or the folder of a program of several files.' }),
    language: Type.Optional(Type.String({ description: 'The name of the language; absent if unknown.' })),
    expected: Type.String({ description: 'The expected result, for people.' }),
    status: Type.String({
      description:
        '`PENDING`, then the status of its verdict with the time limit `time_limit.seconds`. `NOT_JUDGED`: `message` says why.',
    }),
    score: Type.Optional(Type.Number({ description: 'Points; only for problems with test groups.' })),
    slowest_time: Type.Optional(
      seconds('CPU seconds of its slowest test case; at least the limit of the judging if that ended it.'),
    ),
    agrees: agrees('Whether the results are as expected; absent as long as that is unknown.'),
    message: Type.Optional(Type.String({ description: 'Why they are not, or why it was not judged.' })),
  },
  { title: 'VerifiedProgram' },
)

const ValidatorResponse = ResponseObject(
  {
    path: Type.String(),
    kind: Type.Enum(['input', 'answer'], { description: 'What it validates.' }),
    status: Type.Enum(['PENDING', 'ACCEPTED', 'REJECTED', 'INTERNAL_ERROR', 'NOT_RUN'], {
      description:
        '`ACCEPTED`: it accepts all test cases. `INTERNAL_ERROR`: it does not compile, or exceeded a limit. `NOT_RUN`: `message` says why.',
    }),
    agrees: agrees('True with `ACCEPTED`.'),
    rejected: Type.Array(
      ResponseObject({
        test_case: Type.String({ description: 'The name in the package, or the id.' }),
        message: Type.Optional(Type.String({ description: 'What the validator printed.' })),
      }),
      { description: 'The first 20 test cases that it rejects.' },
    ),
    message: Type.Optional(Type.String()),
  },
  { title: 'VerifiedValidator' },
)

const TimeLimitResponse = ResponseObject(
  {
    seconds: seconds('The CPU limit with which the results are compared.'),
    provisional: Type.Boolean({ description: 'True: the package has no limit, and none is computed yet.' }),
    computed: Type.Optional(seconds('The limit that the accepted programs need.')),
    slowest_accepted: Type.Optional(seconds('The slowest program that must not be too slow.')),
    fastest_too_slow: Type.Optional(seconds('The fastest program that must be too slow.')),
    message: Type.Optional(
      Type.String({ description: 'Why the limit does not fit the programs, or cannot be computed.' }),
    ),
  },
  { title: 'VerifiedTimeLimit' },
)

export const VerificationResponse = ResponseObject(
  {
    id: Uuid(),
    problem_id: IntegerId(),
    status: Type.Enum(['PENDING', 'DONE'], { description: '`DONE` when no judging is pending.' }),
    created_at: Instant(),
    agrees: agrees(
      'False if a program or validator does not agree, or the time limit does not fit. Those that the service cannot judge do not count. Absent while pending, and if it cannot judge any.',
    ),
    message: Type.Optional(Type.String({ description: 'Why `agrees` is absent at the end.' })),
    outdated: Type.Optional(
      Type.Boolean({
        description:
          'True: the test cases, limits or package of the problem changed before the last verdict, so the results may be of several versions.',
      }),
    ),
    programs: Type.Array(ProgramResponse),
    validators: Type.Array(ValidatorResponse),
    time_limit: TimeLimitResponse,
  },
  { title: 'Verification' },
)
