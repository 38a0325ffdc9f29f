import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './api.ts'
import { readAnswers } from './read-answers.ts'

/** The service's shapes by their names in its document: `Schemas['Submission']`. */
export type Schemas = components['schemas']

export interface JudgeClientOptions {
  /** Where the service listens, without `/v1`. */
  readonly baseUrl: string
  /** The raw token that requests carry unless they bring an `authorization` header of their own. */
  readonly token?: string
  /** Sends the requests; the platform's own unless given. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/** Every route of the service by its method and path, with the types of what it takes, answers and refuses. */
export interface JudgeClient extends Pick<Client<paths>, 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'> {
  /** The token of the requests from now on; undefined for none. */
  setToken(token: string | undefined): void
}

/**
 * Makes a client; nothing is sent before its first call. A call resolves with what the service says, its `data` or its refusal as
 * `error`. It rejects with `NoAnswerError` where the service did not answer, and with the reason of a signal that was aborted.
 */
export function createJudgeClient({ baseUrl, token, fetch }: JudgeClientOptions): JudgeClient {
  let currentToken = token
  // The service never redirects: whoever does is not the service. Not 'error', with which Node 20 forgets the signal of a request
  // whose body it is reading, once it has collected garbage.
  const { GET, POST, PUT, PATCH, DELETE, use } = createClient<paths>({
    baseUrl,
    redirect: 'manual',
    ...(fetch && { fetch }),
  })
  use(readAnswers(), {
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

/** A secret of any characters as the value of an `authorization` header: headers are bytes, and the service reads them as UTF-8. */
export function encodeSecret(secret: string): string {
  return Array.from(new TextEncoder().encode(secret), (byte) => String.fromCharCode(byte)).join('')
}
