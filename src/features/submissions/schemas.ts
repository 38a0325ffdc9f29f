import Type from 'typebox'
import type { Config } from '../../config/config.ts'
import {
  Instant,
  IntegerId,
  Nullable,
  Printed,
  ResponseObject,
  Uuid,
  Written,
} from '../../http/routing/schema.ts'
import { Difficulty, MAX_TEST_CASES, problemLimits, UpdatedAt } from '../problems/schemas.ts'
import { LanguageResponse } from '../records/languages.ts'
import { UserResponse } from '../records/users.ts'
import { judgingNumber, judgingOfVerdict } from './judging.ts'
import { verdictStatuses } from './rules.ts'

export const SubmissionPath = Type.Object({ submission_id: Uuid() })
export const UserProblemPath = Type.Object({ user_id: Uuid(), problem_id: IntegerId() })

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

/** Body of `PATCH /v1/submissions/{submission_id}`; only `status` is required (D25). */
export const verdictBody = (extraStatuses: readonly string[]) =>
  Type.Object(
    {
      status: Type.Enum(verdictStatuses(extraStatuses)),
      stdout: Nullable(Printed()),
      stderr: Nullable(Printed()),
      time_elapsed: Nullable(Type.Number({ minimum: 0, description: 'Seconds.' })),
      failed_test_case_id: Nullable(Uuid({ description: 'The first failed test case.' })),
      ...judgingOfVerdict,
      test_case_results: Nullable(
        Type.Array(
          Type.Object({
            test_case_id: Uuid(),
            stdout: Nullable(Printed()),
            stderr: Nullable(Printed()),
            passed: Type.Boolean(),
          }),
          { maxItems: MAX_TEST_CASES },
        ),
      ),
    },
    { title: 'VerdictBody' },
  )

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
  stdout: Type.String({ description: 'The output that the judge shows; empty before the verdict.' }),
  stderr: Type.String({ description: 'As `stdout`; for a compile error, the compiler’s messages.' }),
  failed_test_case_id: Type.Union([Uuid(), Type.Null()], {
    description:
      'Null if no test case failed or the judge named none. The test case may have been replaced since.',
  }),
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
  { ...identity, ...verdict, ...related },
  { title: 'ListedSubmission' },
)

export const TestCaseResultResponse = ResponseObject(
  {
    id: Uuid(),
    submission_id: Uuid(),
    test_case_id: Uuid(),
    stdout: Type.String(),
    stderr: Type.String(),
    passed: Type.Boolean(),
  },
  { title: 'TestCaseResult' },
)

/** The full record; judges and admins also get the judging (D26). */
export const SubmissionResponse = ResponseObject(
  {
    ...identity,
    ...verdict,
    ...related,
    test_case_results: Type.Optional(
      Type.Array(TestCaseResultResponse, { description: 'Absent before the verdict.' }),
    ),
    ...Type.Partial(Type.Object(judgingNumber)).properties,
  },
  { title: 'Submission' },
)

export const VerdictResponse = ResponseObject(
  {
    ...judgingNumber,
    status: Type.String(),
    time_elapsed: Type.Number({ description: 'Seconds.' }),
    ...verdict,
    test_case_results: Type.Array(TestCaseResultResponse),
    judged_at: Type.Optional(Instant()),
  },
  { title: 'Verdict' },
)
