/** Every error response by its kind. */
export const errors = {
  VALIDATION: {
    status: 400,
    meaning: 'The path, the query or the body is invalid; the text names the field and its valid values.',
  },
  DUPLICATE_USER: { status: 400, meaning: 'Another account has this name or e-mail address.' },
  UNAUTHORIZED: {
    status: 401,
    meaning:
      'The `Authorization` header lacks the credential of this route, or the caller may not read this record.',
  },
  INVALID_CREDENTIALS: { status: 401, meaning: 'No account has this e-mail address and password.' },
  MALFORMED_TOKEN: { status: 401, meaning: 'The token is malformed. Send it raw, without `Bearer`.' },
  TOKEN_EXPIRED: {
    status: 401,
    meaning: 'The token has expired, or the password was reset after its issue. Log in again.',
  },
  ACCOUNT_DELETED: { status: 401, meaning: 'The account of the token was deleted.' },
  INVALID_RESET_TOKEN: { status: 401, meaning: 'The reset token is missing, wrong, used or expired.' },
  FORBIDDEN: { status: 403, meaning: 'The caller has no permission for this request.' },
  LAST_ADMIN: { status: 403, meaning: 'The last admin can be neither deleted nor demoted.' },
  EVENT_NOT_ACTIVE: { status: 403, meaning: 'The contest has not started, or has ended.' },
  EVENT_NOT_STARTED: { status: 403, meaning: 'The contest has not started.' },
  REGISTRATION_DISABLED: { status: 403, meaning: 'Registration is not enabled on this service.' },
  NOT_FOUND: { status: 404, meaning: 'The record does not exist, or the caller may not see it.' },
  NOT_A_TEAM_EVENT: { status: 404, meaning: 'The contest has no teams.' },
  USER_EXISTS: { status: 409, meaning: 'Another account has this name or e-mail address.' },
  ALREADY_REGISTERED: { status: 409, meaning: 'The user is already a participant.' },
  ALREADY_IN_EVENT: { status: 409, meaning: 'The contest already has this problem.' },
  ALREADY_ON_TEAM: { status: 409, meaning: 'The user is already on a team of this contest.' },
  TEAM_NAME_TAKEN: { status: 409, meaning: 'Another team of this contest has this name.' },
  CATEGORY_EXISTS: { status: 409, meaning: 'Another category has this name.' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    meaning: 'Another request with this `Idempotency-Key` was sent within the last 24 hours.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, meaning: 'The body is larger than this route accepts.' },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    meaning: 'Too many requests. Retry after the seconds in `Retry-After`.',
  },
  INTERNAL: {
    status: 500,
    meaning: 'The service failed. `request_id` identifies the line in its log that says why.',
  },
  UNAVAILABLE: {
    status: 503,
    meaning:
      'The service is overloaded or cannot reach its database. Retry after the seconds in `Retry-After`. ' +
      'A write may have been stored all the same: on routes that accept an `Idempotency-Key`, send one, ' +
      'and retry with the same key. The request is then executed only once.',
  },
} as const

export type ErrorKind = keyof typeof errors

/** The `code` that clients read (D1). */
export function codeOf(kind: ErrorKind): string {
  if (kind === 'VALIDATION') return '400'
  return kind === 'DUPLICATE_USER' ? 'USER_EXISTS' : kind
}

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
  const body = { error: err.message, code: codeOf(err.kind), message: err.message }
  return err.status >= 500 ? { ...body, request_id: requestId } : body
}
