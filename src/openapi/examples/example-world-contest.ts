import type { Static } from 'typebox'
import type { FullEventProblemResponse } from '../../features/event-problems/schemas.ts'
import type { EventResponse } from '../../features/events/schemas.ts'
import type { NotificationResponse } from '../../features/notifications/schemas.ts'
import type { QuestionResponse } from '../../features/records/questions.ts'
import type { RejudgingResponse } from '../../features/rejudging/schemas.ts'
import type { ShadowJudgingResponse } from '../../features/shadow-judgings/schemas.ts'
import type {
  JudgingResponse,
  SubmissionResponse,
  VerdictResponse,
} from '../../features/submissions/schemas.ts'
import {
  ada,
  cpp,
  hiddenCase,
  python,
  sampleCase,
  summariseProblem,
  sumOfTwo,
  ulla,
  viktor,
} from './example-world.ts'

type Event = Static<typeof EventResponse>
type EventProblem = Omit<Static<typeof FullEventProblemResponse>, 'problem'>
type Submission = Static<typeof SubmissionResponse>
type Verdict = Static<typeof VerdictResponse>
type Judging = Static<typeof JudgingResponse>
type Question = Static<typeof QuestionResponse>
type Rejudging = Static<typeof RejudgingResponse>
type ShadowJudging = Static<typeof ShadowJudgingResponse>
type Notification = Static<typeof NotificationResponse>

/** A contest that runs until 2099, as Ada sees it in lists: she takes no part. */
export const practiceLeague: Event = {
  id: 1,
  user_id: ada.id,
  title: 'Practice League',
  description: 'Open all year, alone or in teams.',
  start_time: '2026-01-10T09:00:00Z',
  end_time: '2099-12-31T23:59:59Z',
  teams: true,
  languages: [cpp.id, python.id],
  problem_count: 1,
  participant_count: 2,
  participants: [],
  problems: [{ id: sumOfTwo.id }],
}

/** A contest that has ended; its standings are still frozen. */
export const winterCup: Event = {
  id: 2,
  user_id: ada.id,
  title: 'Winter Cup',
  description: 'Three hours.',
  start_time: '2026-02-01T18:00:00Z',
  end_time: '2026-02-01T21:00:00Z',
  teams: false,
  languages: [],
  problem_count: 0,
  participant_count: 0,
  participants: [],
  problems: [],
  freeze_time: '2026-02-01T20:00:00Z',
  penalty_minutes: 10,
  scoreboard: 'public',
  staff: [ulla.id],
}

/** The contest's problem, with a tighter limit than its own. */
export const leagueProblem: EventProblem = {
  id: 1,
  event_id: practiceLeague.id,
  problem_id: sumOfTwo.id,
  hidden: false,
  accept_timeout: 10,
  execution_timeout: 2,
  memory_limit: 256,
}

/** The team of Ulla and Viktor. */
export const nightOwls = {
  id: '019ba3ea-4d00-754c-9e63-61484b37e015',
  event_id: practiceLeague.id,
  name: 'Night Owls',
}

/** The participants, in the order in which they joined. */
export const participants = [
  { user: ulla, joined_at: '2026-01-09T18:00:00Z' },
  { user: viktor, joined_at: '2026-01-09T18:10:00Z' },
]

const { id, title, identifier, difficulty, updated_at } = sumOfTwo
const { accept_timeout, execution_timeout, memory_limit } = leagueProblem
const submitted = {
  problem_id: id,
  event_id: practiceLeague.id,
  problem: { id, title, identifier, difficulty, updated_at, accept_timeout, execution_timeout, memory_limit },
}

/** Ulla's first attempt: it passes the sample and fails the hidden test. */
export const wrongSubmission: Submission = {
  ...submitted,
  id: '019ba72d-4300-762a-a12c-358923b79fbd',
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
    {
      id: '019ba72d-4ad0-7315-a721-7751c1c2d6fd',
      submission_id: '019ba72d-4300-762a-a12c-358923b79fbd',
      test_case_id: sampleCase.id,
      stdout: '3\n',
      stderr: '',
      passed: true,
      time_elapsed: 0.041,
      memory_used: 9232,
    },
    {
      id: '019ba72d-4ad0-771a-943e-a9f44ea4c9fe',
      submission_id: '019ba72d-4300-762a-a12c-358923b79fbd',
      test_case_id: hiddenCase.id,
      stdout: '',
      stderr: '',
      passed: false,
      time_elapsed: 0.039,
      memory_used: 9196,
    },
  ],
}

const { status, time_elapsed, memory_used, stdout, stderr, failed_test_case_id } = wrongSubmission
const { test_case_results = [] } = wrongSubmission

/** Its verdicts: the second judging followed a change of the limits. */
export const wrongVerdicts: Verdict[] = [
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
export const wrongJudgings: Judging[] = wrongVerdicts.map(({ test_case_results, ...verdict }) =>
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
  id: '019ba735-3628-7223-bb16-9b4e814624d3',
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
    {
      id: '019ba735-3df8-7112-ba2d-aa4dd12e1431',
      submission_id: '019ba735-3628-7223-bb16-9b4e814624d3',
      test_case_id: sampleCase.id,
      stdout: '3\n',
      stderr: '',
      passed: true,
    },
    {
      id: '019ba735-3df8-7589-ae16-8fa79352d80c',
      submission_id: '019ba735-3628-7223-bb16-9b4e814624d3',
      test_case_id: hiddenCase.id,
      stdout: '',
      stderr: '',
      passed: true,
    },
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

const problem = { id, title, identifier, difficulty, updated_at }

/** Ulla's question as she asked it. */
export const askedQuestion: Question = {
  id: '019ba72f-17c0-7251-b6b3-6bb77e4064d5',
  event_id: practiceLeague.id,
  user_id: ulla.id,
  problem_id: id,
  question: 'May the integers be negative?',
  is_answered: false,
  created_at: '2026-01-10T09:14:00Z',
  updated_at: '2026-01-10T09:14:00Z',
  user: ulla,
  problem,
}

/** The same with Ada's answer. */
export const answeredQuestion: Question = {
  ...askedQuestion,
  is_answered: true,
  updated_at: '2026-01-10T09:18:30Z',
  answer: 'Yes, down to -1000.',
  answered_at: '2026-01-10T09:18:30Z',
  answered_by: ada.id,
  answerer: ada,
}

/** Viktor's open question, about no problem. */
export const openQuestion: Question = {
  id: '019ba739-29e0-73e9-b1b8-8fd015797522',
  event_id: practiceLeague.id,
  user_id: viktor.id,
  question: 'Is there a break at noon?',
  is_answered: false,
  created_at: '2026-01-10T09:25:00Z',
  updated_at: '2026-01-10T09:25:00Z',
  user: viktor,
}

/** Ada's announcement. */
export const announcement: Question = {
  id: '019ba73b-0e80-7c11-a5d2-90c3b7e1f24a',
  event_id: practiceLeague.id,
  user_id: ada.id,
  question: 'Announcement',
  is_answered: true,
  created_at: '2026-01-10T09:27:04Z',
  updated_at: '2026-01-10T09:27:04Z',
  answer: 'The contest goes on for ten more minutes.',
  answered_at: '2026-01-10T09:27:04Z',
  answered_by: ada.id,
  user: ada,
  answerer: ada,
}

/** Ulla's unread notifications, the newest first. */
export const notifications: Notification[] = [
  {
    id: '019ba739-29e0-77d3-8c62-7c4bc475750b',
    user_id: ulla.id,
    event_id: practiceLeague.id,
    question_id: openQuestion.id,
    notification_type: 'question',
    is_read: false,
    created_at: '2026-01-10T09:25:00Z',
    updated_at: '2026-01-10T09:25:00Z',
    question: openQuestion,
  },
  {
    id: '019ba733-3670-7636-951e-a9c6d9d7e33e',
    user_id: ulla.id,
    event_id: practiceLeague.id,
    question_id: answeredQuestion.id,
    notification_type: 'answer',
    is_read: false,
    created_at: '2026-01-10T09:18:30Z',
    updated_at: '2026-01-10T09:18:30Z',
    question: answeredQuestion,
  },
]

/** The problem as the contest shows it: within its limits. */
export const problemInLeague = { ...sumOfTwo, accept_timeout, execution_timeout, memory_limit }

/** The contest's problem in its list. */
export const shownLeagueProblem = { ...leagueProblem, problem: summariseProblem(problemInLeague) }

/** Ada's rejudging of the contest's problem: one of its submissions was pending. */
export const leagueRejudging: Rejudging = {
  id: '019bc2f0-5c00-7a10-9d3e-5f2a6c1b8e47',
  status: 'QUEUED',
  total: 3,
  count: 2,
  skipped: 1,
  requested_by: ada.id,
  requested_at: '2026-01-16T09:30:00Z',
  finished_at: '2026-01-16T09:30:00Z',
  problem_id: sumOfTwo.id,
  event_id: practiceLeague.id,
}

/** Ada has Ulla's first attempt judged again, apart from the contest. */
export const shadowOfWrong: ShadowJudging = {
  id: '019bc2f5-7a40-7c3e-8d15-2b9f04e6a731',
  submission_id: wrongSubmission.id,
  problem_id: sumOfTwo.id,
  language_id: python.id,
  status: 'PENDING',
  submit_time: '2026-01-16T09:35:00Z',
}
