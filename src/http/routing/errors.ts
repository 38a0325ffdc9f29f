/** Every error response: its status, the `code` that clients read (D1), and its meaning. */
export const errors = {
  VALIDATION: {
    status: 400,
    code: '400',
    meaning: 'The path, the query or the body is invalid; the text names the field and its valid values.',
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
    meaning: 'The token is malformed. Send it raw, without `Bearer`.',
  },
  TOKEN_EXPIRED: {
    status: 401,
    code: 'TOKEN_EXPIRED',
    meaning: 'The token has expired, or the password was reset after its issue. Log in again.',
  },
  ACCOUNT_DELETED: { status: 401, code: 'ACCOUNT_DELETED', meaning: 'The account of the token was deleted.' },
  INVALID_RESET_TOKEN: {
    status: 401,
    code: 'INVALID_RESET_TOKEN',
    meaning: 'The reset token is missing, wrong, used or expired.',
  },
  FORBIDDEN: { status: 403, code: 'FORBIDDEN', meaning: 'The caller has no permission for this request.' },
  LAST_ADMIN: {
    status: 403,
    code: 'LAST_ADMIN',
    meaning: 'The last admin can be neither deleted nor demoted.',
  },
  EVENT_NOT_ACTIVE: {
    status: 403,
    code: 'EVENT_NOT_ACTIVE',
    meaning: 'The contest has not started, or has ended.',
  },
  EVENT_NOT_STARTED: { status: 403, code: 'EVENT_NOT_STARTED', meaning: 'The contest has not started.' },
  REGISTRATION_DISABLED: {
    status: 403,
    code: 'REGISTRATION_DISABLED',
    meaning: 'Registration is not enabled on this service.',
  },
  NOT_FOUND: {
    status: 404,
    code: 'NOT_FOUND',
    meaning: 'The record does not exist, or the caller may not see it.',
  },
  NOT_A_TEAM_EVENT: { status: 404, code: 'NOT_A_TEAM_EVENT', meaning: 'The contest has no teams.' },
  USER_EXISTS: {
    status: 409,
    code: 'USER_EXISTS',
    meaning: 'Another account has this name or e-mail address.',
  },
  ALREADY_REGISTERED: {
    status: 409,
    code: 'ALREADY_REGISTERED',
    meaning: 'The user is already a participant.',
  },
  ALREADY_IN_EVENT: {
    status: 409,
    code: 'ALREADY_IN_EVENT',
    meaning: 'The contest already has this problem.',
  },
  ALREADY_ON_TEAM: {
    status: 409,
    code: 'ALREADY_ON_TEAM',
    meaning: 'The user is already on a team of this contest.',
  },
  TEAM_NAME_TAKEN: {
    status: 409,
    code: 'TEAM_NAME_TAKEN',
    meaning: 'Another team of this contest has this name.',
  },
  CATEGORY_EXISTS: { status: 409, code: 'CATEGORY_EXISTS', meaning: 'Another category has this name.' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    code: 'IDEMPOTENCY_KEY_REUSED',
    meaning: 'Another request with this `Idempotency-Key` was sent within the last 24 hours.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
    meaning: 'The body is larger than this route accepts.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    code: 'RATE_LIMIT_EXCEEDED',
    meaning: 'Too many requests. Retry after the seconds in `Retry-After`.',
  },
  INTERNAL: {
    status: 500,
    code: 'INTERNAL',
    meaning: 'The service failed. `request_id` identifies the line in its log that says why.',
  },
  UNAVAILABLE: {
    status: 503,
    code: 'UNAVAILABLE',
    meaning:
      'The service is overloaded or cannot reach its database. Retry after the seconds in `Retry-After`. ' +
      'A write may have been stored all the same: on routes that accept an `Idempotency-Key`, send one, ' +
      'and retry with the same key. The request is then executed only once.',
  },
} as const

export type ErrorKind = keyof typeof errors

/** An error for the client; the message states the fault and how to correct it. */
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

/** The body of every error response (D1). Only a 5xx has a `request_id`. */
export interface ErrorBody {
  readonly error: string
  readonly code: string
  readonly message: string
  readonly request_id?: string
}

/** Builds the body of an error response; `message` repeats `error` (D1). */
export function errorBody(err: AppError, requestId: string): ErrorBody {
  const { status, code } = errors[err.kind]
  const body = { error: err.message, code, message: err.message }
  return status >= 500 ? { ...body, request_id: requestId } : body
}
