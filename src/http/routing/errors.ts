/** The status of every error response by its kind. */
export const statuses = {
  VALIDATION: 400,
  DUPLICATE_USER: 400,
  UNAUTHORIZED: 401,
  INVALID_CREDENTIALS: 401,
  MALFORMED_TOKEN: 401,
  TOKEN_EXPIRED: 401,
  ACCOUNT_DELETED: 401,
  INVALID_RESET_TOKEN: 401,
  FORBIDDEN: 403,
  LAST_ADMIN: 403,
  EVENT_NOT_ACTIVE: 403,
  EVENT_NOT_STARTED: 403,
  EVENT_ENDED: 403,
  NOT_A_PARTICIPANT: 403,
  REGISTRATION_DISABLED: 403,
  NOT_FOUND: 404,
  NOT_A_TEAM_EVENT: 404,
  USER_EXISTS: 409,
  ALREADY_REGISTERED: 409,
  ALREADY_IN_EVENT: 409,
  ALREADY_ON_TEAM: 409,
  PROBLEM_HAS_SUBMISSIONS: 409,
  TEAM_NAME_TAKEN: 409,
  CATEGORY_EXISTS: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  ID_MISMATCH: 409,
  TESTS_TOO_LARGE: 409,
  WORKER_TOO_OLD: 409,
  JUDGING_ENDED: 409,
  EVENT_NOT_ENDED: 409,
  NOT_FROZEN: 409,
  NOTHING_REVEALED: 409,
  ALREADY_ANSWERED: 409,
  ANSWERED_BY_STAFF: 409,
  REJUDGING_PENDING: 409,
  REJUDGING_OPEN: 409,
  TOO_MANY_REJUDGINGS: 409,
  REJUDGING_DECIDED: 409,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const

export type ErrorKind = keyof typeof statuses

export const errorKinds = Object.keys(statuses) as ErrorKind[]

/** The arguments of an `AppError`. */
export type Refusal = readonly [kind: ErrorKind, message: string]

/** The `code` that clients read (D1). */
export function codeOf(kind: ErrorKind): string {
  if (kind === 'VALIDATION') return '400'
  return kind === 'DUPLICATE_USER' ? 'USER_EXISTS' : kind
}

interface Details {
  /** How to correct the request, where clients know the message by its exact text. */
  readonly hint?: string
  /** The rejudging that is in the way. */
  readonly rejudging_id?: string
}

/** An error for the client; the message states the fault and how to correct it. */
export class AppError extends Error {
  readonly kind: ErrorKind
  /** Sent beside the message. */
  readonly details: Details

  constructor(kind: ErrorKind, message: string, { cause, ...details }: ErrorOptions & Details = {}) {
    super(message, { cause })
    this.name = 'AppError'
    this.kind = kind
    this.details = details
  }

  get status(): number {
    return statuses[this.kind]
  }
}

/** 400; the message names the field. */
export const invalid = (message: string) => new AppError('VALIDATION', message)

/** Whether the path of a route or the target of a request belongs to the Contest API. */
export const isOfContestApi = (target: string) => /^(?:\w+:\/\/[^/?]*)?\/v1\/clics(?:[/?]|$)/.test(target)

/** Builds the body of an error response of the Contest API, whose `code` is the status (P26). */
export function contestApiErrorBody({ status, message, details: { hint } }: AppError) {
  return { code: status, message: hint === undefined ? message : `${message}. ${hint}` }
}

/**
 * Builds the body of an error response; `message` repeats `error` (D1). Only a 5xx has a
 * `request_id`; few others have details.
 */
export function errorBody(err: AppError, requestId: string) {
  const { message, kind, details } = err
  const body = { error: message, code: codeOf(kind), message, ...details }
  return err.status >= 500 ? { ...body, request_id: requestId } : body
}
