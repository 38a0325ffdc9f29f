import {
  AppError,
  type ContestApiErrorBody,
  contestApiErrorBody,
  type ErrorBody,
  type ErrorKind,
  errorBody,
} from '../../http/routing/errors.ts'

/** The meaning of an error, for the document. */
export const meaningOf = (kind: ErrorKind): string => texts[kind].meaning

/** An example of an error response, with its most frequent message. */
export function exampleOfRefusal(kind: ErrorKind): ErrorBody {
  return errorBody(exampleOf(kind), '019ba73a-1440-72dd-8ac1-1dca7e37a539')
}

/** An example of an error response of the Contest API. */
export const exampleOfContestApiRefusal = (kind: ErrorKind): ContestApiErrorBody =>
  contestApiErrorBody(exampleOf(kind))

function exampleOf(kind: ErrorKind): AppError {
  const { example, ...options } = texts[kind]
  return new AppError(kind, example, options)
}

interface Texts {
  readonly meaning: string
  readonly example: string
  readonly hint?: string
}

const texts: Readonly<Record<ErrorKind, Texts>> = {
  VALIDATION: {
    meaning: 'The path, the query or the body is invalid; the text names the field and its valid values.',
    example: 'problem_id must be an integer',
  },
  DUPLICATE_USER: {
    meaning: 'Another account has this name or e-mail address.',
    example: 'Another user has this name or e-mail',
  },
  UNAUTHORIZED: {
    meaning:
      'The `Authorization` header lacks the credential of this route, or the caller may not read this record.',
    example: 'The Authorization header must carry a credential',
  },
  INVALID_CREDENTIALS: {
    meaning: 'No account has this e-mail address and password.',
    example: 'Invalid credentials',
  },
  MALFORMED_TOKEN: {
    meaning: 'The token is malformed. Send it raw, without `Bearer`.',
    example: 'Malformed JWT token',
    hint: 'Send the token raw in the Authorization header, without "Bearer" or another prefix',
  },
  TOKEN_EXPIRED: {
    meaning:
      'The token has expired, or the password has changed since its issue: the user’s, or for a judge ' +
      '`JUDGE_PASSWORD`. Log in again.',
    example: 'The token has expired; log in again',
  },
  ACCOUNT_DELETED: {
    meaning: 'The account of the token was deleted.',
    example: 'User account no longer exists',
  },
  INVALID_RESET_TOKEN: {
    meaning: 'The reset token is missing, wrong, used or expired.',
    example: 'The reset token is missing, used, wrong or expired; ask for a new one',
  },
  FORBIDDEN: {
    meaning: 'The caller has no permission for this request.',
    example: 'This route is for admins',
  },
  LAST_ADMIN: {
    meaning: 'The last admin can be neither deleted nor demoted.',
    example: 'The last admin cannot be deleted or demoted: make another user an admin first',
  },
  EVENT_NOT_ACTIVE: {
    meaning: 'The contest has not started, or has ended.',
    example: 'The event is not running',
  },
  EVENT_NOT_STARTED: {
    meaning: 'The contest has not started.',
    example: 'The event has not started yet',
  },
  NOT_A_PARTICIPANT: {
    meaning:
      'The user does not take part in a contest that is closed to others, or staff has removed the user from the contest.',
    example: 'You do not take part in the event: ask its staff to add you',
  },
  REGISTRATION_DISABLED: {
    meaning: 'Registration is not enabled on this service.',
    example: 'Registration is not open on this service',
  },
  NOT_FOUND: {
    meaning: 'The record does not exist, or the caller may not see it.',
    example: 'There is no such problem',
  },
  NOT_A_TEAM_EVENT: {
    meaning: 'The contest has no teams.',
    example: 'The event has no teams',
  },
  USER_EXISTS: {
    meaning: 'Another account has this name or e-mail address.',
    example: 'Another account has this name or e-mail',
  },
  ALREADY_REGISTERED: {
    meaning: 'The user is already a participant.',
    example: 'You are already a participant of the event',
  },
  ALREADY_IN_EVENT: {
    meaning: 'The contest already has this problem.',
    example: 'The problem is in the event already',
  },
  PROBLEM_HAS_SUBMISSIONS: {
    meaning: 'The problem has submissions in the event. With `force=true` it is removed all the same.',
    example: 'The problem has submissions in the event: remove it with force=true',
  },
  ALREADY_ON_TEAM: {
    meaning: 'The user is already on a team of this contest.',
    example: 'You are on a team of the event already',
  },
  TEAM_NAME_TAKEN: {
    meaning: 'Another team of this contest has this name.',
    example: 'Another team of the event has this name',
  },
  CATEGORY_EXISTS: {
    meaning: 'Another category has this name.',
    example: 'There is a category of this name',
  },
  IDEMPOTENCY_KEY_REUSED: {
    meaning: 'Another request with this `Idempotency-Key` was sent within the last 24 hours.',
    example: 'This Idempotency-Key came with another request; make a new one',
  },
  ID_MISMATCH: {
    meaning: 'The `id` in the body is not the one in the path.',
    example: 'id must be 1, as in the path',
  },
  TESTS_TOO_LARGE: {
    meaning: 'The tests of the problem are too large for one response. Read them in parts.',
    example:
      'The tests are too large for one response: ' +
      'read GET /v1/problem_description/1/test_cases and each test case by itself',
  },
  WORKER_TOO_OLD: {
    meaning:
      'The judge worker lacks capabilities that the problem needs: its `Judge-Capabilities` does not list them. The worker leaves the submission to newer ones.',
    example:
      'This judge worker lacks validation/1, limits/1: update it, so that it sends these names in Judge-Capabilities',
  },
  JUDGING_ENDED: {
    meaning: 'The judging has a verdict, or the submission was queued again. Stop judging it.',
    example: 'The judging has ended: the submission has a verdict, or was queued again',
  },
  EVENT_NOT_ENDED: {
    meaning: 'The contest has not ended for its last participant.',
    example: 'The standings can be thawed after the end of the last participant',
  },
  NOT_FROZEN: {
    meaning: 'The contest has no freeze, or it was thawed already.',
    example: 'The standings are not frozen',
  },
  NOTHING_REVEALED: {
    meaning: 'No step has revealed anything since the freeze: there is nothing to take back.',
    example: 'No step has revealed anything: there is nothing to take back',
  },
  REJUDGING_PENDING: {
    meaning: 'Judgings of the rejudging are pending. Wait for them, or cancel it.',
    example: 'Judgings are pending: wait for them, or cancel the rejudging',
  },
  REJUDGING_DECIDED: {
    meaning: 'The rejudging was applied or cancelled already.',
    example: 'The rejudging was applied already',
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The body is larger than this route accepts.',
    example: 'The body is larger than this route takes',
  },
  RATE_LIMIT_EXCEEDED: {
    meaning: 'Too many requests, or too many unfinished runs. Retry after the seconds in `Retry-After`.',
    example: 'Too many requests; wait a minute and try again',
  },
  INTERNAL: {
    meaning: 'The service failed. `request_id` identifies the line in its log that says why.',
    example: 'Internal server error',
  },
  UNAVAILABLE: {
    meaning:
      'The service is overloaded or cannot reach its database. Retry after the seconds in `Retry-After`. ' +
      'A write may have been stored all the same: on routes that accept an `Idempotency-Key`, send one, ' +
      'and retry with the same key. The request is then executed only once.',
    example: 'The service cannot reach its database; try again shortly',
  },
}
