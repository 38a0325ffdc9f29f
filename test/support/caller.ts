import { expect } from 'vitest'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface TestRequest {
  readonly method: Method
  readonly url: string
  /** The raw value of the Authorization header. */
  readonly token?: string
  /** Sent as JSON; `raw` is sent unchanged. */
  readonly body?: unknown
  readonly raw?: string | Buffer
  readonly headers?: Record<string, string>
}

export interface TestResponse {
  readonly status: number
  /** Parsed if it is JSON. */
  readonly body: ReturnType<JSON['parse']>
  readonly text: string
  readonly bytes: Buffer
  readonly headers: Record<string, string | undefined>
}

/** A status, or a status with a part of the body, such as a refusal of refusals.ts. */
export type Expected = number | { readonly status: number; readonly body?: unknown }

type Body = TestResponse['body']

/**
 * Sends requests with one token, or without any. Every method but `send` fails the test unless the
 * response is as expected (2xx by default), and resolves to the body.
 */
export interface Caller {
  send(method: Method, url: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse>
  get(url: string, expected?: Expected): Promise<Body>
  post(url: string, body?: unknown, expected?: Expected): Promise<Body>
  put(url: string, body?: unknown, expected?: Expected): Promise<Body>
  patch(url: string, body?: unknown, expected?: Expected): Promise<Body>
  delete(url: string, expected?: Expected): Promise<Body>
}

/** Returns the caller whose requests have this token and the headers `own`. */
export function callerOf(
  service: { send(request: TestRequest): Promise<TestResponse> },
  token: string | undefined,
  own: Record<string, string> = {},
): Caller {
  const send: Caller['send'] = (method, url, body, headers) =>
    service.send({
      ...{ method, url, body },
      ...(token !== undefined && { token }),
      headers: { ...own, ...headers },
    })
  const expectBody = async (method: Method, url: string, body: unknown, expected: Expected | undefined) => {
    const response = await send(method, url, body)
    const message = `${method} ${url}: ${response.text}`
    if (expected === undefined) expect(String(response.status), message).toMatch(/^2/)
    else if (typeof expected === 'number') expect(response.status, message).toBe(expected)
    else expect(response, message).toMatchObject(expected)
    return response.body
  }
  return {
    send,
    get: (url, expected) => expectBody('GET', url, undefined, expected),
    post: (url, body, expected) => expectBody('POST', url, body, expected),
    put: (url, body, expected) => expectBody('PUT', url, body, expected),
    patch: (url, body, expected) => expectBody('PATCH', url, body, expected),
    delete: (url, expected) => expectBody('DELETE', url, undefined, expected),
  }
}
