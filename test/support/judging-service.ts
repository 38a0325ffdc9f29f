import { defaultLanguagesFile, readLanguages } from '@judge-data-layer/languages'
import { startWorker } from '@judge-data-layer/worker'
import { onTestFinished } from 'vitest'
import { openSubmitter, ROOT, type Submitter } from '../../tools/local-servers/submitter.ts'
import { JUDGE_PASSWORD } from './app.ts'
import { freshDatabaseVariables } from './process-database.ts'
import { startProductionService } from './production-service.ts'

export interface JudgingService extends Submitter {
  readonly url: string
  readonly log: readonly string[]
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
  return { url, log, judge, ...(await openSubmitter(url)) }
}
