/** An account that the demo has made. */
export interface Account {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly password: string
  readonly token: string
}

/** A refusal, as the service worded it. */
export class RefusedError extends Error {}

/** Calls the service as any client does: JSON in, JSON out, the raw token in `Authorization`. Throws `RefusedError`. */
export function createApi(baseUrl: string) {
  const call = async <Answer>(
    method: string,
    path: string,
    token?: string,
    body?: unknown,
  ): Promise<Answer> => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: token }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new RefusedError(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Answer
  }
  return {
    async register(name: string, email: string, password: string): Promise<Account> {
      const body = { name, email, password }
      const { id, token } = await call<Account>('POST', '/v1/basic_register', undefined, body)
      return { id, name, email, password, token }
    },
    listCategories: (token: string) => call<{ id: string; name: string }[]>('GET', '/v1/categories', token),
    listLanguages: () => call<{ id: string; name: string; extension: string }[]>('GET', '/v1/languages'),
    createProblem: (token: string, problem: object) =>
      call<{ id: number }>('POST', '/v1/problems', token, problem),
    submit: (token: string, submission: object) =>
      call<{ id: string }>('POST', '/v1/submissions', token, submission),
    readSubmission: (token: string, id: string) =>
      call<{ status: string; time_elapsed: number }>('GET', `/v1/submissions/${id}`, token),
  }
}

export type Api = ReturnType<typeof createApi>
