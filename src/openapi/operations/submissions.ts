import type { Static } from 'typebox'
import type {
  SubmissionCreatedResponse,
  submissionCreation,
  verdictBody,
} from '../../features/submissions/schemas.ts'
import { hiddenCase, sampleCase, sumOfTwo, ulla } from '../examples/example-world.ts'
import {
  listSubmission,
  pendingSubmission,
  wrongSubmission,
  wrongVerdicts,
} from '../examples/example-world-contest.ts'
import type { RouteDocs } from '../route-docs.ts'

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
  failed_test_case_id: null,
  test_case_results: [
    { test_case_id: sampleCase.id, stdout: '3\n', stderr: '', passed: true },
    { test_case_id: hiddenCase.id, stdout: '', stderr: '', passed: true },
  ],
}

const ownSubmissions = [pendingSubmission, wrongSubmission].map(listSubmission)

/** Words and examples for the OpenAPI document. */
export const submissionDocs = {
  createSubmission: {
    description: `Stores the program with the status \`PENDING\` and queues it for a judge: keep the \`id\` and poll \`GET /v1/submissions/{submission_id}/status\`.
\`user_id\` must be the caller's own, unless an admin submits for somebody (403). A language, problem, event or user that is unknown, or a problem that the caller may not see,
is 404.

With \`event_id\` the submission counts in that event, and its owner takes part from now on. The problem must be in the event (400) and the event must be
running (403 \`EVENT_NOT_ACTIVE\`). A problem that the caller sees only through a running event needs its \`event_id\` (400).`,
    example: { body: secondTry, answer: queued },
  },
  readSubmission: {
    description: `The owner, judges and admins; for anybody else with a token it is 401. Before the verdict \`stdout\` and \`stderr\` are empty, \`time_elapsed\` is
0 and \`test_case_results\` is absent. The limits under \`problem\` are the event's own where it has some: a worker runs the program within these, on the test
cases of \`GET /v1/problem_description/{id}/tests\`. It skips what is no longer \`PENDING\`, since a message may come twice.`,
    example: { params: { submission_id: wrongSubmission.id }, answer: wrongSubmission },
  },
  readSubmissionStatus: {
    description: `The cheap way to wait for a verdict: poll, with growing pauses, until \`status\` is not \`PENDING\`, and then read the submission. Callers are those
who may read it; anybody else gets 401.`,
    example: {
      params: { submission_id: pendingSubmission.id },
      answer: { id: pendingSubmission.id, status: pendingSubmission.status },
    },
  },
  storeVerdict: {
    description: `For judges and admins. Only \`status\` is required, and \`PENDING\` is none of its values. Test cases that are named must be those of the submission's
problem (400, as when they were replaced meanwhile: read them and judge again); with \`ACCEPTED\` none has failed. What the program printed is never a reason to
refuse: characters that cannot be stored are replaced. A later verdict replaces an earlier one as a whole, which is kept, and the
standings follow. A worker sends the \`attempt\` of the record that it read: a verdict of an older attempt than the newest verdict's, or than the last rejudging's, is
answered 204 and not stored. A worker acknowledges its message after the 204.`,
    example: { params: { submission_id: pendingSubmission.id }, body: accepted },
  },
  listVerdicts: {
    description: `The verdict that stands, and those that a later one or a rejudging replaced, newest first; of a pending submission, what it was judged before. Who
may read the submission may read this; anybody else is answered 401. \`judged_at\` is absent for verdicts from before the service kept it.`,
    example: { params: { submission_id: wrongSubmission.id }, answer: wrongVerdicts },
  },
  listUserSubmissions: {
    description:
      'The user themself or an admin; for others 403. Newest first, those in events included, without `test_case_results`: read one submission for these.',
    example: { params: { user_id: ulla.id }, answer: ownSubmissions },
  },
  listUserProblemSubmissions: {
    description: `The user themself or an admin. All attempts on one problem, in and outside events, newest first and without \`test_case_results\`. It is empty where
there was no attempt, and 404 where there is no such user, or a problem that the caller may not see and has never been tried.`,
    example: { params: { user_id: ulla.id, problem_id: sumOfTwo.id }, answer: ownSubmissions },
  },
} satisfies Record<string, RouteDocs>
