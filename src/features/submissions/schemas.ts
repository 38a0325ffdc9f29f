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
import { LanguageResponse } from '../languages/schemas.ts'
import { Difficulty, MAX_TEST_CASES, problemLimits } from '../problems/schemas.ts'
import { UserResponse } from '../users/schemas.ts'
import { verdictStatuses } from './rules.ts'

export const SubmissionPath = Type.Object({ submission_id: Uuid() })
export const UserProblemPath = Type.Object({ user_id: Uuid(), problem_id: IntegerId() })

/** Body of `POST /v1/submissions` (D24). */
export const submissionCreation = ({ sourceCodeBytes }: Config['sizes']) =>
  Type.Object(
    {
      user_id: Uuid({ description: 'The caller’s own, unless an admin submits for somebody.' }),
      problem_id: IntegerId(),
      language_id: Uuid(),
      source_code: Written({ minLength: 1, maxBytes: sourceCodeBytes }),
      event_id: Nullable(IntegerId({ description: 'The event in which it counts, if any.' })),
    },
    { title: 'SubmissionBody' },
  )

/** The number of a queueing of what is judged: 1, and one more whenever it is queued again. */
export const Attempt = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'The number of the newest queueing; a verdict should carry it back.',
})

/** The attempt that a verdict judges. */
export const VerdictAttempt = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description:
    'The attempt that was judged; absent: the newest. A verdict of an older attempt than the newest verdict is not stored.',
})

/** Body of `POST /v1/admin/rejudge`: at least one of the ids; those given must all fit. */
export const RejudgeBody = Type.Object(
  {
    submission_id: Nullable(Uuid()),
    problem_id: Nullable(IntegerId()),
    event_id: Nullable(IntegerId()),
    language_id: Nullable(Uuid()),
    user_id: Nullable(Uuid()),
  },
  { title: 'RejudgeBody' },
)

export const RejudgeResponse = ResponseObject(
  { count: Type.Integer({ description: 'How many submissions are judged again.' }) },
  { title: 'Rejudged' },
)

/** Body of `PATCH /v1/submissions/{submission_id}`: only `status` must be there (D25). */
export const verdictBody = (extraStatuses: readonly string[]) =>
  Type.Object(
    {
      status: Type.Enum(verdictStatuses(extraStatuses)),
      stdout: Nullable(Printed()),
      stderr: Nullable(Printed()),
      time_elapsed: Nullable(Type.Number({ minimum: 0, description: 'Seconds.' })),
      failed_test_case_id: Nullable(Uuid({ description: 'The first that failed, if the judge names one.' })),
      attempt: Nullable(VerdictAttempt),
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
  status: Type.String({ description: '`PENDING` until there is a verdict, and then the status of that.' }),
  submit_time: Instant(),
  time_elapsed: Type.Number({ description: 'Seconds, as the judge measured them; 0 before the verdict.' }),
  event_id: Type.Optional(IntegerId({ description: 'Absent where it was made outside events.' })),
}

export const SubmissionCreatedResponse = ResponseObject(identity, { title: 'CreatedSubmission' })

export const SubmissionStatusResponse = ResponseObject(
  { id: Uuid(), status: Type.String() },
  { title: 'SubmissionStatus' },
)

const verdict = {
  stdout: Type.String({ description: 'What the judge shows of it; empty before the verdict.' }),
  stderr: Type.String({ description: 'As `stdout`; the compiler’s words where it did not compile.' }),
  failed_test_case_id: Type.Union([Uuid(), Type.Null()], {
    description:
      'Null where none failed, or the judge named none. It may be of a test case that was replaced since.',
  }),
}

const related = {
  user: UserResponse,
  problem: ResponseObject({
    id: IntegerId(),
    title: Type.String(),
    identifier: Type.String(),
    difficulty: Difficulty,
    ...problemLimits,
  }),
  language: LanguageResponse,
}

/** A submission in lists: without the results of its test cases (D26). */
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

/** The full record; `test_case_results` once it is graded (D26). */
export const SubmissionResponse = ResponseObject(
  {
    ...identity,
    ...verdict,
    ...related,
    test_case_results: Type.Optional(
      Type.Array(TestCaseResultResponse, { description: 'Absent before the verdict.' }),
    ),
    attempt: Type.Optional(Attempt),
  },
  { title: 'Submission' },
)

/** One of the verdicts that a submission has had. */
export const VerdictResponse = ResponseObject(
  {
    attempt: Attempt,
    status: Type.String(),
    time_elapsed: Type.Number({ description: 'Seconds.' }),
    ...verdict,
    test_case_results: Type.Array(TestCaseResultResponse),
    judged_at: Type.Optional(Instant()),
  },
  { title: 'Verdict' },
)
