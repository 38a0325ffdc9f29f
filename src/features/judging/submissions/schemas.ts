import { MAX_TEST_CASES } from '@judge-data-layer/problem-format/judging-options'
import Type from 'typebox'
import type { Config } from '../../../config/config.ts'
import {
  Instant,
  IntegerId,
  Message,
  NameOrNone,
  Nullable,
  OrNull,
  Printed,
  ResponseObject,
  Uuid,
  Written,
} from '../../../http/routing/schema.ts'
import { PageQuery } from '../../../lists/page.ts'
import { validatorProgramShown } from '../../problems/problems/judging-options.ts'
import { problemLimits } from '../../problems/problems/schemas.ts'
import { LanguageResponse } from '../../shared/records/languages.ts'
import { Difficulty, UpdatedAt } from '../../shared/records/problems.ts'
import { UserResponse } from '../../shared/records/users.ts'
import { judgingNumber, judgingOfVerdict } from './judging.ts'
import { STATUS_OF_REASON, verdictStatuses } from './rules.ts'

/** Body of `POST /v1/submissions` (D24). */
export const submissionCreation = ({ sourceCodeBytes }: Config['sizes']) =>
  Type.Object(
    {
      user_id: Uuid({ description: 'The caller’s id; admins may submit for other users.' }),
      problem_id: IntegerId(),
      language_id: Uuid(),
      source_code: Written({ minLength: 1, maxBytes: sourceCodeBytes }),
      event_id: Nullable(IntegerId({ description: 'The event in which the submission counts.' })),
    },
    { title: 'SubmissionBody' },
  )

const REASONS = Object.entries(STATUS_OF_REASON)
  .map(([reason, status]) => `\`${reason}\` of \`${status}\``)
  .join(', ')

/** Body of `PATCH /v1/submissions/{submission_id}`; only `status` is required (D25). */
export const verdictBody = (extraStatuses: readonly string[]) => {
  const status = Type.Enum(verdictStatuses(extraStatuses))
  return Type.Object(
    {
      status,
      reason: Nullable(
        Type.Enum(Object.keys(STATUS_OF_REASON), {
          description: `A finer status, which many clients do not know: ${REASONS}.`,
        }),
      ),
      stdout: Nullable(Printed()),
      stderr: Nullable(Printed()),
      time_elapsed: Nullable(seconds()),
      failed_test_case_id: Nullable(Uuid({ description: 'The first failed test case.' })),
      ...judgingOfVerdict,
      memory_used: Nullable(memoryUsed('of the test case with the most')),
      score: Nullable(points('Only for problems with test groups; rounded to two decimals.')),
      worker: Nullable(NameOrNone({ maxLength: 255, description: 'The name of the worker.' })),
      judge_message: Nullable(message('The reason of the verdict, for judges and admins.')),
      test_case_results: Nullable(
        Type.Array(
          Type.Object({
            test_case_id: Uuid(),
            stdout: Nullable(Printed()),
            stderr: Nullable(Printed()),
            passed: Type.Boolean(),
            status: Nullable(status),
            time_elapsed: Nullable(seconds()),
            memory_used: Nullable(memoryUsed()),
            score: Nullable(points('The points of the test case.')),
            judge_message: Nullable(message('The validator’s message for judges and admins.')),
            team_message: Nullable(message('The validator’s message for the owner.')),
            transcript: Nullable(Printed(longText('The interaction, for judges and admins.'))),
          }),
          { maxItems: MAX_TEST_CASES },
        ),
      ),
    },
    { title: 'VerdictBody' },
  )
}

const longText = (description: string) => ({
  maxBytes: 1024 * 1024,
  description: `${description} At most 1 MiB.`,
})
const message = (description: string) => Message(longText(description))
const seconds = (description = 'Seconds.') => Type.Number({ minimum: 0, description })
const points = (description: string) => Type.Number({ minimum: 0, description })
const memoryUsed = (of = '') =>
  Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: ['KiB', of].filter(Boolean).join(' ') })

const identity = {
  id: Uuid(),
  user_id: Uuid(),
  problem_id: IntegerId(),
  language_id: Uuid(),
  source_code: Type.String(),
  status: Type.String({ description: '`PENDING` until there is a verdict, then the status of the verdict.' }),
  submit_time: Instant(),
  time_elapsed: Type.Number({ description: 'Seconds; 0 before the verdict.' }),
  event_id: Type.Optional(IntegerId({ description: 'Absent for submissions outside events.' })),
}

export const SubmissionCreatedResponse = ResponseObject(identity, { title: 'CreatedSubmission' })

export const SubmissionStatusResponse = ResponseObject(
  { id: Uuid(), status: Type.String() },
  { title: 'SubmissionStatus' },
)

const verdict = {
  reason: Type.Optional(
    Type.String({
      description: `The finer status; absent without one. At present ${REASONS}; others may follow.`,
    }),
  ),
  stdout: Type.String({ description: 'The output that the judge shows; empty before the verdict.' }),
  stderr: Type.String({ description: 'As `stdout`; for a compile error, the compiler’s messages.' }),
  failed_test_case_id: OrNull(Uuid(), {
    description:
      'Null if no test case failed or the judge named none. The test case may have been replaced since.',
  }),
}

/** Absent without a value. */
const measured = {
  memory_used: Type.Optional(memoryUsed('of the test case with the most')),
  score: Type.Optional(points('The points of the verdict; only for problems with test groups.')),
}

const scored = {
  ...measured,
  max_score: Type.Optional(points('The full score of the problem; absent without test groups.')),
}

const related = {
  user: UserResponse,
  problem: ResponseObject({
    id: IntegerId(),
    title: Type.String(),
    identifier: Type.String(),
    difficulty: Difficulty,
    updated_at: UpdatedAt(),
    ...problemLimits,
  }),
  language: LanguageResponse,
}

/** A submission in lists has no test case results (D26). */
export const SubmissionListedResponse = ResponseObject(
  { ...identity, ...verdict, ...related, ...scored },
  { title: 'ListedSubmission' },
)

const { source_code, stdout, stderr, ...redacted } = SubmissionListedResponse.properties

/** Submissions of other users have no program and outputs (D28). */
export const EventSubmissionResponse = Type.Union(
  [SubmissionListedResponse, ResponseObject(redacted, { title: 'RedactedSubmission' })],
  { title: 'EventSubmission' },
)

/** At most one of the two filters (specification, Submission filter rules). */
export const EventSubmissionsQuery = Type.Object({
  ...PageQuery.properties,
  user: Type.Optional(Uuid({ description: 'Only submissions of this user.' })),
  team: Type.Optional(Uuid({ description: 'Only submissions of members of this team.' })),
})

const resultDetails = {
  time_elapsed: Type.Optional(seconds()),
  memory_used: Type.Optional(memoryUsed()),
  team_message: Type.Optional(Type.String({ description: 'The validator’s message.' })),
}

const TestCaseResultResponse = ResponseObject(
  {
    id: Uuid(),
    submission_id: Uuid(),
    test_case_id: Uuid(),
    stdout: Type.String(),
    stderr: Type.String(),
    passed: Type.Boolean(),
    ...resultDetails,
  },
  { title: 'TestCaseResult' },
)

/** Only the shadow judgings of verifications have them. */
const verificationFields = {
  run: Type.Optional(Type.Enum(['all'], { description: 'Judge all test cases, also after a failed one.' })),
  program: Type.Optional(
    ResponseObject(
      {
        files: Type.Array(validatorProgramShown.files.items, {
          ...{ minItems: 1, maxItems: 100, description: 'All files, with at most 4 MiB together.' },
        }),
        sources: Type.Array(Type.String(), {
          minItems: 1,
          description:
            'Names of the files that the commands of the language get as `{source}`. The first one starts the program.',
        }),
        main_class: Type.Optional(
          Type.String({ description: 'The class that starts the program; absent: the worker finds it.' }),
        ),
      },
      {
        title: 'ProgramFiles',
        description: 'Judge this program of several files, instead of `source_code`.',
      },
    ),
  ),
  validator: Type.Optional(
    ResponseObject(
      {
        type: Type.Enum(['input', 'answer'], { description: 'The text that it gets on stdin.' }),
        ...validatorProgramShown,
        arguments: Type.Record(Type.String(), Type.Array(Type.String()), {
          description: 'The arguments by the ids of test cases; none for the others.',
        }),
      },
      {
        title: 'TestCaseValidator',
        description: 'Judge the test cases with this program, instead of `source_code`.',
      },
    ),
  ),
}

/** The full record; judges and admins also get the judging (D26). */
export const SubmissionResponse = ResponseObject(
  {
    ...identity,
    ...verdict,
    ...related,
    ...scored,
    test_case_results: Type.Optional(
      Type.Array(TestCaseResultResponse, { description: 'Absent before the verdict.' }),
    ),
    ...Type.Partial(Type.Object(judgingNumber)).properties,
    requeue_after: Type.Optional(
      Type.Integer({
        description: 'Seconds after which a judging that no worker renews may be queued again.',
      }),
    ),
    ...verificationFields,
  },
  { title: 'Submission' },
)

const judged = {
  ...judgingNumber,
  status: Type.String(),
  time_elapsed: Type.Number({ description: 'Seconds.' }),
  ...verdict,
  ...measured,
  judged_at: Type.Optional(Instant()),
}

export const VerdictResponse = ResponseObject(
  {
    ...judged,
    test_case_results: Type.Array(TestCaseResultResponse),
  },
  { title: 'Verdict' },
)

/** A judging as judges and admins see it. */
export const JudgingResponse = ResponseObject(
  {
    ...judged,
    worker: Type.Optional(Type.String({ description: 'The name that the worker gave.' })),
    judge_message: Type.Optional(Type.String()),
    test_case_results: Type.Array(
      ResponseObject(
        {
          test_case_id: Uuid(),
          status: Type.Optional(Type.String()),
          passed: Type.Boolean(),
          ...resultDetails,
          score: Type.Optional(points('The points of the test case.')),
          judge_message: Type.Optional(Type.String({ description: 'The validator’s message.' })),
          transcript: Type.Optional(Type.String({ description: 'The interaction.' })),
        },
        { title: 'JudgedTestCase' },
      ),
    ),
  },
  { title: 'Judging' },
)

/** Body of `POST /v1/submissions/{submission_id}/heartbeat`. */
export const HeartbeatBody = Type.Object({ judging: judgingNumber.judging }, { title: 'HeartbeatBody' })
