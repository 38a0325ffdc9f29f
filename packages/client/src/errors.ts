import type { components } from './api.ts'

/** The service's error codes. */
export type ErrorCode = components['schemas']['ErrorCode']

/** The body of every error response. */
export type ErrorBody = components['schemas']['ErrorResponse']

/** The result of a call: the response's data, or an error with one of the route's codes. */
export type Result<Data, RouteError extends ErrorBody> =
  | { readonly data: Data; readonly error?: never; readonly response: Response }
  | { readonly data?: never; readonly error: RouteError; readonly response: Response }

/** An error response of the service. */
export class JudgeApiError extends Error {
  override readonly name = 'JudgeApiError'
  readonly status: number
  readonly code: ErrorCode
  /** The id of the request in the service's log. */
  readonly requestId: string | undefined
  /** Set if a retry may succeed. */
  readonly retryAfterSeconds: number | undefined

  constructor(response: Response, { code, message }: ErrorBody) {
    super(message)
    this.status = response.status
    this.code = code
    this.requestId = response.headers.get('x-request-id') ?? undefined
    this.retryAfterSeconds = readRetryAfter(response.headers)
  }
}

/** No valid response from the service: the connection failed, or a proxy responded. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError'
  /** The status of the proxy's response; undefined if the connection failed. */
  readonly status: number | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, options: { readonly response?: Response; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    // Browsers show a redirect's status as 0.
    this.status = options.response?.status || undefined
    this.retryAfterSeconds = options.response && readRetryAfter(options.response.headers)
  }
}

/** The data of a successful call. Throws `JudgeApiError` or `NoResponseError`. */
export function orThrow<Data>(call: Promise<Result<Data, ErrorBody>>): Promise<Received<Data>>
export async function orThrow<Data>(call: Promise<Result<Data, ErrorBody>>): Promise<Data> {
  const { data, error, response } = await call
  if (error !== undefined) throw new JudgeApiError(response, error)
  return data
}

/** Only routes without a body have no data, but TypeScript infers an optional `data` for all. */
type Received<Data> = [Exclude<Data, undefined>] extends [never] ? undefined : Exclude<Data, undefined>

/** True for the service's error body. Proxies send other bodies. */
export function isErrorBody(body: unknown): body is ErrorBody {
  const { error, code, message } = Object(body)
  return typeof error === 'string' && typeof code === 'string' && typeof message === 'string'
}

/** In seconds. The service never sends a date. */
function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? ''
  return /^\d+$/.test(text) ? Number(text) : undefined
}
