import { isErrorBody, JudgeApiError, NoResponseError } from '@judge-data-layer/client/errors'

export interface Versioned<T> {
  readonly body: T
  readonly etag: string | undefined
}

/** Sends a request. Throws `JudgeApiError`, or `NoResponseError` if the service did not respond. */
export async function send(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, {
    ...init,
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
  }).catch((cause: unknown) => {
    throw new NoResponseError('The service cannot be reached.', { cause })
  })
  if (response.ok || response.status === 304) return response
  const body: unknown = await response.json().catch(() => undefined)
  if (isErrorBody(body)) throw new JudgeApiError(response, body)
  throw new NoResponseError(`A proxy responds with ${response.status}.`, { response })
}

/** Reads JSON; with the entity tag of `known` an unchanged body is not sent again. */
export async function readVersioned<T>(
  path: string,
  known: Versioned<T> | undefined,
  { headers, signal }: { readonly headers: Record<string, string>; readonly signal: AbortSignal },
): Promise<Versioned<T>> {
  const tag = known?.etag === undefined ? {} : { 'If-None-Match': known.etag }
  const response = await send(path, { headers: { ...headers, ...tag }, signal })
  if (response.status === 304 && known !== undefined) return known
  return { body: await response.json(), etag: response.headers.get('etag') ?? undefined }
}

/** True for an error that a retry cannot help. */
export const isRefusal = (err: unknown): boolean =>
  err instanceof JudgeApiError && err.status < 500 && err.status !== 429

/** The text of an error of the login for people. */
export function describeLoginError(err: unknown): string {
  const isWrong = err instanceof JudgeApiError && err.status === 401
  return isWrong ? 'The e-mail address or the password is wrong.' : describeError(err)
}

/** The text of an error for people. */
export function describeError(err: unknown): string {
  return err instanceof Error ? err.message : 'Something went wrong.'
}
