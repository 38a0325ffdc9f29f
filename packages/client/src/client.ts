import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './api.ts'
import { readResponses } from './read-responses.ts'

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
