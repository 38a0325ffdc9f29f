import { AppError, type ErrorBody, type ErrorKind, errorBody } from '../../http/routing/errors.ts'

/** An example of a refusal, with its most frequent text. */
export function exampleOfRefusal(kind: ErrorKind): ErrorBody {
  return errorBody(new AppError(kind, texts[kind]), '019ba73a-1440-72dd-8ac1-1dca7e37a539')
}

const texts: Readonly<Record<ErrorKind, string>> = {
  VALIDATION: 'problem_id must be an integer',
  DUPLICATE_USER: 'Another user has this name or e-mail',
  UNAUTHORIZED: 'The Authorization header must carry a credential',
  INVALID_CREDENTIALS: 'Invalid credentials',
  MALFORMED_TOKEN: 'Malformed JWT token',
  TOKEN_EXPIRED: 'The token has expired; log in again',
  ACCOUNT_DELETED: 'User account no longer exists',
  INVALID_RESET_TOKEN: 'The reset token is missing, used, wrong or expired; ask for a new one',
  FORBIDDEN: 'This route is for admins',
  LAST_ADMIN: 'The last admin stays: make another user an admin first',
  EVENT_NOT_ACTIVE: 'The event is not running',
  EVENT_NOT_STARTED: 'The event has not started yet',
  REGISTRATION_DISABLED: 'Registration is not open on this service',
  NOT_FOUND: 'There is no such problem',
  NOT_A_TEAM_EVENT: 'The event has no teams',
  USER_EXISTS: 'Another account has this name or e-mail',
  ALREADY_REGISTERED: 'You take part in the event already',
  ALREADY_IN_EVENT: 'The problem is in the event already',
  ALREADY_ON_TEAM: 'You are on a team of the event already',
  TEAM_NAME_TAKEN: 'Another team of the event has this name',
  CATEGORY_EXISTS: 'There is a category of this name',
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key came with another request; make a new one',
  PAYLOAD_TOO_LARGE: 'The body is larger than this route takes',
  RATE_LIMIT_EXCEEDED: 'Too many requests; wait a minute and try again',
  INTERNAL: 'Internal server error',
  UNAVAILABLE: 'The service cannot reach its database; try again shortly',
}
