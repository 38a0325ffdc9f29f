import type { components } from './api.ts'

/** Every code that a refusal of the service can have. */
export type ErrorCode = components['schemas']['ErrorCode']

/** The body of every refusal. */
export type ErrorBody = components['schemas']['Error']

/** What a method of the client resolves with: the answer's data, or the refusal with those codes that its route can have. */
export type Result<Data, Refusal extends ErrorBody> =
  | { readonly data: Data; readonly error?: never; readonly response: Response }
  | { readonly data?: never; readonly error: Refusal; readonly response: Response }

/** A refusal of the service, thrown. */
export class JudgeApiError extends Error {
  override readonly name = 'JudgeApiError'
  readonly status: number
  readonly code: ErrorCode
  /** The request's id in the service's log. */
  readonly requestId: string | undefined
  /** Set where trying again is of use. */
  readonly retryAfterSeconds: number | undefined

  constructor(response: Response, { code, message }: ErrorBody) {
    super(message)
    this.status = response.status
    this.code = code
    this.requestId = response.headers.get('x-request-id') ?? undefined
    this.retryAfterSeconds = readRetryAfter(response.headers)
  }
}

/** Nothing came that the service has said: the connection failed, or something before the service answered in its place. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  /** The status that something other than the service answered; undefined where the connection failed. */
  readonly status: number | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, options: { readonly response?: Response; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    // Browsers hide a redirection's status as 0.
    this.status = options.response?.status || undefined
    this.retryAfterSeconds = options.response && readRetryAfter(options.response.headers)
  }
}

/** The data of a call that went well; throws `JudgeApiError` for a refusal, and lets `NoAnswerError` pass. */
export function orThrow<Data>(call: Promise<Result<Data, ErrorBody>>): Promise<Answered<Data>>
export async function orThrow<Data>(call: Promise<Result<Data, ErrorBody>>): Promise<Data> {
  const { data, error, response } = await call
  if (error !== undefined) throw new JudgeApiError(response, error)
  return data
}

/** Without `exactOptionalPropertyTypes` the compiler infers that data may be absent; it is so of routes without a body only. */
type Answered<Data> = [Exclude<Data, undefined>] extends [never] ? undefined : Exclude<Data, undefined>

/** Whether a body is one that the service refuses with; something before it writes others. */
export function isErrorBody(body: unknown): body is ErrorBody {
  const { error, code, message } = Object(body)
  return typeof error === 'string' && typeof code === 'string' && typeof message === 'string'
}

/** Seconds; the header's other form, a date, is not the service's. */
function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? ''
  return /^\d+$/.test(text) ? Number(text) : undefined
}
