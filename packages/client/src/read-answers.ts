import type { Middleware } from 'openapi-fetch'
import { isErrorBody, NoAnswerError } from './errors.ts'

/**
 * Reads every answer whole and lets only the service's own pass: JSON, a bare UUID as text, nothing with 204 and 304, and refusals in the one
 * error body. Whatever else comes, and nothing at all, is a `NoAnswerError`.
 */
export function readAnswers(): Required<Pick<Middleware, 'onResponse' | 'onError'>> {
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
        throw new NoAnswerError(`something else than the service answered ${what}`, { response })
      }
      const { status, statusText, headers } = response
      return new Response(options.parseAs === 'json' ? json : text, { status, statusText, headers })
    },
  }
}

const bareId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** An answer's body as JSON, undefined where it is none. It is parsed here and again by whoever reads it: 0.4 s for 24 MB. */
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

/** The error for a connection that failed; undefined where the caller's signal was aborted, whose reason is the error then. */
function describeFailure(request: Request, path: string, err: unknown): NoAnswerError | undefined {
  if (request.signal.aborted) return undefined
  return new NoAnswerError(`the service did not answer ${request.method} ${path}: ${describeCause(err)}`, {
    cause: err,
  })
}

/** What `fetch` says of a failure in Node is the cause's message, in browsers its own. */
function describeCause(err: unknown): string {
  if (!(err instanceof Error)) return String(err)
  return err.cause instanceof Error ? err.cause.message || err.cause.name : err.message
}
