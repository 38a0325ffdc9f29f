import { createJudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { defaultLanguagesFile, readLanguages } from '@judge-data-layer/languages'
import { startWorker } from '@judge-data-layer/worker'
import { onTestFinished } from 'vitest'
import { JUDGE_PASSWORD } from './app.ts'
import { freshDatabaseVariables } from './process-database.ts'
import { startProductionService } from './production-service.ts'

export const ROOT = { name: 'Root', email: 'root@example.org', password: 'a password of root' }

const TWICE = {
  title: 'Twice',
  identifier: 'twice',
  prompt: 'Double the number.',
  difficulty: 'EASY' as const,
  public: true,
  test_cases: [{ input: '21', expected_output: '42' }],
}

/** A JavaScript program that solves the problem. */
export const SOLUTION = "console.log(2 * require('fs').readFileSync(0, 'utf8'))"

export interface JudgingService {
  readonly url: string
  readonly log: readonly string[]
  readonly problemId: number
  readonly language: { readonly id: string; readonly name: string }
}

/** Starts the service with a worker, the admin `ROOT` and a problem; both stop with the test. */
export async function startJudgingService(variables: Record<string, string> = {}): Promise<JudgingService> {
  const { judge, ...service } = await openJudgingService(variables)
  await judge()
  return service
}

/** The same, but the worker starts with `judge`. */
export async function openJudgingService(
  variables: Record<string, string> = {},
): Promise<JudgingService & { judge(): Promise<void> }> {
  const accounts = { BASIC_REGISTRATION_ENABLED: 'true', ADMIN_EMAILS: ROOT.email }
  const all = { ...accounts, ...(await freshDatabaseVariables()), ...variables }
  const { url, log, localQueue } = await startProductionService(all)
  if (localQueue === undefined) throw new Error('the queue is not in this process')
  const languages = await readLanguages(defaultLanguagesFile)
  const judge = async () => {
    const worker = await startWorker({
      apiUrl: url,
      judgePassword: JUDGE_PASSWORD,
      source: localQueue,
      languages,
      concurrency: 1,
      sandbox: 'bubblewrap-if-installed',
    })
    onTestFinished(() => worker.stop())
  }
  const { problemId, language } = await createProblem(url)
  return { url, log, judge, problemId, language }
}

/** Registers the admin `ROOT` and creates the problem that `SOLUTION` solves. */
export async function createProblem(url: string) {
  const root = createJudgeClient({ baseUrl: url })
  const { id: userId, token } = await orThrow(root.POST('/v1/basic_register', { body: ROOT }))
  root.setToken(token)
  const problem = await orThrow(root.POST('/v1/problems', { body: TWICE }))
  const languages = await orThrow(root.GET('/v1/languages'))
  const language = languages.find(({ extension }) => extension === 'js')
  if (language === undefined) throw new Error('there is no JavaScript')
  return { root, userId, problemId: problem.id, language }
}
