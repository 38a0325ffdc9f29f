import createClient, { type Client, type Middleware } from 'openapi-fetch'
import type { components, paths } from './api.ts'
import { isErrorBody, NoResponseError } from './errors.ts'

/** The schemas of the service's OpenAPI document: `Schemas['Submission']`. */
export type Schemas = components['schemas']

export interface JudgeClientOptions {
  /** The service's address, without `/v1`. */
  readonly baseUrl: string
  /** The raw token, sent in `authorization` unless a request sets that header. */
  readonly token?: string
  /** Replaces the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/** The service's routes by method and path, with typed parameters, data and errors. */
export interface JudgeClient extends Pick<Client<paths>, 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'> {
  /** Sets the token of later requests; undefined removes it. */
  setToken(token: string | undefined): void
}

/**
 * Makes a client. Calls resolve with the response's `data` or `error`. They reject with
 * `NoResponseError`, or with the reason of an aborted signal.
 */
export function createJudgeClient({ baseUrl, token, fetch }: JudgeClientOptions): JudgeClient {
  let currentToken = token
  // The service never redirects. With 'error', Node 20 loses a request's signal.
  const { GET, POST, PUT, PATCH, DELETE, use } = createClient<paths>({
    baseUrl,
    redirect: 'manual',
    ...(fetch && { fetch }),
  })
  use(readResponses(), {
    onRequest({ request: { headers } }) {
      if (currentToken !== undefined && !headers.has('authorization'))
        headers.set('authorization', currentToken)
    },
  })
  return {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE,
    setToken(token) {
      currentToken = token
    },
  }
}

/** Encodes a secret for the `authorization` header, which the service reads as UTF-8. */
export function encodeSecret(secret: string): string {
  return Array.from(new TextEncoder().encode(secret), (byte) => String.fromCharCode(byte)).join('')
}

/**
 * Reads whole responses and accepts only the service's: JSON, a UUID as text, empty with 204 and
 * 304, errors with the error body. Other responses and failed connections are a `NoResponseError`.
 */
function readResponses(): Required<Pick<Middleware, 'onResponse' | 'onError'>> {
  return {
    onError: ({ request, error, schemaPath }) => describeFailure(request, schemaPath, error),
    async onResponse({ request, response, schemaPath, options }) {
      if (response.status === 204 || response.status === 304 || (response.ok && options.parseAs === 'stream'))
        return response
      const text = await response.text().catch((err: unknown) => {
        throw describeFailure(request, schemaPath, err) ?? err
      })
      const json = readJson(response, text)
      if (json === undefined || !(response.ok || isErrorBody(JSON.parse(json)))) {
        const type = response.headers.get('content-type') ?? 'no content type'
        const what = `${request.method} ${schemaPath}: ${response.status}, ${type}`
        throw new NoResponseError(`the response is not from the service (${what})`, { response })
      }
      const { status, statusText, headers } = response
      return new Response(options.parseAs === 'json' ? json : text, { status, statusText, headers })
    },
  }
}

const bareId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The body as JSON, or undefined. The client parses it again: 0.4 s for 24 MB. */
function readJson(response: Response, text: string): string | undefined {
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/plain') && bareId.test(text)) return JSON.stringify(text)
  if (!type.startsWith('application/json')) return undefined
  try {
    JSON.parse(text)
    return text
  } catch {
    return undefined
  }
}

/** The error for a failed connection; undefined if the caller's signal was aborted. */
function describeFailure(request: Request, path: string, err: unknown): NoResponseError | undefined {
  if (request.signal.aborted) return undefined
  return new NoResponseError(`no response to ${request.method} ${path}: ${describeCause(err)}`, {
    cause: err,
  })
}

/** In Node the reason is in the cause of the `fetch` error, in browsers in the error itself. */
function describeCause(err: unknown): string {
  if (!(err instanceof Error)) return String(err)
  return err.cause instanceof Error ? err.cause.message || err.cause.name : err.message
}
