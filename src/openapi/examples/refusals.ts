import { AppError, contestApiErrorBody, type ErrorKind, errorBody } from '../../http/routing/errors.ts'

/** The meaning of an error, for the document. */
export const meaningOf = (kind: ErrorKind): string => texts[kind][0]

/** An example of an error response, with its most frequent message. */
export const exampleOfRefusal = (kind: ErrorKind) =>
  errorBody(exampleOf(kind), '019ba73a-1440-72dd-8ac1-1dca7e37a539')

/** An example of an error response of the Contest API. */
export const exampleOfContestApiRefusal = (kind: ErrorKind) => contestApiErrorBody(exampleOf(kind))

function exampleOf(kind: ErrorKind): AppError {
  const [, example, hint] = texts[kind]
  return new AppError(kind, example, hint === undefined ? {} : { hint })
}

type Texts = readonly [meaning: string, example: string, hint?: string]

const texts: Readonly<Record<ErrorKind, Texts>> = {
  VALIDATION: [
    'The path, the query or the body is invalid; the text names the field and its valid values.',
    'problem_id must be an integer',
  ],
  DUPLICATE_USER: [
    'Another account has this name or e-mail address.',
    'Another user has this name or e-mail',
  ],
  UNAUTHORIZED: [
    'The `Authorization` header lacks the credential of this route, or the caller may not read this record.',
    'The Authorization header must carry a credential',
  ],
  INVALID_CREDENTIALS: ['No account has this e-mail address and password.', 'Invalid credentials'],
  MALFORMED_TOKEN: [
    'The token is malformed. Send it raw, without `Bearer`.',
    'Malformed JWT token',
    'Send the token raw in the Authorization header, without "Bearer" or another prefix',
  ],
  TOKEN_EXPIRED: [
    'The token has expired, or the password has changed since its issue: the user’s, or for a judge ' +
      '`JUDGE_PASSWORD`. Log in again.',
    'The token has expired; log in again',
  ],
  ACCOUNT_DELETED: ['The account of the token was deleted.', 'User account no longer exists'],
  INVALID_RESET_TOKEN: [
    'The reset token is missing, wrong, used or expired.',
    'The reset token is missing, used, wrong or expired; ask for a new one',
  ],
  FORBIDDEN: ['The caller has no permission for this request.', 'This route is for admins'],
  LAST_ADMIN: [
    'The last admin can be neither deleted nor demoted.',
    'The last admin cannot be deleted or demoted: make another user an admin first',
  ],
  EVENT_NOT_ACTIVE: ['The contest has not started, or has ended.', 'The event is not running'],
  EVENT_NOT_STARTED: ['The contest has not started.', 'The event has not started yet'],
  EVENT_ENDED: [
    'The contest has ended, and only its staff changes its results.',
    'The event has ended: only its staff changes teams',
  ],
  NOT_A_PARTICIPANT: [
    'The user does not take part in a contest that is closed to others, or staff has removed the user from the contest.',
    'You do not take part in the event: ask its staff to add you',
  ],
  REGISTRATION_DISABLED: [
    'Registration is not enabled on this service.',
    'Registration is not open on this service',
  ],
  NOT_FOUND: ['The record does not exist, or the caller may not see it.', 'There is no such problem'],
  NOT_A_TEAM_EVENT: ['The contest has no teams.', 'The event has no teams'],
  USER_EXISTS: [
    'Another account has this name or e-mail address.',
    'Another account has this name or e-mail',
  ],
  ALREADY_REGISTERED: ['The user is already a participant.', 'You are already a participant of the event'],
  ALREADY_IN_EVENT: ['The contest already has this problem.', 'The problem is in the event already'],
  PROBLEM_HAS_SUBMISSIONS: [
    'The problem has submissions in the event. With `force=true` it is removed all the same.',
    'The problem has submissions in the event: remove it with force=true',
  ],
  ALREADY_ON_TEAM: [
    'The user is already on a team of this contest.',
    'You are on a team of the event already',
  ],
  TEAM_NAME_TAKEN: ['Another team of this contest has this name.', 'Another team of the event has this name'],
  CATEGORY_EXISTS: ['Another category has this name.', 'There is a category of this name'],
  IDEMPOTENCY_KEY_REUSED: [
    'Another request with this `Idempotency-Key` was sent within the last 24 hours.',
    'This Idempotency-Key came with another request; make a new one',
  ],
  ID_MISMATCH: ['The `id` in the body is not the one in the path.', 'id must be 1, as in the path'],
  TESTS_TOO_LARGE: [
    'The tests of the problem are too large for one response. Read them in parts.',
    'The tests are too large for one response: ' +
      'read GET /v1/problem_description/1/test_cases and each test case by itself',
  ],
  WORKER_TOO_OLD: [
    'The judge worker lacks capabilities that the problem needs: its `Judge-Capabilities` does not list them. The worker leaves the submission to newer ones.',
    'This judge worker lacks validation/1, limits/1: update it, so that it sends these names in Judge-Capabilities',
  ],
  JUDGING_ENDED: [
    'The judging has a verdict, or the submission was queued again. Stop judging it.',
    'The judging has ended: the submission has a verdict, or was queued again',
  ],
  EVENT_NOT_ENDED: [
    'The contest has not ended for its last participant.',
    'The standings can be thawed after the end of the last participant',
  ],
  NOT_FROZEN: ['The contest has no freeze, or it was thawed already.', 'The standings are not frozen'],
  NOTHING_REVEALED: [
    'No step has revealed anything since the freeze: there is nothing to take back.',
    'No step has revealed anything: there is nothing to take back',
  ],
  ALREADY_ANSWERED: [
    'The question has an answer, perhaps of another member of the staff. Replace it with `replace=true`.',
    'The question is answered already: replace its answer with replace=true',
  ],
  ANSWERED_BY_STAFF: [
    'The question has an answer of staff, which only staff may replace.',
    'Staff has answered the question: only staff may replace its answer',
  ],
  REJUDGING_PENDING: [
    'Judgings of the rejudging are pending. Wait for them, or cancel it.',
    'Judgings are pending: wait for them, or cancel the rejudging',
  ],
  REJUDGING_OPEN: [
    'A rejudging with the same filters is open: `rejudging_id` names it. Apply or cancel it first.',
    'The rejudging 019ba72d-4300-762a-a12c-358923b79fbd with the same filters is open: apply or cancel it first',
  ],
  TOO_MANY_REJUDGINGS: [
    'The open rejudgings of the contest would have too many submissions, or too long programs. Apply or cancel some first.',
    'The open rejudgings of the contest have 9,000 submissions, of at most 10,000: apply or cancel some first',
  ],
  REJUDGING_DECIDED: ['The rejudging was applied or cancelled already.', 'The rejudging was applied already'],
  PAYLOAD_TOO_LARGE: [
    'The body is larger than this route accepts.',
    'The body is larger than this route takes',
  ],
  RATE_LIMIT_EXCEEDED: [
    'Too many requests, or too many unfinished runs. Retry after the seconds in `Retry-After`.',
    'Too many requests; wait a minute and try again',
  ],
  INTERNAL: [
    'The service failed. `request_id` identifies the line in its log that says why.',
    'Internal server error',
  ],
  UNAVAILABLE: [
    'The service is overloaded or cannot reach its database. Retry after the seconds in `Retry-After`. ' +
      'A write may have been stored all the same: on routes that accept an `Idempotency-Key`, send one, ' +
      'and retry with the same key. The request is then executed only once.',
    'The service cannot reach its database; try again shortly',
  ],
}
