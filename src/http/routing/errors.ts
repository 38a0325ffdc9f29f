/** Every refusal: the status it answers, the `code` that clients read (D1), and when it comes. The one list of them. */
export const errors = {
  VALIDATION: {
    status: 400,
    code: '400',
    meaning:
      'The path, the query or the body is not what the route takes; the text names the field and what it wants.',
  },
  DUPLICATE_USER: {
    status: 400,
    code: 'USER_EXISTS',
    meaning: 'Another account has this name or e-mail address.',
  },
  UNAUTHORIZED: {
    status: 401,
    code: 'UNAUTHORIZED',
    meaning:
      'The `Authorization` header lacks the credential of this route, or the caller may not read this record.',
  },
  INVALID_CREDENTIALS: {
    status: 401,
    code: 'INVALID_CREDENTIALS',
    meaning: 'No account has this e-mail address and password.',
  },
  MALFORMED_TOKEN: {
    status: 401,
    code: 'MALFORMED_TOKEN',
    meaning: 'The token is not one that this service signed. Send it raw, without `Bearer`.',
  },
  TOKEN_EXPIRED: {
    status: 401,
    code: 'TOKEN_EXPIRED',
    meaning: 'The token’s time is over, or the password was reset since: log in again.',
  },
  ACCOUNT_DELETED: { status: 401, code: 'ACCOUNT_DELETED', meaning: 'The token’s account is deleted.' },
  INVALID_RESET_TOKEN: {
    status: 401,
    code: 'INVALID_RESET_TOKEN',
    meaning: 'The reset token is missing, wrong, used or too old.',
  },
  FORBIDDEN: { status: 403, code: 'FORBIDDEN', meaning: 'The caller is known, but may not do this.' },
  LAST_ADMIN: {
    status: 403,
    code: 'LAST_ADMIN',
    meaning: 'The last admin can be neither deleted nor demoted.',
  },
  EVENT_NOT_ACTIVE: {
    status: 403,
    code: 'EVENT_NOT_ACTIVE',
    meaning: 'The event has not begun, or is over.',
  },
  EVENT_NOT_STARTED: { status: 403, code: 'EVENT_NOT_STARTED', meaning: 'The event has not begun.' },
  REGISTRATION_DISABLED: {
    status: 403,
    code: 'REGISTRATION_DISABLED',
    meaning: 'This service does not let people register by themselves.',
  },
  NOT_FOUND: {
    status: 404,
    code: 'NOT_FOUND',
    meaning: 'There is no such thing, or none that the caller may see.',
  },
  NOT_A_TEAM_EVENT: { status: 404, code: 'NOT_A_TEAM_EVENT', meaning: 'The event is not one of teams.' },
  USER_EXISTS: {
    status: 409,
    code: 'USER_EXISTS',
    meaning: 'Another account has this name or e-mail address.',
  },
  ALREADY_REGISTERED: {
    status: 409,
    code: 'ALREADY_REGISTERED',
    meaning: 'The user is a participant already.',
  },
  ALREADY_IN_EVENT: { status: 409, code: 'ALREADY_IN_EVENT', meaning: 'The event has this problem already.' },
  ALREADY_ON_TEAM: {
    status: 409,
    code: 'ALREADY_ON_TEAM',
    meaning: 'The user is on a team of this event already.',
  },
  TEAM_NAME_TAKEN: {
    status: 409,
    code: 'TEAM_NAME_TAKEN',
    meaning: 'Another team of this event has this name.',
  },
  CATEGORY_EXISTS: { status: 409, code: 'CATEGORY_EXISTS', meaning: 'Another category has this name.' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    code: 'IDEMPOTENCY_KEY_REUSED',
    meaning: 'The `Idempotency-Key` came with another request within the last 24 hours.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
    meaning: 'The body is larger than this route takes.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    code: 'RATE_LIMIT_EXCEEDED',
    meaning: 'Too many requests; `Retry-After` says in how many seconds to try again.',
  },
  INTERNAL: {
    status: 500,
    code: 'INTERNAL',
    meaning: 'The service failed; `request_id` names the line of its log that says why.',
  },
  UNAVAILABLE: {
    status: 503,
    code: 'UNAVAILABLE',
    meaning:
      'The service has too much to do, or cannot reach its database; `Retry-After` says in how many seconds to try again. ' +
      'A request that writes may have been carried out all the same: where the route takes an `Idempotency-Key`, send it with one, ' +
      'and again with the same one, and it is carried out once.',
  },
} as const

export type ErrorKind = keyof typeof errors

/** A refusal that the client is told of: says what is wrong and, where it helps, what would be right. */
export class AppError extends Error {
  readonly kind: ErrorKind

  constructor(kind: ErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'AppError'
    this.kind = kind
  }

  get status(): number {
    return errors[this.kind].status
  }
}

/** The one error body (D1); a 5xx carries the request's id in place of any detail. */
export interface ErrorBody {
  readonly error: string
  readonly code: string
  readonly message: string
  readonly request_id?: string
}

/** Builds the body of a refusal; `message` repeats `error` for clients of either documented shape (D1). */
export function errorBody(err: AppError, requestId: string): ErrorBody {
  const { status, code } = errors[err.kind]
  const body = { error: err.message, code, message: err.message }
  return status >= 500 ? { ...body, request_id: requestId } : body
}
