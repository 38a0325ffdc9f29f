import { createJudgeClient, encodeSecret, type JudgeClient } from '@judge-data-layer/client'
import { startDeadline } from '@judge-data-layer/client/deadline'
import { type ErrorBody, JudgeApiError, NoAnswerError, type Result } from '@judge-data-layer/client/errors'
import { PasswordRefusedError, ServiceError } from './service-error.ts'

/** A call of the service, to be made with this client and signal. */
export type Send<Data> = (client: JudgeClient, signal: AbortSignal) => Promise<Result<Data, ErrorBody>>

/** Calls with the judge's token, which it gets when it is first needed and again when the service refuses it. */
export interface HttpSession {
  /** Gets the token now. Throws `ServiceError`: `PasswordRefusedError` if the password is wrong. */
  logIn(timeoutMs: number): Promise<void>
  /** Answers whatever the service says, but for a refused token. Throws `ServiceError`, or the reason of the session's signal. */
  call<Data>(timeoutMs: number, send: Send<Data>): Promise<Result<Data, ErrorBody>>
}

export interface SessionOptions {
  readonly apiUrl: string
  readonly judgePassword: string
  /** Ends whatever is under way. */
  readonly signal: AbortSignal
}

const LOGIN_TIMEOUT_MS = 15_000

/** Opens a session; nothing is sent before the first call. */
export function createHttpSession({ apiUrl, judgePassword, signal }: SessionOptions): HttpSession {
  const client = createJudgeClient({ baseUrl: apiUrl })
  let login: Promise<void> | undefined
  const logInOnce = (timeoutMs = LOGIN_TIMEOUT_MS): Promise<void> => {
    login ??= logIn(timeoutMs, client, judgePassword, signal).catch((err: unknown) => {
      login = undefined
      throw err
    })
    return login
  }
  return {
    logIn: logInOnce,
    async call(timeoutMs, send) {
      const used = logInOnce()
      await used
      const answer = await callWithin(timeoutMs, client, signal, send)
      if (answer.response.status !== 401) return answer
      // Several calls may find out at once; the first of them asks for a new token.
      if (login === used) login = undefined
      await logInOnce()
      const again = await callWithin(timeoutMs, client, signal, send)
      if (again.error && again.response.status === 401) throw describeRefusal(again.response, again.error)
      return again
    },
  }
}

/** The error for a refusal that was not agreed. */
export function describeRefusal(response: Response, error: ErrorBody): ServiceError {
  const refusal = new JudgeApiError(response, error)
  const request = refusal.requestId === undefined ? '' : ` (request ${refusal.requestId})`
  return new ServiceError(`the service answered ${refusal.status}: ${refusal.message}${request}`, refusal)
}

async function logIn(
  timeoutMs: number,
  client: JudgeClient,
  judgePassword: string,
  signal: AbortSignal,
): Promise<void> {
  const headers = { authorization: encodeSecret(judgePassword) }
  const { data, error, response } = await callWithin(timeoutMs, client, signal, (client, signal) =>
    client.POST('/v1/login_judge', { headers, signal }),
  )
  if (response.status === 401) throw new PasswordRefusedError()
  if (error) throw describeRefusal(response, error)
  // The one answer that is looked at: an address that is another service's shows here, before anything is believed.
  if (typeof data?.token !== 'string')
    throw new ServiceError('what answers at the address is not the service')
  client.setToken(data.token)
}

async function callWithin<Data>(
  timeoutMs: number,
  client: JudgeClient,
  signal: AbortSignal,
  send: Send<Data>,
): Promise<Result<Data, ErrorBody>> {
  const deadline = startDeadline(timeoutMs, signal)
  try {
    return await send(client, deadline.signal)
  } catch (err) {
    if (err instanceof NoAnswerError) throw new ServiceError(err.message, err)
    if (deadline.isOver) throw new ServiceError(`the service did not answer within ${timeoutMs} ms`, err)
    throw err
  } finally {
    deadline.close()
  }
}
