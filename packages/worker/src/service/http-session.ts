import { setMaxListeners } from 'node:events'
import { createJudgeClient, encodeSecret, type JudgeClient } from '@judge-data-layer/client'
import { startDeadline } from '@judge-data-layer/client/deadline'
import { type ErrorBody, JudgeApiError, NoResponseError, type Result } from '@judge-data-layer/client/errors'
import { CAPABILITIES } from './judging-options.ts'
import { PasswordRefusedError, ServiceError, WorkerTooOldError } from './service-error.ts'

/** Sends one request with this client and signal. */
export type Send<Data> = (client: JudgeClient, signal: AbortSignal) => Promise<Result<Data, ErrorBody>>

export type HttpSession = ReturnType<typeof createHttpSession>

export interface SessionOptions {
  readonly apiUrl: string
  readonly judgePassword: string
  /** Aborts requests in progress. */
  readonly signal: AbortSignal
}

const LOGIN_TIMEOUT_MS = 15_000
export const RECORD_TIMEOUT_MS = 30_000
// Tests and verdicts can have tens of megabytes.
export const BULK_TIMEOUT_MS = 120_000

/** Sends requests with the judge's token. Logs in before the first and after a 401. */
export function createHttpSession({ apiUrl, judgePassword, signal }: SessionOptions) {
  // Each request in progress listens.
  setMaxListeners(0, signal)
  const client = createJudgeClient({ baseUrl: apiUrl, fetch: fetchWithCapabilities })
  const request = <Data>(timeoutMs: number, send: Send<Data>) =>
    callWithin(timeoutMs, signal, (deadline) => send(client, deadline))
  const logIn = async (timeoutMs: number) => {
    const headers = { authorization: encodeSecret(judgePassword) }
    const { data, error, response } = await request(timeoutMs, (_, deadline) =>
      client.POST('/v1/login_judge', { headers, signal: deadline }),
    )
    if (response.status === 401) throw new PasswordRefusedError()
    if (error) throw describeErrorResponse(response, error)
    // Another service may listen at the address.
    if (typeof data?.token !== 'string')
      throw new ServiceError('the response to the login is not from the service')
    client.setToken(data.token)
  }
  let login: Promise<void> | undefined
  const logInOnce = (timeoutMs = LOGIN_TIMEOUT_MS): Promise<void> => {
    login ??= logIn(timeoutMs).catch((err: unknown) => {
      login = undefined
      throw err
    })
    return login
  }
  return {
    /** Throws `ServiceError`, or `PasswordRefusedError` if the password is wrong. */
    logIn: logInOnce,
    /** Resolves with any response but 401. Throws `ServiceError` or the reason of the signal. */
    async call<Data>(timeoutMs: number, send: Send<Data>): Promise<Result<Data, ErrorBody>> {
      const used = logInOnce()
      await used
      const result = await request(timeoutMs, send)
      if (result.response.status !== 401) return result
      // Several calls may get 401 at the same time: only the first logs in again.
      if (login === used) login = undefined
      await logInOnce()
      const again = await request(timeoutMs, send)
      if (again.error && again.response.status === 401)
        throw describeErrorResponse(again.response, again.error)
      return again
    },
  }
}

/** Reads with a request; undefined without a record. Throws `ServiceError`. */
export async function readFrom<Data>(
  session: HttpSession,
  timeoutMs: number,
  send: Send<Data>,
): Promise<Data | undefined> {
  const { data, error, response } = await session.call(timeoutMs, send)
  if (!error) return data
  // An invalid id (400) has no record either.
  if (response.status === 404 || response.status === 400) return undefined
  throw describeErrorResponse(response, error)
}

/** The error for an unexpected error response. */
export function describeErrorResponse(response: Response, error: ErrorBody): ServiceError {
  const cause = new JudgeApiError(response, error)
  if (readCode(error) === 'WORKER_TOO_OLD') return new WorkerTooOldError(cause.message, cause)
  const request = cause.requestId === undefined ? '' : ` (request ${cause.requestId})`
  return new ServiceError(`the service responded ${cause.status}: ${cause.message}${request}`, cause)
}

/** The code of an error, which may be newer than this client. */
export function readCode({ code }: ErrorBody): string {
  return code
}

function fetchWithCapabilities(request: Request): Promise<Response> {
  request.headers.set('judge-capabilities', CAPABILITIES)
  return fetch(request)
}

async function callWithin<T>(
  timeoutMs: number,
  signal: AbortSignal,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = startDeadline(timeoutMs, signal)
  try {
    return await call(deadline.signal)
  } catch (err) {
    if (err instanceof NoResponseError) throw new ServiceError(err.message, err)
    if (deadline.isOver) throw new ServiceError(`no response from the service within ${timeoutMs} ms`, err)
    throw err
  } finally {
    deadline.close()
  }
}
