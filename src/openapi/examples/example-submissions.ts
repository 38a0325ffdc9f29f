import type { Static } from 'typebox'
import type { ShadowJudgingResponse } from '../../features/judging/shadow-judgings/schemas.ts'
import type {
  JudgingResponse,
  SubmissionResponse,
  VerdictResponse,
} from '../../features/judging/submissions/schemas.ts'
import { cpp, hiddenCase, python, sampleCase, sumOfTwo, ulla, viktor } from './example-world.ts'
import { leagueProblem, practiceLeague } from './example-world-contest.ts'

type Submission = Static<typeof SubmissionResponse>

const { id, title, identifier, difficulty, updated_at } = sumOfTwo
const { accept_timeout, execution_timeout, memory_limit } = leagueProblem
const submitted = {
  problem_id: id,
  event_id: practiceLeague.id,
  problem: { id, title, identifier, difficulty, updated_at, accept_timeout, execution_timeout, memory_limit },
}

const WRONG = '019ba72d-4300-762a-a12c-358923b79fbd'
const ACCEPTED = '019ba735-3628-7223-bb16-9b4e814624d3'

/** The result of a test case; the output for a hidden one is not shown. */
const resultOf = (
  id: string,
  submission_id: string,
  { id: test_case_id, hidden, expected_output }: typeof sampleCase,
  passed: boolean,
  [time_elapsed, memory_used]: readonly number[] = [],
) => ({
  ...{ id, submission_id, test_case_id, stdout: hidden ? '' : expected_output, stderr: '', passed },
  ...(time_elapsed !== undefined && { time_elapsed, memory_used }),
})

/** Ulla's first attempt: it passes the sample and fails the hidden test. */
export const wrongSubmission: Submission = {
  ...submitted,
  id: WRONG,
  user_id: ulla.id,
  language_id: python.id,
  source_code: 'a, b = map(int, input().split())\nprint(a | b)\n',
  status: 'WRONG_ANSWER',
  submit_time: '2026-01-10T09:12:00Z',
  time_elapsed: 0.041,
  memory_used: 9232,
  stdout: '',
  stderr: '',
  failed_test_case_id: hiddenCase.id,
  user: ulla,
  language: python,
  test_case_results: [
    resultOf('019ba72d-4ad0-7315-a721-7751c1c2d6fd', WRONG, sampleCase, true, [0.041, 9232]),
    resultOf('019ba72d-4ad0-771a-943e-a9f44ea4c9fe', WRONG, hiddenCase, false, [0.039, 9196]),
  ],
}

const { status, time_elapsed, memory_used, stdout, stderr, failed_test_case_id } = wrongSubmission
const { test_case_results = [] } = wrongSubmission

/** Its verdicts: the second judging followed a change of the limits. */
export const wrongVerdicts: Static<typeof VerdictResponse>[] = [
  {
    judging: 2,
    attempt: 2,
    status,
    time_elapsed,
    ...(memory_used !== undefined && { memory_used }),
    stdout,
    stderr,
    failed_test_case_id,
    test_case_results,
    judged_at: '2026-01-10T09:25:02Z',
  },
  {
    judging: 1,
    attempt: 1,
    status: 'TIME_LIMIT_EXCEEDED',
    time_elapsed: 0.5,
    stdout: '',
    stderr: '',
    failed_test_case_id: sampleCase.id,
    test_case_results: [],
    judged_at: '2026-01-10T09:12:03Z',
  },
]

/** The same judgings as judges and admins see them. The second worker sends details. */
export const wrongJudgings: Static<typeof JudgingResponse>[] = wrongVerdicts.map(
  ({ test_case_results, ...verdict }) =>
    verdict.judging === 1
      ? { ...verdict, test_case_results: [] }
      : {
          ...verdict,
          worker: 'judge-2',
          test_case_results: test_case_results.map(({ id, submission_id, stdout, stderr, ...result }) => ({
            ...result,
            ...(result.passed
              ? { status: 'ACCEPTED' }
              : { status: 'WRONG_ANSWER', judge_message: 'token 1: 22 instead of 42' }),
          })),
        },
)

/** Viktor's only attempt, accepted. */
export const acceptedSubmission: Submission = {
  ...submitted,
  id: ACCEPTED,
  user_id: viktor.id,
  language_id: cpp.id,
  source_code:
    '#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b << "\\n"; }\n',
  status: 'ACCEPTED',
  submit_time: '2026-01-10T09:20:41Z',
  time_elapsed: 0.004,
  stdout: '',
  stderr: '',
  failed_test_case_id: null,
  user: viktor,
  language: cpp,
  test_case_results: [
    resultOf('019ba735-3df8-7112-ba2d-aa4dd12e1431', ACCEPTED, sampleCase, true),
    resultOf('019ba735-3df8-7589-ae16-8fa79352d80c', ACCEPTED, hiddenCase, true),
  ],
}

/** Ulla's second attempt, which waits for a judge. */
export const pendingSubmission: Submission = {
  ...submitted,
  id: '019ba73e-a820-74c8-a48f-f4afee0ccd1c',
  user_id: ulla.id,
  language_id: python.id,
  source_code: 'a, b = map(int, input().split())\nprint(a + b)\n',
  status: 'PENDING',
  submit_time: '2026-01-10T09:31:00Z',
  time_elapsed: 0,
  stdout: '',
  stderr: '',
  failed_test_case_id: null,
  user: ulla,
  language: python,
}

/** A submission in lists: without test case results. */
export function listSubmission({
  test_case_results,
  ...listed
}: Submission): Omit<Submission, 'test_case_results'> {
  return listed
}

/** Ada has Ulla's first attempt judged again, apart from the contest. */
export const shadowOfWrong: Static<typeof ShadowJudgingResponse> = {
  id: '019bc2f5-7a40-7c3e-8d15-2b9f04e6a731',
  submission_id: wrongSubmission.id,
  problem_id: sumOfTwo.id,
  language_id: python.id,
  status: 'PENDING',
  submit_time: '2026-01-16T09:35:00Z',
}
