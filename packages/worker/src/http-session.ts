import { readRecord } from './read-record.ts'
import { ServiceError } from './service-error.ts'

export interface SessionRequest {
  readonly method: 'GET' | 'PATCH'
  readonly path: string
  readonly body?: unknown
  readonly timeoutMs: number
}

export interface SessionAnswer {
  readonly status: number
  /** The parsed JSON; undefined where there was none. */
  readonly body: unknown
}

/** Requests with the judge's token, which it gets when it is first needed and again when the service refuses it. */
export interface HttpSession {
  /** Answers whatever status below 500 there is, but for a refused token. Throws `ServiceError`. */
  send(request: SessionRequest): Promise<SessionAnswer>
}

export interface SessionOptions {
  readonly apiUrl: string
  readonly judgePassword: string
  /** Ends whatever is under way. */
  readonly signal: AbortSignal
}

const LOGIN_TIMEOUT_MS = 15_000

/** Opens a session; nothing is sent before the first request. */
export function createHttpSession(options: SessionOptions): HttpSession {
  let token: Promise<string> | undefined
  const getToken = (): Promise<string> => {
    token ??= logIn(options).catch((err: unknown) => {
      token = undefined
      throw err
    })
    return token
  }
  return {
    async send(request) {
      const used = getToken()
      const answer = await fetchJson(options, { ...request, authorization: await used })
      if (answer.status !== 401) return answer
      // Several requests may find out at once; the first of them asks for a new token.
      if (token === used) token = undefined
      const again = await fetchJson(options, { ...request, authorization: await getToken() })
      if (again.status === 401)
        throw new ServiceError(`the service refuses the judge's token on ${request.method} ${request.path}`)
      return again
    },
  }
}

async function logIn(options: SessionOptions): Promise<string> {
  const answer = await fetchJson(options, {
    method: 'POST',
    path: '/v1/login_judge',
    timeoutMs: LOGIN_TIMEOUT_MS,
    // A header is bytes: what is beyond Latin-1 goes as UTF-8, which the service reads as well.
    authorization: Buffer.from(options.judgePassword, 'utf8').toString('latin1'),
  })
  if (answer.status === 401)
    throw new ServiceError('the service refuses JUDGE_PASSWORD: both must have the same')
  if (answer.status !== 200)
    throw new ServiceError(`the service answered ${answer.status} to the judge's login`)
  return readRecord(answer.body, 'login_judge').text('token')
}

type JsonRequest = Omit<SessionRequest, 'method'> & {
  readonly method: string
  readonly authorization: string
}

async function fetchJson(options: SessionOptions, request: JsonRequest): Promise<SessionAnswer> {
  const { method, path, authorization, body } = request
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(request.timeoutMs)])
  const content = body === undefined ? {} : { body: JSON.stringify(body) }
  const headers = { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) }
  try {
    const answer = await fetch(`${options.apiUrl}${path}`, {
      method,
      headers,
      signal,
      redirect: 'error',
      ...content,
    })
    const text = await answer.text()
    if (answer.status >= 500)
      throw new ServiceError(`the service answered ${answer.status} to ${method} ${path}`)
    return { status: answer.status, body: parseJson(text) }
  } catch (err) {
    if (err instanceof ServiceError) throw err
    throw new ServiceError(`the service did not answer ${method} ${path}: ${describeCause(err)}`, err)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function describeCause(err: unknown): string {
  if (!(err instanceof Error)) return String(err)
  return err.cause instanceof Error ? err.cause.message || err.cause.name : err.message
}
