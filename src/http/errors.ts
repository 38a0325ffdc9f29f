/** Every refusal: the status it answers and the `code` that clients read (D1). The one list of both. */
export const errors = {
  VALIDATION: { status: 400, code: '400' },
  DUPLICATE_USER: { status: 400, code: 'USER_EXISTS' },
  UNAUTHORIZED: { status: 401, code: 'UNAUTHORIZED' },
  INVALID_CREDENTIALS: { status: 401, code: 'INVALID_CREDENTIALS' },
  MALFORMED_TOKEN: { status: 401, code: 'MALFORMED_TOKEN' },
  TOKEN_EXPIRED: { status: 401, code: 'TOKEN_EXPIRED' },
  ACCOUNT_DELETED: { status: 401, code: 'ACCOUNT_DELETED' },
  INVALID_RESET_TOKEN: { status: 401, code: 'INVALID_RESET_TOKEN' },
  FORBIDDEN: { status: 403, code: 'FORBIDDEN' },
  LAST_ADMIN: { status: 403, code: 'LAST_ADMIN' },
  EVENT_NOT_ACTIVE: { status: 403, code: 'EVENT_NOT_ACTIVE' },
  EVENT_NOT_STARTED: { status: 403, code: 'EVENT_NOT_STARTED' },
  REGISTRATION_DISABLED: { status: 403, code: 'REGISTRATION_DISABLED' },
  NOT_FOUND: { status: 404, code: 'NOT_FOUND' },
  NOT_A_TEAM_EVENT: { status: 404, code: 'NOT_A_TEAM_EVENT' },
  USER_EXISTS: { status: 409, code: 'USER_EXISTS' },
  ALREADY_REGISTERED: { status: 409, code: 'ALREADY_REGISTERED' },
  ALREADY_IN_EVENT: { status: 409, code: 'ALREADY_IN_EVENT' },
  ALREADY_ON_TEAM: { status: 409, code: 'ALREADY_ON_TEAM' },
  TEAM_NAME_TAKEN: { status: 409, code: 'TEAM_NAME_TAKEN' },
  CATEGORY_EXISTS: { status: 409, code: 'CATEGORY_EXISTS' },
  PAYLOAD_TOO_LARGE: { status: 413, code: 'PAYLOAD_TOO_LARGE' },
  RATE_LIMIT_EXCEEDED: { status: 429, code: 'RATE_LIMIT_EXCEEDED' },
  INTERNAL: { status: 500, code: 'INTERNAL' },
  UNAVAILABLE: { status: 503, code: 'UNAVAILABLE' },
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
