/** An account that the demo has made. */
export interface Account {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly password: string
  readonly token: string
}

/** A cell of a contest's standings. */
export interface AttemptStat {
  readonly user_id: string
  readonly problem_id: number
  readonly attempts: number
  /** Absent until the problem is solved. */
  readonly minutes_to_solve?: number
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
    createEvent: (token: string, event: object) => call<{ id: number }>('POST', '/v1/events', token, event),
    createTeam: (token: string, eventId: number, name: string) =>
      call<{ team_id: string }>('POST', `/v1/events/${eventId}/teams`, token, { name }),
    joinTeam: (token: string, eventId: number, teamId: string) =>
      call<unknown>('POST', `/v1/events/${eventId}/teams/${teamId}/join`, token),
    ask: (token: string, eventId: number, question: string) =>
      call<{ id: string; question: string }>('POST', `/v1/events/${eventId}/questions`, token, { question }),
    answer: (token: string, eventId: number, questionId: string, answer: string) =>
      call<unknown>('PUT', `/v1/events/${eventId}/questions/${questionId}/answer`, token, { answer }),
    listNotifications: (token: string) =>
      call<{ question: { answer?: string } }[]>('GET', '/v1/user/notifications', token),
    listAttempts: (token: string, eventId: number) =>
      call<AttemptStat[]>('GET', `/v1/events/${eventId}/attempts`, token),
    readSubmission: (token: string, id: string) =>
      call<{ status: string; time_elapsed: number }>('GET', `/v1/submissions/${id}`, token),
  }
}

export type Api = ReturnType<typeof createApi>
