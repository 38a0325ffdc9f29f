import { createJudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'

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
  const client = createJudgeClient({ baseUrl, ...(fetch && { fetch }) })
  const { id, token } = await orThrow(client.POST('/v1/basic_register', { body }))
  client.setToken(token)
  return { id, token, client }
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
