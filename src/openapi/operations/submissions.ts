import type { Static } from 'typebox'
import type {
  SubmissionCreatedResponse,
  submissionCreation,
  verdictBody,
} from '../../features/judging/submissions/schemas.ts'
import {
  acceptedSubmission,
  listSubmission,
  pendingSubmission,
  wrongJudgings,
  wrongSubmission,
  wrongVerdicts,
} from '../examples/example-submissions.ts'
import { hiddenCase, sampleCase } from '../examples/example-world.ts'
import { nightOwls } from '../examples/example-world-contest.ts'
import type { SomeOperations } from '../operation-docs.ts'

const { user_id, problem_id, language_id, source_code, event_id, status, submit_time, time_elapsed } =
  pendingSubmission

const secondTry: Static<ReturnType<typeof submissionCreation>> = {
  user_id,
  problem_id,
  language_id,
  source_code,
  event_id: event_id ?? null,
}

const queued: Static<typeof SubmissionCreatedResponse> = {
  id: pendingSubmission.id,
  user_id,
  problem_id,
  language_id,
  source_code,
  status,
  submit_time,
  time_elapsed,
  ...(event_id !== undefined && { event_id }),
}

const accepted: Static<ReturnType<typeof verdictBody>> = {
  status: 'ACCEPTED',
  stdout: '',
  stderr: '',
  time_elapsed: 0.038,
  judging: 1,
  attempt: 1,
  failed_test_case_id: null,
  memory_used: 9216,
  worker: 'judge-1',
  test_case_results: [
    {
      ...{ test_case_id: sampleCase.id, stdout: '3\n', stderr: '', passed: true },
      ...{ status: 'ACCEPTED', time_elapsed: 0.038, memory_used: 9216 },
    },
    {
      ...{ test_case_id: hiddenCase.id, stdout: '', stderr: '', passed: true },
      ...{ status: 'ACCEPTED', time_elapsed: 0.036, memory_used: 9180 },
    },
  ],
}

const ownSubmissions = [pendingSubmission, wrongSubmission].map(listSubmission)

const { source_code: program, stdout, stderr, ...redacted } = listSubmission(acceptedSubmission)

export const submissionOperations = {
  createSubmission: {
    summary: 'Submit a program to a problem; it is queued for a judge',
    description: `Stores the program with the status \`PENDING\` and queues it for a judge. Keep the
\`id\` and poll \`GET /v1/submissions/{submission_id}/status\`. \`user_id\` must be the caller's
own; admins may submit for other users (403). An unknown language, problem, event or user gets 404,
as does a problem that the caller may not see.

With \`event_id\` the submission counts in that event, and its owner becomes a participant. The
problem must be in the event (400) and the event must be running (403 \`EVENT_NOT_ACTIVE\`), for a
participant with extra minutes that much longer. Users who may not take part get 403
\`NOT_A_PARTICIPANT\`. With \`enforce_languages\` the language must be one of the event's (400). A
problem that the caller sees only through a running event needs its \`event_id\` (400).`,
    example: { body: secondTry, response: queued },
  },
  readSubmission: {
    summary: 'Read a submission, with its results once it is graded',
    description: `For the owner, judges and admins; other users get 401. Before the verdict
\`stdout\` and \`stderr\` are empty, \`time_elapsed\` is 0 and \`test_case_results\` is absent. The
limits under \`problem\` are the event's own where it has them: a worker runs the program within
these limits, on the test cases of \`GET /v1/problem_description/{id}/tests\`. It skips a submission
that is no longer \`PENDING\`, since a message may arrive twice. Only judges and admins get
\`judging\`, the same number as \`attempt\` for older workers, and \`requeue_after\`. To them the id
of a shadow judging is like a submission's, here and at \`/status\`, \`/judgings\` and
\`/heartbeat\`; other users get 404 for it.

\`memory_used\` and \`score\` are absent if the judge did not send them, \`max_score\` if the problem
has no test groups.`,
    example: { params: { submission_id: wrongSubmission.id }, response: wrongSubmission },
  },
  readSubmissionStatus: {
    summary: 'Poll a submission’s status',
    description: `The cheap way to wait for a verdict: poll, with growing pauses, until \`status\`
is not \`PENDING\`, and then read the submission. For the owner, judges and admins; other users get
401.`,
    example: {
      params: { submission_id: pendingSubmission.id },
      response: { id: pendingSubmission.id, status: pendingSubmission.status },
    },
  },
  storeVerdict: {
    summary: 'Store a verdict',
    description: `For judges and admins. Only \`status\` is required; \`PENDING\` is not allowed.
Test cases must belong to the submission's problem; after a 400 because they were replaced, read
them and judge again. An accepted verdict has no failed test case. The output of a program is never
refused: characters that cannot be stored are replaced. A later verdict replaces the whole earlier
one, which is kept, and the standings follow.

\`reason\` is a finer status that many clients do not know, only with the status that it belongs to
(400). Everybody who sees the status of the verdict sees it.

\`score\` is for problems with test groups only (400), and at most the problem's \`max_score\` (400).
ACCEPTED needs the full score (400). The owner sees \`memory_used\` and \`score\`, and of a result
also \`time_elapsed\`, \`memory_used\` and \`team_message\`. Only judges and admins see \`worker\`,
\`judge_message\`, and of a result \`status\`, \`score\`, \`judge_message\` and \`transcript\`, in
\`GET /v1/submissions/{submission_id}/judgings\`. Each message and transcript has at most 1 MiB (400).

A worker sends the \`judging\` of the record that it read; \`attempt\` is the older name, and both
together must not differ (400). The service drops a verdict if it has the verdict of a later
judging, or if the submission was rejudged since; the response is 204 all the same. A worker
acknowledges its message after the 204. If the problem needs capabilities that
\`Judge-Capabilities\` does not list, nothing is stored (409 \`WORKER_TOO_OLD\`); admins need none.`,
    example: { params: { submission_id: pendingSubmission.id }, body: accepted },
  },
  listVerdicts: {
    summary: 'List the verdicts of a submission, newest first',
    description: `The current verdict, and the earlier ones that a later verdict or a rejudging
replaced; a pending submission has only earlier ones. For the owner, judges and admins; other users
get 401. \`judged_at\` is absent for verdicts from before the service stored it. \`attempt\` is the
same number as \`judging\`.`,
    example: { params: { submission_id: wrongSubmission.id }, response: wrongVerdicts },
  },
  listJudgings: {
    summary: 'List the judgings of a submission, newest first',
    description: `For judges and admins; all others, the owner included, get 403. Each judging with its
verdict, the name of its worker, and the status, time, memory and messages of each test case. Fields
that the judge did not send are absent. The newest judging is \`PENDING\` until it has a verdict. A
judging that was lost and queued again is not listed.`,
    example: { params: { submission_id: wrongSubmission.id }, response: wrongJudgings },
  },
  renewJudging: {
    summary: 'Tell the service that a judging is in progress',
    description: `For judges and admins. A judging that takes long is queued again
\`requeue_after\` seconds after the queue was seen empty, because its worker may be dead. A worker
prevents this with heartbeats, about every third of \`requeue_after\`, with the \`judging\` of the
record. 409 \`JUDGING_ENDED\`: the submission has a verdict or was queued again, so the worker can
stop.`,
    example: { params: { submission_id: pendingSubmission.id }, body: { judging: 1 } },
  },
  listUserSubmissions: {
    summary: 'List a user’s submissions, newest first',
    description: `For the user and admins; others get 403. Includes submissions to events.
\`test_case_results\` are absent: read one submission for them.`,
    example: { response: ownSubmissions },
  },
  listUserProblemSubmissions: {
    summary: 'List a user’s attempts on a problem, newest first',
    description: `For the user and admins. All submissions to one problem, inside and outside
events, without \`test_case_results\`; empty if there are none. An unknown user gets 404, as does a
problem without submissions of the user that the caller may not see.`,
    example: { response: ownSubmissions },
  },
  listEventSubmissions: {
    summary: 'List the submissions of an event, of one user or of one team in it',
    description: `Newest first. Without a filter: for the event's owner, judges and admins.
\`user\`: for that user and admins. \`team\`: for the team's members, judges and admins, in an event
with teams (else 400). Other callers get 403; both filters together get 400.

Submissions of other users have no \`source_code\`, \`stdout\` and \`stderr\`, for callers of any
role. Admins and judges read these fields from \`GET /v1/submissions/{submission_id}\`. All see
\`score\`, \`max_score\` and \`memory_used\`.

During a freeze, submissions since then are \`PENDING\` here, without these numbers, also for their
authors, except for staff and judges. Authors read their verdicts in \`GET /v1/user_submissions/{user_id}\` and in the submission.`,
    example: {
      query: { team: nightOwls.id },
      response: [listSubmission(pendingSubmission), redacted, listSubmission(wrongSubmission)],
    },
  },
} satisfies SomeOperations
