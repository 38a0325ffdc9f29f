import { setTimeout as pause } from 'node:timers/promises'
import { createJudgeClient } from '@judge-data-layer/client'
import { JudgeApiError, orThrow } from '@judge-data-layer/client/errors'

/** The account that `openSubmitter` registers; ADMIN_EMAILS must name its address. */
export const ROOT = { name: 'Root', email: 'root@example.org', password: 'a password of root' }

const TWICE = {
  title: 'Twice',
  identifier: 'twice',
  prompt: 'Double the number.',
  difficulty: 'EASY' as const,
  public: true,
}
const TEST_CASE = { input: '21', expected_output: '42' }

/** A JavaScript program that solves the problem of `openSubmitter`. */
export const SOLUTION = "console.log(2 * require('fs').readFileSync(0, 'utf8'))"

export type Submitter = Awaited<ReturnType<typeof openSubmitter>>

type Fetch = (request: Request) => Promise<Response>

/** Registers an account; resolves to it and its client, which may send requests with `fetch`. */
export async function register(baseUrl: string, body: typeof ROOT, fetch?: Fetch) {
  let wasBusy = false
  const send = sendPatiently(fetch ?? globalThis.fetch, () => {
    wasBusy = true
  })
  const client = createJudgeClient({ baseUrl, fetch: send })
  const { id, token } = await orThrow(client.POST('/v1/basic_register', { body })).catch((err) => {
    // The service may have stored the account of a request to which it responded with 503.
    if (!(wasBusy && err instanceof JudgeApiError && err.status === 409)) throw err
    return orThrow(client.POST('/v1/basic_login', { body }))
  })
  client.setToken(token)
  return { id, token, client }
}

const MOST_TRIES = 20

/** Sends a request again while the service responds with 503: the machine may be busy. */
const sendPatiently =
  (fetch: Fetch, onBusy: () => void): Fetch =>
  async (request) => {
    for (let tries = 1; ; tries += 1) {
      const response = await fetch(request.clone())
      if (response.status !== 503 || tries === MOST_TRIES) return response
      onBusy()
      await pause(500)
    }
  }

/** Registers the admin `ROOT`, and creates the problem of `SOLUTION` with so many tests. */
export async function openSubmitter(url: string, testCount = 1, fetch?: Fetch) {
  const { id: user_id, client: root } = await register(url, ROOT, fetch)
  const test_cases = Array.from({ length: testCount }, () => TEST_CASE)
  const { id: problem_id } = await orThrow(root.POST('/v1/problems', { body: { ...TWICE, test_cases } }))
  const language = (await orThrow(root.GET('/v1/languages'))).find(({ extension }) => extension === 'js')
  if (language === undefined) throw new Error('there is no JavaScript')
  return {
    ...{ root, language, problemId: problem_id },
    submit: async (source_code: string) => {
      const body = { user_id, problem_id, language_id: language.id, source_code }
      return (await orThrow(root.POST('/v1/submissions', { body }))).id
    },
    readStatus: async (submission_id: string): Promise<string> => {
      const path = { params: { path: { submission_id } } }
      return (await orThrow(root.GET('/v1/submissions/{submission_id}', path))).status
    },
  }
}
